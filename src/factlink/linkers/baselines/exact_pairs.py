"""Pairs whose names or pictures only they share: known without being given."""

import numpy as np
import polars as pl

from factlink.linkers.baselines.features.owned_objects import owned_objects
from factlink.types import Ints, Kind, Network, Pairs


def exact_pairs(left: Network, right: Network, known: Pairs) -> Pairs:
    """Users whose name or picture exactly one user of each network has, whichever column; none that is in a known pair.

    Names are compared in lower case, pictures as files. A user who would be in two such pairs is in none.
    """
    parts = [_equal_objects(left, right, kind) for kind in (Kind.NAME, Kind.IMAGE)]
    pairs = pl.concat(parts).unique().sort("left", "right")
    free = ~(pl.col("left").is_in(known.lefts.tolist()) | pl.col("right").is_in(known.rights.tolist()))
    once = pl.col("left").is_unique() & pl.col("right").is_unique()
    pairs = pairs.filter(free).filter(once)
    return Pairs(pairs["left"].to_numpy(), pairs["right"].to_numpy())


def _equal_objects(left: Network, right: Network, kind: Kind) -> pl.DataFrame:
    return _owners_of_own(left, kind, "left").join(_owners_of_own(right, kind, "right"), on="object").drop("object")


def _owners_of_own(network: Network, kind: Kind, side: str) -> pl.DataFrame:
    """The objects that one user alone has, and who."""
    owned = owned_objects(network, kind)
    objects = owned.objects if kind is Kind.IMAGE else owned.objects.str.strip_chars().str.to_lowercase()
    owners: Ints = owned.owners.astype(np.int64)
    table = pl.DataFrame({side: owners, "object": objects.gather(owned.places)}).unique()
    return table.filter(pl.col("object").is_unique())
