"""Networks with their users, values, links and columns in another order, and with other ids."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.types import Attribute, Follows, Ints, Network, Pairs


@dataclass(frozen=True)
class Shuffled:
    """Row `rows[i]` of the first network is row *i* of this one."""

    network: Network
    rows: Ints

    @property
    def places(self) -> Ints:
        """Row `places[i]` of this network is row *i* of the first."""
        return np.argsort(self.rows)


def shuffle(network: Network, seed: int) -> Shuffled:
    random = np.random.default_rng(seed)
    rows = random.permutation(len(network))
    places = np.argsort(rows)
    ids = pl.Series([f"user {number}" for number in random.permutation(len(network))], dtype=pl.String)
    attributes = [(p, _attribute(attribute, places, random)) for p, attribute in network.attributes.items()]
    links = [(p, _links(follows, places, random)) for p, follows in network.links.items()]
    return Shuffled(Network(network.name, ids, dict(attributes[::-1]), dict(links[::-1])), rows)


def shuffle_pairs(pairs: Pairs, left: Shuffled, right: Shuffled, seed: int) -> Pairs:
    order = np.random.default_rng(seed).permutation(len(pairs))
    return Pairs(left.places[pairs.lefts[order]], right.places[pairs.rights[order]])


def _attribute(attribute: Attribute, places: Ints, random: np.random.Generator) -> Attribute:
    order = random.permutation(len(attribute.rows))
    moved = places[attribute.rows[order]]
    order = order[np.argsort(moved, kind="stable")]
    return Attribute(attribute.kind, places[attribute.rows[order]].astype(np.int32), attribute.objects.gather(order))


def _links(follows: Follows, places: Ints, random: np.random.Generator) -> Follows:
    order = random.permutation(len(follows))
    ends = (places[rows[order]].astype(np.int32) for rows in (follows.followers, follows.followees))
    return Follows(*ends, follows.weights[order])
