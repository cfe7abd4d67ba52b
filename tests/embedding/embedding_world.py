"""A made-up world with a known answer, small enough for every test."""

import numpy as np
import polars as pl

from factlink.types import FactoidTable, Floats, Follows, Has, Kind, Objects


class World:
    """Two networks over one population: names are noisy copies, links the same friendships, rows in two orders."""

    def __init__(
        self, n: int = 300, dim: int = 32, noise: float = 1.0, friends: int = 6, shuffled: bool = False
    ) -> None:
        random = np.random.default_rng(0)
        names = random.standard_normal((n, dim))
        self.vectors = (np.concatenate([names, names]) + noise * random.standard_normal((2 * n, dim))).astype(
            np.float32
        )
        self.n, self.dim = n, dim
        ends = random.integers(0, n, (friends * n, 2))
        ends = ends[ends[:, 0] != ends[:, 1]]
        sides = [ends[random.random(len(ends)) < 0.8] for _ in range(2)]
        if shuffled:
            sides[1] = np.stack([random.permutation(sides[1][:, 0]), random.permutation(sides[1][:, 1])], axis=1)
        self.links = np.unique(np.concatenate([sides[0], sides[1] + n]), axis=0).astype(np.int32)

    @property
    def table(self) -> FactoidTable:
        rows = np.arange(2 * self.n, dtype=np.int32)
        weights = np.ones(len(self.links), np.float32)
        return FactoidTable(
            n_rows=2 * self.n,
            rows={"left": rows[: self.n], "right": rows[self.n :]},
            objects={"name": Objects(Kind.NAME, pl.Series([str(row) for row in rows]))},
            has={"name": Has(rows, rows)},
            links={"follows": Follows(self.links[:, 0], self.links[:, 1], weights)},
        )

    def mrr(self, vectors: Floats) -> float:
        unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        scores = unit[: self.n] @ unit[self.n :].T
        ranks = (scores >= scores.diagonal()[:, None]).sum(1)
        return float((1 / ranks).mean())
