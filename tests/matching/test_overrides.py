"""What people settled overrules scores, in blocks and in candidates alike."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.matching.neighbours import best_candidates, best_of_block
from factlink.matching.settled import settle, settle_links
from factlink.types import NO_PAIRS, Floats, Ints, Links, Network, Pairs

LEFT = Network("left", pl.Series(["a", "b", "c"]), {}, {})
RIGHT = Network("right", pl.Series(["w", "x", "y", "z"]), {}, {})
SCORES = np.array([[0.9, 0.5, 0.4, 0.1], [0.2, 0.8, 0.7, 0.1], [-np.inf, -np.inf, -np.inf, -np.inf]], np.float32)


@dataclass(frozen=True)
class Plain:
    left: Network = LEFT
    right: Network = RIGHT

    def scores(self, rows: Ints) -> Floats:
        return SCORES[rows]


def pairs(*rows: tuple[int, int]) -> Pairs:
    return Pairs(np.array([left for left, _ in rows]), np.array([right for _, right in rows]))


def test_a_scorer_that_nobody_overrules_stays_itself() -> None:
    scorer = Plain()
    assert settle(scorer, NO_PAIRS, NO_PAIRS) is scorer


def test_a_refused_pair_is_never_a_candidate_and_the_next_moves_up() -> None:
    settled = settle(Plain(), NO_PAIRS, pairs((1, 1), (0, 0), (1, 2)))
    assert best_candidates(settled, 2).rights.tolist() == [[1, 2], [0, 3], [-1, -1]]
    assert settled.scores(np.array([1, 0, 1]))[:, :3].tolist() == [
        [np.float32(0.2), -np.inf, -np.inf],
        [-np.inf, np.float32(0.5), np.float32(0.4)],
        [np.float32(0.2), -np.inf, -np.inf],
    ]


def test_a_match_is_the_only_candidate_with_the_best_score_the_user_had() -> None:
    settled = settle(Plain(), pairs((0, 3), (2, 1)), NO_PAIRS)
    found = best_candidates(settled, 3)
    assert found.rights.tolist() == [[3, -1, -1], [2, 0, -1], [1, -1, -1]]
    assert found.scores[[0, 2], 0].tolist() == [np.float32(0.9), 1.0]


def test_several_matches_of_one_user_all_stay() -> None:
    assert best_candidates(settle(Plain(), pairs((0, 2), (0, 3)), NO_PAIRS), 4).rights[0].tolist() == [2, 3, -1, -1]


def test_candidates_are_the_best_of_the_blocks() -> None:
    settled = settle(Plain(), pairs((0, 1)), pairs((1, 1), (0, 3)))
    block = best_of_block(settled.scores(np.arange(3)), 3)
    found = best_candidates(settled, 3)
    assert np.array_equal(found.rights, block.rights)
    assert np.array_equal(found.scores, block.scores)


def test_a_judged_match_is_a_link_however_unlikely() -> None:
    columns = np.zeros(3, np.float32)
    links = Links(np.arange(3), np.array([0, 1, -1]), columns, columns, np.array([0, 1, 2]), np.full(3, -1), columns)
    settled = settle_links(links, pairs((2, 3), (1, 0), (1, 2)))
    assert settled.rights.tolist() == [0, 0, 3]
    assert settled.probabilities.tolist() == [0.0, 1.0, 1.0]
    assert settled.decisions.tolist() == [0, 0, 0]
    assert settle_links(links, NO_PAIRS) is links
