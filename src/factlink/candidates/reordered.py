"""A scorer over networks in canonical order that takes and returns rows of the networks as given."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import polars as pl

from factlink.candidates.top_k import best_candidates
from factlink.canonical.orders import Orders, RowOrder
from factlink.evidence import ChannelWeight
from factlink.protocols import FittedState, Scorer
from factlink.types import Candidates, Floats, Ints, Network

S_co = TypeVar("S_co", bound=Scorer, covariant=True)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reordered(Scorer, Generic[S_co]):
    """What a linker fitted in canonical order; `scorer` is that itself, with rows in that order."""

    scorer: S_co
    left: Network
    right: Network
    orders: Orders

    def __repr__(self) -> str:
        return repr(self.scorer)

    @property
    def channel_weights(self) -> Sequence[ChannelWeight]:
        """What each predicate counts, where the linker learns that."""
        weights: Sequence[ChannelWeight] = getattr(self.scorer, "channel_weights", ())
        return weights

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        return self.scorer.scores(self.orders.left.places[rows])[:, self.orders.right.places]

    def candidates(self, k: int) -> Candidates:
        """The k best right rows of every left row; equal scores in canonical order."""
        return self.orders.candidates(best_candidates(self.scorer, k))

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS."""
        return self.scorer.explain(self.orders.left.places[lefts], self.orders.right.places[rights])

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats] | None:
        """Vectors of left and of right rows, if there are any."""
        return self.scorer.place(self.orders.left.places[lefts], self.orders.right.places[rights])

    def keep_state(self) -> FittedState | None:
        """That of the scorer, which keeps it in the rows as given."""
        return self.scorer.keep_state()


def in_order(scorer: Scorer) -> tuple[Scorer, Orders]:
    """The scorer in canonical order, and that order; one that was fitted in rows as they came has that of its rows."""
    if isinstance(scorer, Reordered):
        return scorer.scorer, scorer.orders
    left, right = (RowOrder.of(np.arange(len(network))) for network in (scorer.left, scorer.right))
    return scorer, Orders(left, right)
