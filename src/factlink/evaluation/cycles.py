"""Do three networks agree? Best(A → B), then best(B → C), should be best(A → C)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from factlink.types import Candidates, Ints


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A user of A whose best user in C is not the best of their best user in B; all are rows."""

    networks: tuple[str, str, str]
    first: int
    second: int
    third: int  # best(A → C)
    detour: int  # best(B → C) of `second`


def list_disagreements(candidates: Mapping[tuple[str, str], Candidates]) -> Iterator[Disagreement]:
    """Every triangle that does not close, for all three networks A, B, C with A → B, B → C and A → C at hand."""
    names = list(dict.fromkeys(name for pair in candidates for name in pair))
    for a, b, c in permutations(names, 3):
        if {(a, b), (b, c), (a, c)} <= candidates.keys():
            best = [candidates[pair].rights[:, 0] for pair in ((a, b), (b, c), (a, c))]
            for first, second, third, detour in open_triangles(*best).tolist():
                yield Disagreement((a, b, c), first, second, third, detour)


def open_triangles(a_to_b: Ints, b_to_c: Ints, a_to_c: Ints) -> Ints:
    """(n, 4): row of A, its best in B, its best in C, and the best in C of that one in B, where the last two differ.

    Users without a candidate (−1) at any corner make no triangle.
    """
    known = np.flatnonzero(a_to_b >= 0)
    second = a_to_b[known]
    detour, third = b_to_c[second], a_to_c[known]
    differs = (detour >= 0) & (third >= 0) & (detour != third)
    corners: Ints = np.stack([known, second, third, detour], axis=1)
    return np.asarray(corners[differs])
