"""How much a factoid of each object counts: pictures by their holders, kinds by how well they agree with names."""

from collections.abc import Mapping

import numpy as np

from factlink.linkers.fe.attributes import Attributes
from factlink.linkers.fe.object_vectors import by_predicate
from factlink.types import FactoidTable, Floats, Kind

SLIGHT = 0.05
"""Pictures that count less, held by more than twenty beyond one in each network, count nothing."""


def weigh_factoids(
    table: FactoidTable, vectors: Mapping[str, Floats], attributes: Attributes, seed: int
) -> Mapping[str, Floats]:
    """What a factoid of each object counts, by predicate, where that is not 1."""
    return dict(weigh_pictures(table, vectors)) if attributes.weigh_pictures else {}


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
