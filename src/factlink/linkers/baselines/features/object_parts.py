"""What the two most similar objects of each pair add to its score."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.explanations.frames import both_predicates, meet_objects, part_frame, predicates_of
from factlink.linkers.baselines.features.owned_objects import ObjectsMet, Owned
from factlink.types import Floats, Kind, Network, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The objects that two networks are compared by."""

    left: Network
    right: Network
    left_owned: Owned
    right_owned: Owned


def object_parts(compared: Compared, met: ObjectsMet, pairs: Pairs, weights: Floats | None = None) -> pl.DataFrame:
    """One part per pair: the most similar objects, weighing their similarity unless weights are given."""
    kind = kind_of(compared)
    places = np.flatnonzero(met.lefts >= 0)
    lefts, rights = (
        owned.objects.gather(at[places])
        for owned, at in ((compared.left_owned, met.lefts), (compared.right_owned, met.rights))
    )
    predicate = both_predicates(
        predicates_of(compared.left, kind, pairs.lefts[places], lefts).fill_null("profile"),
        predicates_of(compared.right, kind, pairs.rights[places], rights).fill_null("profile"),
    )
    shown = meet_objects(lefts, rights, _similar(met.similarities[places]))
    return part_frame(places, (met.similarities if weights is None else weights)[places], kind.value, predicate, shown)


def kind_of(compared: Compared) -> Kind:
    """Names, or pictures if the objects are files that the network lists as pictures; joined texts are texts."""
    objects = compared.left_owned.objects.head(1)
    for kind in (Kind.NAME, Kind.IMAGE):
        attributes = [a for a in compared.left.attributes.values() if a.kind is kind]
        if any(a.objects.is_in(objects.implode()).any() for a in attributes):
            return kind
    return Kind.TEXT


def _similar(similarities: Floats) -> pl.Series:
    frame = pl.DataFrame({"similarity": pl.Series(similarities, dtype=pl.Float64).round(3)})
    return frame.select(note=pl.format("similarity {}", "similarity"))["note"]
