"""How much a factoid of each object counts: pictures by their holders, kinds by how well they agree with names."""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import csr_matrix

from factlink.embedding.objectives import centred
from factlink.embedding.training.link_trust import mean_quality
from factlink.linkers.fe.attributes import Attributes
from factlink.linkers.fe.object_vectors import by_predicate
from factlink.types import FactoidTable, Floats, Ints, Kind, Objects

SLIGHT = 0.05
"""Pictures that count less, held by more than twenty beyond one in each network, count nothing."""


def weigh_factoids(
    table: FactoidTable, vectors: Mapping[str, Floats], attributes: Attributes, seed: int
) -> Mapping[str, Floats]:
    """What a factoid of each object counts, by predicate, where that is not 1."""
    weights = dict(weigh_pictures(table, vectors)) if attributes.weigh_pictures else {}
    qualities = kind_qualities(table, vectors, weights, seed) if attributes.weigh_kinds else {}
    for predicate, objects in table.objects.items():
        if objects.kind in qualities:
            weights[predicate] = weights.get(predicate, _ones(objects)) * np.float32(np.sqrt(qualities[objects.kind]))
    return weights


def kind_qualities(
    table: FactoidTable, vectors: Mapping[str, Floats], weights: Mapping[str, Floats], seed: int
) -> dict[Kind, float]:
    """How well each kind beside names ranks the confident pairs of names, 0 … 1; none where there are no names.

    The pairs are those that measure links (`link_trust`): each other's best by name, the half with the wider margins.
    """
    kinds = {objects.kind: None for objects in table.objects.values()}
    if Kind.NAME not in kinds:
        return {}
    names = _sums_of(Kind.NAME, table, vectors, weights)
    found: dict[Kind, float] = {}
    for kind in kinds:
        if kind is not Kind.NAME:
            sums = _sums_of(kind, table, vectors, weights)
            both = np.flatnonzero(names.any(axis=1) & sums.any(axis=1))
            found[kind] = mean_quality(names, sums, [np.intersect1d(rows, both) for rows in _own(table)], seed)
    return found


def _sums_of(kind: Kind, table: FactoidTable, vectors: Mapping[str, Floats], weights: Mapping[str, Floats]) -> Floats:
    """(n_rows, dim): the sum of what each user has of one kind, without the mean direction."""
    total = np.zeros((table.n_rows, 1), np.float32)
    for predicate, objects in table.objects.items():
        if objects.kind is kind:
            has, rows = table.has[predicate], vectors[predicate]
            counted = weights.get(predicate, _ones(objects))[has.objects]
            holders = csr_matrix((counted, (has.users, has.objects)), shape=(table.n_rows, len(objects)))
            total = total + holders @ centred(rows, np.asarray(rows.any(axis=1)))
    return total


def _own(table: FactoidTable) -> list[Ints]:
    """The rows of each network that are in no other: without known pairs."""
    shared = np.bincount(np.concatenate(list(table.rows.values())), minlength=table.n_rows) > 1
    return [rows[~shared[rows]] for rows in table.rows.values()]


def _ones(objects: Objects) -> Floats:
    return np.ones(len(objects), np.float32)


def weigh_pictures(table: FactoidTable, vectors: Mapping[str, Floats]) -> Mapping[str, Floats]:
    """What a factoid of each picture counts, by predicate: less the more users hold it, nothing if many do."""
    predicates = [p for p, objects in table.objects.items() if objects.kind is Kind.IMAGE]
    if not predicates:
        return {}
    from factlink.encoders.pictures.duplicates import picture_groups, picture_weights

    groups = picture_groups(np.concatenate([vectors[p] for p in predicates]))
    holders = [np.bincount(table.has[p].objects, minlength=len(table.objects[p])) for p in predicates]
    weights = picture_weights(groups, np.concatenate(holders), expected=len(table.rows))
    weights[weights < SLIGHT] = 0
    return by_predicate(table, predicates, weights)
