"""Small worlds whose truth we made: one population in communities, seen by two networks that each lost some links."""

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from factlink.types import Follows, Ints, Network, Pairs


@dataclass(frozen=True)
class World:
    left: Network
    right: Network
    truth: Pairs

    def split(self, n_known: int) -> tuple[Pairs, Pairs]:
        """Known pairs and the rest."""
        return pick(self.truth, np.arange(n_known)), pick(self.truth, np.arange(n_known, len(self.truth)))


def communities(n: int = 200, degree: float = 14, kept: float = 0.85, seed: int = 0) -> World:
    """People in communities of 25 who make 4 of 5 friends inside; the right network numbers them its own way."""
    random = np.random.default_rng(seed)
    n_draws = int(n * degree / 2)
    followers = random.integers(0, n, n_draws)
    inside = followers // 25 * 25 + random.integers(0, 25, n_draws)
    followees = np.where(random.random(n_draws) < 0.8, inside % n, random.integers(0, n, n_draws))
    links = np.unique(np.stack([followers, followees])[:, followers != followees], axis=1)
    renumbered = random.permutation(n)
    left = network("left", n, links[:, random.random(links.shape[1]) < kept])
    right = network("right", n, renumbered[links[:, random.random(links.shape[1]) < kept]])
    order = random.permutation(n)
    return World(left, right, Pairs(order, renumbered[order]))


def network(name: str, n: int, links: Ints) -> Network:
    users = pl.Series([f"{name}{row}" for row in range(n)], dtype=pl.String)
    weights = np.ones(links.shape[1], np.float32)
    return Network(name, users, {}, {"follows": Follows(links[0].astype(np.int32), links[1].astype(np.int32), weights)})


def shuffled(of: Network, seed: int = 0) -> Network:
    """The same users and numbers of links, each to and from anybody."""
    random = np.random.default_rng(seed)
    follows = of.links["follows"]
    mixed = Follows(random.permutation(follows.followers), random.permutation(follows.followees), follows.weights)
    return replace(of, links={"follows": mixed})


def pick(pairs: Pairs, places: Ints) -> Pairs:
    return Pairs(pairs.lefts[places], pairs.rights[places])
