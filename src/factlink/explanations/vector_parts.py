"""The cosine of two learned vectors as a sum over their factoids; the unexplained rest is its own part.

A user's vector is taken to be Σ_p α_p·m_p + r: m_p the mean of what predicate p pulls the user towards, α_p by least
squares. The product of two users is then a sum over pairs of predicates, and for one predicate over the objects or
friends of the two.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_matrix, diags

from factlink.evidence import REST, RIVALS
from factlink.explanations.frames import Met, join_parts, part_frame, rest_of
from factlink.explanations.members import Members, meet_members, pair_blocks, strongest_meetings
from factlink.types import Floats, Ints

Doubles = npt.NDArray[np.float64]

MOST_MEETINGS = 12
"""Objects or friends of one predicate that are listed one by one."""
_STEADY = 1e-6  # keeps least squares solvable where two predicates are collinear


@dataclass(frozen=True, slots=True, eq=False)
class Pull:
    """What one predicate pulls the users of both networks towards."""

    predicate: str
    kind: str
    left: Members
    right: Members
    call_left: Callable[[Ints], pl.Series]  # members of the left users as people know them
    call_right: Callable[[Ints], pl.Series]


@dataclass(frozen=True, slots=True, eq=False)
class PredicateSums:
    """Left or right users of some pairs as sums over predicates."""

    means: Doubles  # (n_predicates, n_pairs, dim)
    shares: Doubles  # (n_predicates, n_pairs)


def mean_members(rows: Ints, members: Ints, shape: tuple[int, int], vectors: Floats) -> Members:
    """Every user as the mean of its members; a repeated member counts twice."""
    counts = csr_matrix((np.ones(len(rows), np.float32), (rows, members)), shape=shape)
    totals = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
    return Members((diags((1 / totals).astype(np.float32)) @ counts).tocsr(), vectors)


def explain_vectors(
    vectors: tuple[Floats, Floats], asked: tuple[Ints, Ints], pulls: Sequence[Pull], scores: Floats
) -> pl.DataFrame:
    """Columns PARTS of the products of some pairs of rows; columns past the pulls' are for hubs and known pairs."""
    parts = join_parts(
        part
        for some in pair_blocks(len(scores))
        for part in _block_parts(vectors, (asked[0][some], asked[1][some]), pulls, some)
    )
    return join_parts([parts, rest_of(scores, parts, "not accounted for by factoids")])


def _block_parts(
    vectors: tuple[Floats, Floats], asked: tuple[Ints, Ints], pulls: Sequence[Pull], places: Ints
) -> list[pl.DataFrame]:
    dim = pulls[0].left.vectors.shape[1] if pulls else vectors[0].shape[1]
    wholes = [side[rows] for side, rows in zip(vectors, asked, strict=True)]
    beyond = np.einsum("ij,ij->i", wholes[0][:, dim:], wholes[1][:, dim:])
    parts = [part_frame(places, beyond, RIVALS, "hubness, or account of a known pair")]
    if not pulls:
        return parts
    lefts = _spread(wholes[0][:, :dim], [pull.left.sums(asked[0]) for pull in pulls])
    rights = _spread(wholes[1][:, :dim], [pull.right.sums(asked[1]) for pull in pulls])
    for n, mine in enumerate(pulls):
        for m, theirs in enumerate(pulls):
            shares = lefts.shares[n] * rights.shares[m]
            products = np.einsum("ij,ij->i", lefts.means[n], rights.means[m])
            parts += _pull_parts((mine, theirs), asked, shares, products, places)
    return parts


def _pull_parts(
    pulls: tuple[Pull, Pull], asked: tuple[Ints, Ints], shares: Doubles, products: Doubles, places: Ints
) -> list[pl.DataFrame]:
    """The part of a predicate of either user, by objects or friends; different kinds are not compared."""
    mine, theirs = pulls
    same = mine.predicate == theirs.predicate
    predicate = mine.predicate if same else f"{mine.predicate} · {theirs.predicate}"
    if mine.kind != theirs.kind:
        return [part_frame(places, shares * products, REST, predicate)]
    met = strongest_meetings(meet_members(mine.left, theirs.right, *asked), MOST_MEETINGS)
    called = Met(mine.call_left(met.lefts), theirs.call_right(met.rights))
    described = part_frame(met.pairs, shares[met.pairs] * met.weights, mine.kind, predicate, called)
    rest = rest_of(shares * products, described, f"{predicate}, the rest", mine.kind)
    return [
        part.with_columns(pair=pl.Series(places, dtype=pl.Int64).gather(part["pair"])) for part in (described, rest)
    ]


def _spread(wholes: Floats, means: list[Floats]) -> PredicateSums:
    """Least squares of every whole on its means; a predicate that a user lacks has no share."""
    stacked = np.stack(means).astype(np.float64)  # (n_predicates, n_pairs, dim)
    grams = np.einsum("apd,bpd->pab", stacked, stacked)
    steadied = grams + _STEADY * np.eye(len(means))
    towards = np.einsum("apd,pd->pa", stacked, wholes.astype(np.float64))
    shares = np.linalg.solve(steadied, towards[:, :, None])[:, :, 0].T
    return PredicateSums(stacked, shares)
