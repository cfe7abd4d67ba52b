"""Pairs whose names or pictures only they share: known without being given."""

import numpy as np
import polars as pl

from factlink.linkers.baselines.features.owned_objects import Owned, owned_objects
from factlink.types import Ints, Kind, Network, Pairs


def exact_pairs(left: Network, right: Network, known: Pairs) -> Pairs:
    """Users whose name or picture exactly one user of each network has, whichever column; none that is in a known pair.

    Names are compared in lower case, pictures by what they show, up to re-encoding. Who would be in two
    such pairs is in none.
    """
    parts = [_equal_objects(left, right, kind) for kind in (Kind.NAME, Kind.IMAGE)]
    pairs = pl.concat(parts).unique().sort("left", "right")
    free = ~(pl.col("left").is_in(known.lefts.tolist()) | pl.col("right").is_in(known.rights.tolist()))
    once = pl.col("left").is_unique() & pl.col("right").is_unique()
    pairs = pairs.filter(free).filter(once)
    return Pairs(pairs["left"].to_numpy(), pairs["right"].to_numpy())


def _equal_objects(left: Network, right: Network, kind: Kind) -> pl.DataFrame:
    owned = owned_objects(left, kind), owned_objects(right, kind)
    lefts, rights = _shown(owned[0].objects, owned[1].objects) if kind is Kind.IMAGE else _spelled(*owned)
    ours, theirs = _owners_of_own(owned[0], lefts, "left"), _owners_of_own(owned[1], rights, "right")
    return ours.join(theirs, on="object").drop("object")


def _spelled(left: Owned, right: Owned) -> tuple[pl.Series, pl.Series]:
    lefts, rights = (side.objects.str.strip_chars().str.to_lowercase() for side in (left, right))
    return lefts, rights


def _shown(left: pl.Series, right: pl.Series) -> tuple[pl.Series, pl.Series]:
    """A number for each picture, the same for those that are one up to re-encoding; null where there is no picture."""
    from factlink.encoders.pictures.duplicates import picture_groups
    from factlink.encoders.pictures.images import ImageEncoder

    if not len(left) or not len(right):
        return left.clear(), right.clear()
    groups = picture_groups(ImageEncoder().encode(pl.concat([left, right]).to_list()))
    numbers = pl.Series(groups).replace(-1, None).cast(pl.String)
    return numbers[: len(left)], numbers[len(left) :]


def _owners_of_own(owned: Owned, objects: pl.Series, side: str) -> pl.DataFrame:
    """The objects that one user alone has, and who."""
    owners: Ints = owned.owners.astype(np.int64)
    gathered = objects.gather(owned.places) if len(objects) else pl.Series(dtype=pl.String)
    table = pl.DataFrame({side: owners[: len(gathered)], "object": gathered}).drop_nulls().unique()
    return table.filter(pl.col("object").is_unique())
