"""Names and who holds them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.types import Floats, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class OwnedNames:
    """Names and who holds them, each as much as its predicate counts."""

    objects: pl.Series
    owners: Ints  # (n_objects,)
    weights: Floats  # (n_objects,)
    n_users: int


def own_names(network: Network, weights: Mapping[str, float]) -> OwnedNames:
    """The names of all users of a network."""
    held = [(network.attributes[p], weight) for p, weight in weights.items() if p in network.attributes]
    objects = pl.concat([pl.Series("", [], dtype=pl.String), *(attribute.objects for attribute, _ in held)])
    owners = np.concatenate([np.empty(0, np.int64), *(attribute.rows for attribute, _ in held)])
    values = np.concatenate([np.empty(0), *(np.full(len(attribute.rows), weight) for attribute, weight in held)])
    return OwnedNames(objects, owners, values.astype(np.float32), len(network))
