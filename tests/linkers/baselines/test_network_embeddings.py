"""`ione`, `line` and `pale` on worlds whose truth we made."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.candidates.top_k import best_candidates
from factlink.errors import InputError, SettingError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.ione import IoneLinker
from factlink.linkers.baselines.line import LineLinker
from factlink.linkers.baselines.pale import PaleLinker, _extended
from factlink.linkers.settings import make_linker
from factlink.protocols import Linker
from factlink.types import Attribute, Kind, Network, Pairs
from tests.embedding.walks.graphs import follows
from tests.linkers.worlds import communities, shuffled

IONE = IoneLinker(updates=200_000, dim=32)
LINE = LineLinker(passes=300, dim=32)
PALE = PaleLinker(passes=300, dim=32)
WORLD = communities(n=150, degree=20)


def hits_at_1(linker: Linker, n_known: int, right: Network = WORLD.right) -> float:
    known, truth = WORLD.split(n_known)
    return evaluate(linker.fit(WORLD.left, right, known), truth).hits[1]


@pytest.mark.parametrize(
    ("linker", "few", "many"),
    [
        # 14 friends, 10 of them common, 100 of 150 known: 7 known friends in common, which no two users share by
        # chance. Contexts are compared one by one, so nearly all can be told apart.
        (IONE, 0.3, 0.95),
        (LINE, 0.2, 0.9),
        # A map of 32² numbers learned from 100 pairs places a user within the community but blurs who is who in it.
        (PALE, 0.2, 0.5),
        (replace(PALE, mapping="mlp"), 0.2, 0.4),
    ],
    ids=["ione", "line", "pale", "pale-mlp"],
)
def test_more_known_pairs_find_more_users(linker: Linker, few: float, many: float) -> None:
    assert hits_at_1(linker, 20) <= few
    assert hits_at_1(linker, 100) >= many


@pytest.mark.parametrize("linker", [IONE, LINE, PALE], ids=["ione", "line", "pale"])
def test_shuffled_links_tell_nothing(linker: Linker) -> None:
    assert hits_at_1(linker, 100, shuffled(WORLD.right)) <= 0.1  # 1 of 50 by chance


@pytest.mark.parametrize("linker", [IONE, LINE], ids=["ione", "line"])
def test_known_partners_share_one_vector_and_rank_first(linker: Linker) -> None:
    known, _ = WORLD.split(60)
    scorer = linker.fit(WORLD.left, WORLD.right, known)
    assert np.diag(scorer.scores(known.lefts)[:, known.rights]).tolist() == pytest.approx([1.0] * 60, abs=1e-5)
    assert best_candidates(scorer, 3).rights[known.lefts, 0].tolist() == known.rights.tolist()


def test_ione_takes_links_that_are_never_returned_in_both_directions() -> None:
    one_way = follows(*((i, j) for i in range(12) for j in range(i) if (i + j) % 3))
    world = [replace(n, users=n.users[:12], links={"follows": one_way}) for n in (WORLD.left, WORLD.right)]
    known = Pairs(np.arange(8), np.arange(8))
    told, untold, directed = (
        replace(IONE, updates=100, directed=directed).fit(*world, known).scorer.left_vectors.tobytes()
        for directed in (False, None, True)
    )
    assert told == untold != directed


def test_links_between_known_users_are_copied() -> None:
    own, other = follows((0, 1), (1, 2)), follows((5, 6), (6, 7), (7, 8), (7, 5))
    extended = _extended(own, other, np.array([5, 6, 7]), np.array([0, 1, 3]), (9, 4))
    assert list(zip(extended.followers.tolist(), extended.followees.tolist(), strict=True)) == [
        (0, 1),
        (1, 2),
        (1, 3),  # 6 → 7; 5 → 6 was there, and 8 is not known
        (3, 0),
    ]
    assert extended.weights.tolist() == [1, 1, 1, 1]


def named(network: Network, rows: list[int], names: list[str]) -> Network:
    return replace(network, attributes={"username": Attribute(Kind.NAME, np.array(rows), pl.Series(names))})


def test_ione_takes_equal_unique_names_for_known_pairs() -> None:
    known, truth = WORLD.split(100)
    names = [f"user {place}" for place in range(100)]
    order = np.argsort(known.lefts), np.argsort(known.rights)
    left = named(WORLD.left, known.lefts[order[0]].tolist(), [names[place] for place in order[0]])
    right = named(WORLD.right, known.rights[order[1]].tolist(), [names[place] for place in order[1]])
    assert evaluate(IONE.fit(left, right), truth).hits[1] >= 0.95
    with pytest.raises(InputError, match="linker 'ione' needs known pairs and got none; give them with --known PAIRS"):
        replace(IONE, exact_pairs=False).fit(left, right)


@pytest.mark.parametrize("linker", [IONE, LINE, PALE], ids=["ione", "line", "pale"])
def test_they_say_what_they_lack(linker: Linker) -> None:
    with pytest.raises(InputError, match=f"linker '{linker.name}' needs known pairs and got none; give them with"):
        linker.fit(WORLD.left, WORLD.right)
    with pytest.raises(InputError, match="network 'right' has none"):
        linker.fit(WORLD.left, replace(WORLD.right, links={}), WORLD.truth)


def test_users_without_links_are_not_scored() -> None:
    right = replace(WORLD.right, users=pl.concat([WORLD.right.users, pl.Series(["lonely"])]))
    for linker in (replace(IONE, updates=100), replace(LINE, passes=1), replace(PALE, passes=1)):
        scores = linker.fit(WORLD.left, right, WORLD.truth).scores(np.array([0]))
        assert np.isneginf(scores[0]).tolist() == [False] * 150 + [True]


def test_results_are_those_of_their_seed() -> None:
    known = Pairs(WORLD.truth.lefts[:20], WORLD.truth.rights[:20])
    for linker in (replace(IONE, updates=1000), replace(LINE, passes=2), replace(PALE, passes=2, mapping="mlp")):
        one, again, other = (
            replace(linker, seed=seed).fit(WORLD.left, WORLD.right, known).scorer.left_vectors.tobytes()
            for seed in (1, 1, 2)
        )
        assert one == again != other


def test_settings_are_checked_and_can_be_written_as_words() -> None:
    for words, message in (
        ({"order": "3"}, "order is 3"),
        ({"passes": "0"}, "passes is 0"),
        ({"dim": "0"}, "dim is 0"),
    ):
        with pytest.raises(SettingError, match=message):
            make_linker("line", words)
    with pytest.raises(SettingError, match="updates is 0"):
        make_linker("ione", {"updates": "0"})
    with pytest.raises(SettingError, match="setting 'mapping' is 'cubic'; there are: linear, mlp"):
        make_linker("pale", {"mapping": "cubic"})
    assert make_linker("ione", {"exact_pairs": "no"}, seed=4) == IoneLinker(exact_pairs=False, seed=4)
