"""`walks` on worlds whose truth we made, and its parts by hand."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.candidates.pairs import gather_pairs
from factlink.embedding.walks.visits import Visits
from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.walks import WalkLinker
from factlink.linkers.mutual_pairs import hubness, shortlist, surest_pairs
from factlink.linkers.settings import make_linker
from factlink.types import NO_PAIRS, Candidates, Floats, Follows, Network, Pairs
from tests.linkers.worlds import communities, shuffled

DATA = Path(os.environ.get("FACTLINK_DATA", Path(__file__).parents[4] / "shared" / "data"))


def candidates(rights: list[list[int]], scores: list[list[float]]) -> Candidates:
    return Candidates(np.array(rights, np.int32), np.array(scores, np.float32))


def found(pairs: Pairs) -> list[tuple[int, int]]:
    return list(zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True))


PAIRS = gather_pairs(4, 4, [(np.array([0, 0, 1, 1, 2, 3]), np.array([0, 1, 1, 2, 2, 3]))])
SCORES = np.array([0.9, 0.8, 0.85, 0.2, 0.7, 0.1], np.float32)


def test_mutual_best_pairs_come_surest_first() -> None:
    # Pair (3, 3) has no rival; (2, 2) leads by .5 and (0, 0) by .1; (1, 1) by .05 over (0, 1).
    assert found(surest_pairs(PAIRS, SCORES, NO_PAIRS, share=1.0)) == [(3, 3), (2, 2), (0, 0), (1, 1)]
    assert found(surest_pairs(PAIRS, SCORES, NO_PAIRS, share=0.5)) == [(3, 3), (2, 2)]


def test_pairs_that_tie_are_all_taken() -> None:
    both = gather_pairs(2, 1, [(np.array([0, 1]), np.array([0, 0]))])
    assert found(surest_pairs(both, np.array([0.5, 0.5], np.float32), NO_PAIRS, share=1.0)) == [(0, 0), (1, 0)]


def test_users_of_known_pairs_are_neither_found_nor_rivals() -> None:
    known = Pairs(np.array([0]), np.array([3]))
    assert found(surest_pairs(PAIRS, SCORES, known, share=1.0)) == [(1, 1), (2, 2)]


def test_a_shortlist_holds_every_pair_of_both_directions_once() -> None:
    forth = candidates([[1, 0], [1, -1]], [[0.9, 0.5], [0.4, -np.inf]])
    back = candidates([[0], [0]], [[0.5], [0.9]])
    hubs: list[Floats] = [np.array([0.1, 0.2], np.float32), np.array([0.3, 0.4], np.float32)]
    pairs, scores = shortlist(forth, back, *hubs)
    assert list(zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True)) == [(0, 0), (0, 1), (1, 1)]
    assert scores.tolist() == pytest.approx([1 - 0.4, 1.8 - 0.5, 0.8 - 0.6])


def test_hubness_is_the_mean_of_the_nearest() -> None:
    near = candidates([[4, 1, 2], [3, -1, -1]], [[0.9, 0.5, 0.1], [0.4, -np.inf, -np.inf]])
    assert hubness(near, 2).tolist() == pytest.approx([0.7, 0.2])


def test_a_tenth_known_finds_nearly_everybody() -> None:
    # Friends meet again with .85² = .72, so of 10 friends some 7 are common, and no other user shares as many; what
    # is found in one round is known in the next, hence all but users with hardly a link can be told apart.
    world = communities()
    known, truth = world.split(20)
    assert evaluate(WalkLinker().fit(world.left, world.right, known), truth).hits[1] >= 0.95


def test_without_rounds_it_gains_from_known_pairs_and_loses_to_rounds() -> None:
    # Alone, k known pairs put only 14·k/200 of them among a user's friends: .57, .84 and .97 as k grows.
    world = communities()
    hits = []
    for n_known in (20, 60, 100):
        known, truth = world.split(n_known)
        hits.append(evaluate(WalkLinker(rounds=0).fit(world.left, world.right, known), truth).hits[1])
    assert 0.4 < hits[0] < hits[1] - 0.1 < hits[2] - 0.2
    assert hits[2] >= 0.9


def test_shuffled_links_tell_nothing() -> None:
    world = communities()
    known, truth = world.split(60)
    assert evaluate(WalkLinker().fit(world.left, shuffled(world.right), known), truth).hits[1] <= 0.05


def test_who_no_walk_reaches_is_not_scored() -> None:
    world = communities(n=50)
    follows = world.left.links["follows"]
    apart = (follows.followers != 7) & (follows.followees != 7)
    lonely = Follows(follows.followers[apart], follows.followees[apart], follows.weights[apart])
    known = Pairs(*(ends[:10][world.truth.lefts[:10] != 7] for ends in (world.truth.lefts, world.truth.rights)))
    scorer = WalkLinker(rounds=1).fit(replace(world.left, links={"follows": lonely}), world.right, known)
    assert np.isneginf(scorer.scores(np.array([7]))).all()
    assert scorer.scores(np.array([0, 3])).shape == (2, 50)


def test_known_partners_meet_first() -> None:
    world = communities()
    known, _ = world.split(60)
    assert evaluate(WalkLinker().fit(world.left, world.right, known), known).hits[1] == 1


def test_it_says_what_it_lacks() -> None:
    world = communities(n=50)
    with pytest.raises(InputError, match="linker 'walks' needs known pairs and got none; give them with --known PAIRS"):
        WalkLinker().fit(world.left, world.right)
    with pytest.raises(InputError, match="network 'right' has none"):
        WalkLinker().fit(world.left, replace(world.right, links={}), world.truth)
    with pytest.raises(SettingError, match="rounds is -1"):
        WalkLinker(rounds=-1)
    with pytest.raises(SettingError, match="hub_neighbours is 31"):
        WalkLinker(hub_neighbours=31)


def test_its_settings_can_be_written_as_words() -> None:
    assert make_linker("walks", {"visits.keep": "64", "rounds": "2"}) == WalkLinker(Visits(keep=64), rounds=2)


def read(folder: Path) -> Network:
    users = pl.read_parquet(folder / "users.parquet")["id"]
    bare = Network(folder.name, users, {}, {})
    links = pl.read_parquet(folder / "links.parquet")
    ends = bare.rows_of(links["source"]), bare.rows_of(links["target"])
    return replace(bare, links={"follows": Follows(*ends, np.ones(len(links), np.float32))})


@pytest.mark.skipif(not (DATA / "foursquare_twitter").exists(), reason="needs foursquare_twitter (FACTLINK_DATA)")
def test_foursquare_users_are_found_on_twitter_by_links_alone() -> None:
    # FINAL reaches MRR .110 and PARROT .304 here. All rounds take a minute of CPU and reach .41; none reach .21.
    left, right = read(DATA / "foursquare_twitter" / "foursquare"), read(DATA / "foursquare_twitter" / "twitter")
    files = [pl.read_parquet(DATA / "foursquare_twitter" / f"{name}.parquet") for name in ("seeds", "truth")]
    known, truth = (Pairs(left.rows_of(file["left"]), right.rows_of(file["right"])) for file in files)
    held_out = ~np.isin(truth.lefts, known.lefts)
    metrics = evaluate(
        WalkLinker(rounds=0).fit(left, right, known), Pairs(truth.lefts[held_out], truth.rights[held_out])
    )
    assert metrics.n == 1288
    assert metrics.mrr >= 0.2
