"""One suite for all linkers, and a test that none is missing."""

from functools import cache

import numpy as np
import pytest

from factlink.candidates.top_k import best_candidates, best_of_block
from factlink.decision.decisions import link
from factlink.errors import FactlinkError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.settings import LINKERS, make_linker, remake_linker, settings_of
from factlink.protocols import Linker, Scorer
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population
from factlink.synthetic.worlds import World, twins
from factlink.types import DECISIONS, NO_PAIRS, Decision, Pairs

SETTINGS: dict[str, dict[str, str]] = {
    "cnl": {},
    "cosnet": {"learning_rounds": "10", "inference_rounds": "20"},
    "factoid": {"dim": "256"},
    "fe": {"training.dim": "64"},
    "fgw": {},
    "final": {},
    "ione": {"updates": "200000", "dim": "32"},
    "line": {"dim": "32", "passes": "300"},
    "lr": {},
    "name": {},
    "pale": {"dim": "32"},
    "parrot": {},
    "regal": {},
    "seu": {},
    "ulink": {"dim": "32", "walk_dim": "16", "iterations": "10"},
    "walks": {},
}
"""Settings small enough for a small world."""

FLOOR = {"ione": 0.1, "line": 0.4, "pale": 0.1, "walks": 0.3}
"""HR@1 on the rest, where chance is .01. Links alone tell communities apart, and some people in them; who reads
names finds well over half of people that mostly keep their username."""


@cache
def world() -> World:
    """120 people who are mostly in both networks, keep most usernames and most friends."""
    population = Population(people=120, presence=0.9, predicates=("username", "screen_name", "bio"))
    return twins(
        Dials(population, NameDials(same=0.6, hidden=0.0), links=LinkDials(mean=12, kept=0.9, own=0.1), seed=5)
    )


@cache
def split() -> tuple[Pairs, Pairs]:
    """Half of the truth known, the other half held out."""
    truth = world().truth("left", "right")
    return Pairs(truth.lefts[::2], truth.rights[::2]), Pairs(truth.lefts[1::2], truth.rights[1::2])


def linker(name: str) -> Linker:
    return make_linker(name, SETTINGS[name], seed=3)


@cache
def fitted(name: str) -> Scorer:
    return linker(name).fit(*world().networks, split()[0])


def test_no_linker_is_missing_from_this_suite() -> None:
    assert set(SETTINGS) == set(LINKERS)


@pytest.mark.parametrize("name", LINKERS)
class TestEveryLinker:
    def test_it_bears_its_name(self, name: str) -> None:
        assert linker(name).name == name

    def test_scores_are_blocks_over_all_right_users(self, name: str) -> None:
        scores = fitted(name).scores(np.array([4, 0, 4]))
        assert scores.shape == (3, len(world().networks[1]))
        assert scores.dtype == np.float32
        assert not np.isnan(scores).any()
        assert not np.isposinf(scores).any()
        assert np.array_equal(scores[0], scores[2])

    def test_candidates_are_the_best_of_the_scores(self, name: str) -> None:
        scorer, rows = fitted(name), np.arange(len(world().networks[0]))
        found, whole = best_candidates(scorer, 5), best_of_block(scorer.scores(rows), 5)
        assert found.rights.shape == whole.rights.shape
        same = np.isclose(found.scores[:, 0], whole.scores[:, 0], rtol=1e-3, atol=1e-3)
        assert same.mean() >= 0.95  # a short cut may miss a best user who shares no 3-gram of any name

    def test_the_same_seed_gives_the_same_bytes(self, name: str) -> None:
        again = linker(name).fit(*world().networks, split()[0])
        rows = np.arange(20)
        assert again.scores(rows).tobytes() == fitted(name).scores(rows).tobytes()

    def test_it_finds_people_it_was_not_told_of(self, name: str) -> None:
        assert evaluate(fitted(name), split()[1]).hits[1] >= FLOOR.get(name, 0.55)

    def test_nobody_is_linked_twice(self, name: str) -> None:
        links = link(fitted(name), precision=0.5)
        rights = links.rights[links.decisions == DECISIONS.index(Decision.LINK)]
        assert len(np.unique(rights)) == len(rights)

    def test_its_settings_survive_a_manifest(self, name: str) -> None:
        assert remake_linker(name, settings_of(linker(name))) == linker(name)

    def test_without_known_pairs_it_links_or_says_that_it_cannot(self, name: str) -> None:
        if not linker(name).supervised:
            assert linker(name).fit(*world().networks).scores(np.array([0])).shape[0] == 1
            return
        bare = tuple(type(n)(n.name, n.users, {}, n.links) for n in world().networks)
        with pytest.raises(FactlinkError, match="known pairs"):
            linker(name).fit(bare[0], bare[1], NO_PAIRS)
