"""Permuting rows, values, links and columns and renaming ids permutes what a linker finds, and changes nothing else."""

from functools import cache

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.top_k import best_candidates
from factlink.decision.decisions import link
from factlink.decision.likelihoods import estimate_likelihoods
from factlink.linkers.settings import LINKERS
from factlink.protocols import Scorer
from factlink.types import Attribute, Follows, Network
from tests.canonical.shuffled import Shuffled, shuffle, shuffle_pairs
from tests.every.test_linkers import fitted, linker, split, world


@cache
def moved(seed: int) -> tuple[Shuffled, Shuffled]:
    left, right = (shuffle(network, seed + side) for side, network in enumerate(world().networks))
    return left, right


@cache
def refitted(name: str, seed: int = 10) -> Scorer:
    left, right = moved(seed)
    return linker(name).fit(left.network, right.network, shuffle_pairs(split()[0], left, right, seed))


@pytest.mark.parametrize("name", LINKERS)
class TestEveryLinker:
    def test_the_same_candidates_with_the_same_scores(self, name: str) -> None:
        before, after = best_candidates(fitted(name), 5), best_candidates(refitted(name), 5)
        left, right = moved(10)
        assert after.scores.tobytes() == before.scores[left.rows].tobytes()
        named = np.where(after.rights < 0, -1, right.rows[after.rights])
        assert named.tolist() == before.rights[left.rows].tolist()

    def test_the_same_scores_of_all_pairs(self, name: str) -> None:
        left, right = moved(10)
        before, after = (scorer.scores(np.arange(len(left.rows))) for scorer in (fitted(name), refitted(name)))
        assert_allclose(after, before[left.rows][:, right.rows], rtol=1e-4, atol=1e-5)

    def test_the_same_probabilities(self, name: str) -> None:
        left, right = moved(10)
        before, after = (estimate_likelihoods(scorer) for scorer in (fitted(name), refitted(name)))
        places = before.pairs.places(left.rows[after.pairs.lefts], right.rows[after.pairs.rights])
        assert (places >= 0).all()
        assert len(before.pairs) == len(after.pairs)
        assert after.probabilities.tobytes() == before.probabilities[places].tobytes()

    def test_the_same_links(self, name: str) -> None:
        before, after = link(fitted(name)), link(refitted(name))
        left, right = moved(10)
        for column in ("scores", "probabilities", "decisions", "margins"):
            assert getattr(after, column).tobytes() == getattr(before, column)[left.rows].tobytes(), column
        for column in ("rights", "runners_up"):
            rows = getattr(after, column)
            assert np.where(rows < 0, -1, right.rows[rows]).tolist() == getattr(before, column)[left.rows].tolist()

    def test_the_same_explanation(self, name: str) -> None:
        left, right = moved(10)
        best = best_candidates(fitted(name), 1).rights[:20, 0]
        rows = np.flatnonzero(best >= 0)
        before = fitted(name).explain(rows, best[rows])
        after = refitted(name).explain(left.places[rows], right.places[best[rows]])
        assert_allclose(after["weight"], before["weight"], rtol=1e-4, atol=1e-5)
        assert after.select("pair", "kind", "predicate").equals(before.select("pair", "kind", "predicate"))


TWINS = 6


def with_twins(network: Network) -> Network:
    """The network with one more account for each of the first users, of the same content and with the same links."""
    rows, n = np.arange(TWINS), len(network)
    attributes = {}
    for predicate, attribute in network.attributes.items():
        copied = np.flatnonzero(attribute.rows < TWINS)
        objects = pl.concat([attribute.objects, attribute.objects.gather(copied)])
        attributes[predicate] = Attribute(
            attribute.kind, np.concatenate([attribute.rows, n + attribute.rows[copied]]), objects
        )
    links = {predicate: _with_twins(follows, n) for predicate, follows in network.links.items()}
    users = pl.concat([network.users, pl.Series([f"twin {row}" for row in rows], dtype=pl.String)])
    return Network(network.name, users, attributes, links)


def _with_twins(follows: Follows, n: int) -> Follows:
    followers, followees, weights = follows.followers, follows.followees, follows.weights
    for _ in range(2):  # then the other end
        copied = np.flatnonzero(followers < TWINS)
        followers, followees, weights = (
            np.concatenate([followers, n + followers[copied]]),
            np.concatenate([followees, followees[copied]]),
            np.concatenate([weights, weights[copied]]),
        )
        followers, followees = followees, followers
    return Follows(followers, followees, weights)


@pytest.mark.parametrize("name", ["factoid", "fe", "name", "walks"])
def test_of_two_equal_accounts_it_does_not_matter_which_is_which(name: str) -> None:
    first, (left, right), known = with_twins(world().networks[0]), world().networks, split()[0]
    seen = []
    for seed in (1, 2):
        mine, theirs = shuffle(first, seed), shuffle(right, seed + 10)
        links = link(linker(name).fit(mine.network, theirs.network, shuffle_pairs(known, mine, theirs, seed)))
        original = np.where(mine.rows >= len(left), mine.rows - len(left), mine.rows)
        rights = np.where(links.rights < 0, -1, theirs.rows[links.rights])
        columns = [links.scores, links.probabilities, links.decisions, links.margins]
        seen.append(sorted(zip(original.tolist(), rights.tolist(), *(c.tolist() for c in columns), strict=True)))
    assert seen[0] == seen[1]
