"""Two users are as similar as their most similar pair of objects: user scores from object similarities."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import polars as pl

from factlink.candidates.top_k import blocks
from factlink.linkers.baselines.features.object_parts import Compared, object_parts
from factlink.linkers.baselines.features.owned_objects import ObjectsMet, Owned
from factlink.protocols import Scorer
from factlink.types import Candidates, Floats, Ints, Network, Pairs


class Similarity(Protocol):
    """How similar the left objects are to the right ones."""

    def scores(self, lefts: Ints) -> Floats:
        """(len(lefts), n_right_objects)."""
        ...

    def nearest(self, lefts: Ints, k: int) -> Candidates:
        """The k most similar right objects of each left object, fewer where the rest are too different."""
        ...

    def turned(self) -> "Similarity":
        """Left and right exchanged."""
        ...

    def of_pairs(self, lefts: Ints, rights: Ints) -> Floats:
        """(n,): left object `lefts[i]` with right object `rights[i]`."""
        ...


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BestPairScorer(Scorer):
    """Scores two users by their most similar pair of objects; who has none is not scored."""

    left: Network
    right: Network
    left_owned: Owned
    right_owned: Owned
    similarity: Similarity

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        wanted, row_of = np.unique(rows, return_inverse=True)
        mine = np.isin(self.left_owned.owners, wanted)
        owners, places = self.left_owned.owners[mine], self.left_owned.places[mine]
        objects, object_of = np.unique(places, return_inverse=True)
        by_right = self._best_right(self.similarity.scores(objects))[object_of]  # (n_mine, n_right)
        result = np.full((len(wanted), len(self.right)), -np.inf, np.float32)
        if len(owners):
            users, starts = np.unique(owners, return_index=True)
            result[np.searchsorted(wanted, users)] = np.maximum.reduceat(by_right, starts, axis=0)
        return result[row_of]

    def candidates(self, k: int) -> Candidates:
        """The k best right users of every left user."""
        k = min(k, len(self.right))
        parts = [self._expand(objects, k) for objects in self._object_blocks(k)]
        empty = pl.DataFrame(schema={"owner": pl.Int32, "right": pl.Int32, "score": pl.Float32})
        pairs = _best_per(pl.concat([empty, *parts]), "owner", k)
        return _as_candidates(pairs, len(self.left), k)

    def meetings(self, pairs: Pairs) -> ObjectsMet:
        """Which two objects make each pair as similar as it is; the first of equal ones."""
        lefts, left_counts = _spans(self.left_owned, pairs.lefts)
        rights, right_counts = _spans(self.right_owned, pairs.rights)
        sizes = left_counts * right_counts
        pair_of = np.repeat(np.arange(len(pairs)), sizes)
        within = np.arange(len(pair_of)) - (np.cumsum(sizes) - sizes)[pair_of]
        left_places = self.left_owned.places[lefts[pair_of] + within // right_counts[pair_of]]
        right_places = self.right_owned.places[rights[pair_of] + within % right_counts[pair_of]]
        nothing = np.full(len(pairs), -1)
        met = ObjectsMet(nothing, nothing.copy(), np.full(len(pairs), np.nan, np.float32))
        if len(pair_of):
            similarities = self.similarity.of_pairs(left_places, right_places)
            some, starts = np.flatnonzero(sizes), (np.cumsum(sizes) - sizes)[sizes > 0]
            met.similarities[some] = np.maximum.reduceat(similarities, starts)
            best = np.flatnonzero(similarities == met.similarities[pair_of])
            users, first = np.unique(pair_of[best], return_index=True)
            met.lefts[users], met.rights[users] = left_places[best[first]], right_places[best[first]]
        return met

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: the two objects that are most similar, which are all of the score."""
        return self.object_parts(Pairs(lefts, rights))

    def object_parts(self, pairs: Pairs, weights: Floats | None = None) -> pl.DataFrame:
        """The same for pairs, weighing what is given in place of their similarity."""
        compared = Compared(self.left, self.right, self.left_owned, self.right_owned)
        return object_parts(compared, self.meetings(pairs), pairs, weights)

    def _best_right(self, scores: Floats) -> Floats:
        """Right objects → right users: each user's most similar object."""
        result = np.full((len(scores), len(self.right)), -np.inf, np.float32)
        if len(self.right_owned.owners):
            users, starts = np.unique(self.right_owned.owners, return_index=True)
            result[:, users] = np.maximum.reduceat(scores[:, self.right_owned.places], starts, axis=1)
        return result

    def _object_blocks(self, k: int) -> Iterator[Ints]:
        return blocks(len(self.left_owned.objects), 20 * k)

    def _expand(self, objects: Ints, k: int) -> pl.DataFrame:
        """The k best right users of the owners of some left objects."""
        most = int(np.bincount(self.right_owned.owners).max(initial=1))  # k users may own up to k·most objects
        near = self.similarity.nearest(objects, k * most)
        lefts, columns = np.nonzero(near.rights >= 0)
        pairs = pl.DataFrame(
            {
                "left": objects[lefts].astype(np.int32),
                "place": near.rights[lefts, columns],
                "score": near.scores[lefts, columns],
            }
        )
        rights = pl.DataFrame({"place": self.right_owned.places, "right": self.right_owned.owners})
        owners = pl.DataFrame({"left": self.left_owned.places, "owner": self.left_owned.owners})
        by_object = _best_per(pairs.join(rights, on="place").drop("place"), "left", k)
        return by_object.join(owners, on="left").select("owner", "right", "score")


def _spans(owned: Owned, rows: Ints) -> tuple[Ints, Ints]:
    """Where each user's factoids start, and how many there are."""
    starts = np.searchsorted(owned.owners, rows, side="left")
    return starts, np.searchsorted(owned.owners, rows, side="right") - starts


def _best_per(pairs: pl.DataFrame, by: str, k: int) -> pl.DataFrame:
    """The k best right users per group, each once, best first."""
    best = pairs.group_by(by, "right").agg(pl.col("score").max())
    best = best.sort(by, "score", "right", descending=[False, True, False])
    return best.filter(pl.int_range(pl.len()).over(by) < k)


def _as_candidates(pairs: pl.DataFrame, n_left: int, k: int) -> Candidates:
    rights, scores = np.full((n_left, k), -1, np.int32), np.full((n_left, k), -np.inf, np.float32)
    owners = pairs["owner"].to_numpy()
    ranks = np.arange(len(owners)) - np.searchsorted(owners, owners)
    rights[owners, ranks], scores[owners, ranks] = pairs["right"], pairs["score"]
    return Candidates(rights, scores)
