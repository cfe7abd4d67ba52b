"""The distinct objects of one kind in a network, their owners, and the most similar two of a pair."""

from dataclasses import dataclass

import polars as pl

from factlink.types import Floats, Ints, Kind, Network


@dataclass(frozen=True, slots=True, eq=False)
class Owned:
    """The distinct objects of one kind in one network, and whose they are: `owners[i]` has `objects[places[i]]`."""

    objects: pl.Series  # (n_objects,) sorted
    owners: Ints  # (n_factoids,) user rows, never falling
    places: Ints  # (n_factoids,)


def owned_objects(network: Network, kind: Kind) -> Owned:
    """What the users of a network have of one kind, over all its predicates."""
    columns = [a for a in network.attributes.values() if a.kind is kind]
    parts = [
        pl.DataFrame({"owner": a.rows, "object": a.objects}, schema_overrides={"owner": pl.Int32}) for a in columns
    ]
    empty = pl.DataFrame(schema={"owner": pl.Int32, "object": pl.String})
    factoids = pl.concat([empty, *parts]).unique().sort("owner", "object")
    objects = factoids["object"].unique().sort()
    numbered = pl.DataFrame({"object": objects, "place": pl.arange(len(objects), dtype=pl.Int32, eager=True)})
    factoids = factoids.join(numbered, on="object", maintain_order="left")
    return Owned(objects, factoids["owner"].to_numpy(), factoids["place"].to_numpy())


@dataclass(frozen=True, slots=True, eq=False)
class ObjectsMet:
    """The most similar objects of each of some pairs of users; −1 and NaN where one of the two has none."""

    lefts: Ints  # (n_pairs,) places of objects
    rights: Ints
    similarities: Floats
