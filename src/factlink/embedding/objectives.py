"""A `FactoidTable` and its object vectors as the objectives that Algorithm 1 takes in turn."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.embedding.settings import LinkSettings
from factlink.errors import InputError
from factlink.types import FactoidTable, Floats, Follows, Has, Ints

POOLED = "follows"


@dataclass(frozen=True, slots=True, eq=False)
class Objective:
    """All factoids of one predicate: f(F_pred), equation (4), or f(F_follows), equation (6), of the paper."""

    predicate: str
    users: Ints  # (n_factoids,) joint rows
    objects: Ints  # (n_factoids,) rows of `vectors`, or joint rows of followees
    weights: Floats  # (n_factoids,) share of a full step
    vectors: Floats | None  # (n_objects, dim_o); None for links
    out_degrees: Floats | None  # (n_rows,) for links: how often a user follows; None draws negatives uniformly

    def __len__(self) -> int:
        return len(self.users)

    @property
    def is_link(self) -> bool:
        """Whether the objects are users."""
        return self.vectors is None


EQUAL: Mapping[str, Floats] = {}
"""Weights of no predicate: every factoid counts 1."""


def list_objectives(
    table: FactoidTable,
    vectors: Mapping[str, Floats],
    links: LinkSettings,
    centre: bool = True,
    weights: Mapping[str, Floats] = EQUAL,
) -> list[Objective]:
    """Attributes in the order of the table, then links; predicates without factoids are left out.

    `weights` give by predicate what a factoid of each object counts, 0 … 1; those of weight 0 are left out.
    """
    attributes = [
        _attribute(p, has, _vectors_of(p, table, vectors), centre, weights.get(p)) for p, has in table.has.items()
    ]
    followed = (
        []
        if links.weight == 0
        else [_link(predicate, follows, _accounts(table), links) for predicate, follows in _group(table, links).items()]
    )
    return [objective for objective in attributes + followed if len(objective)]


def _vectors_of(predicate: str, table: FactoidTable, vectors: Mapping[str, Floats]) -> Floats:
    n_objects = len(table.objects[predicate])
    if predicate not in vectors:
        return np.zeros((n_objects, 1), np.float32)
    found = vectors[predicate]
    if len(found) != n_objects:
        raise InputError(f"predicate '{predicate}' has {n_objects} objects but {len(found)} vectors; encode them all")
    return np.ascontiguousarray(found, np.float32)


def _attribute(predicate: str, has: Has, vectors: Floats, centre: bool, weights: Floats | None) -> Objective:
    filled = np.asarray(vectors.any(axis=1))
    counted = filled.astype(np.float32) if weights is None else filled * weights
    kept = np.flatnonzero(counted[has.objects])
    if centre and filled.any():
        vectors = centred(vectors, filled)
    objects = has.objects[kept]
    return Objective(predicate, has.users[kept], objects, counted[objects], vectors, None)


def centred(vectors: Floats, filled: npt.NDArray[np.bool_]) -> Floats:
    """Unit rows without the mean direction, which would dominate every push of a negative; zero rows stay zero.

    Of n rows (1 − 1/n) of the mean is taken, so that one row alone keeps its direction.
    """
    n_filled = np.count_nonzero(filled)
    mean = vectors.sum(0, dtype=np.float64) / n_filled * (1 - 1 / n_filled)
    moved = np.where(filled[:, None], vectors - mean.astype(np.float32), np.float32(0))
    return unit_rows(moved)


def unit_rows(vectors: Floats) -> Floats:
    """Rows of length 1; zero rows stay zero."""
    lengths = row_lengths(vectors)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1)[:, None], vectors.dtype)


def row_lengths(vectors: Floats) -> Floats:
    """The Euclidean length of every row."""
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), vectors.dtype)


def _group(table: FactoidTable, links: LinkSettings) -> dict[str, Follows]:
    """Link predicates to train apart: with `separate` those of every network, and one for all others together."""
    apart = [p for p, f in table.links.items() if links.predicates == "separate" and _is_everywhere(f, table)]
    together = [follows for predicate, follows in table.links.items() if predicate not in apart]
    grouped = {predicate: table.links[predicate] for predicate in apart}
    if together:
        name = POOLED if POOLED not in apart else f"other {POOLED}"
        grouped[name] = _sum_links(together, table.n_rows)
    return grouped


def _is_everywhere(follows: Follows, table: FactoidTable) -> bool:
    present = np.zeros(table.n_rows, bool)
    present[follows.followers] = True
    return all(present[rows].any() for rows in table.rows.values())


def _sum_links(parts: list[Follows], n_rows: int) -> Follows:
    """All links, in the order of their ends; a link of several predicates counts once for each."""
    keys = np.concatenate([f.followers.astype(np.int64) * n_rows + f.followees for f in parts])
    distinct, places = np.unique(keys, return_inverse=True)
    weights = np.bincount(places, np.concatenate([f.weights for f in parts])).astype(np.float32)
    return Follows((distinct // n_rows).astype(np.int32), (distinct % n_rows).astype(np.int32), weights)


def _accounts(table: FactoidTable) -> Ints:
    """(n_rows,): in how many networks each user is; more than one for known pairs."""
    return np.maximum(np.bincount(np.concatenate(list(table.rows.values())), minlength=table.n_rows), 1)


def _link(predicate: str, follows: Follows, accounts: Ints, links: LinkSettings) -> Objective:
    n_rows = len(accounts)
    if links.both_directions:
        backwards = Follows(follows.followees, follows.followers, follows.weights)
        follows = _sum_links([follows, backwards], n_rows)
    weights = follows.weights.astype(np.float64)
    out_degrees = np.bincount(follows.followers, weights, minlength=n_rows)
    if links.degree_normalised:
        in_degrees = np.bincount(follows.followees, weights, minlength=n_rows)
        per_account = (out_degrees / accounts)[follows.followers] * (in_degrees / accounts)[follows.followees]
        weights = weights / (np.sqrt(per_account) * accounts[follows.followees])  # two names make a vector longer
    steps, degrees = weights.astype(np.float32), out_degrees.astype(np.float32)
    return Objective(predicate, follows.followers, follows.followees, steps, None, degrees)
