"""Two orders of the same users, and results taken from one to the other."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.types import Candidates, Ints, Links, Network, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class RowOrder:
    """A permutation: row `rows[i]` as given is row *i* in order, and `places` is the inverse."""

    rows: Ints  # (n,)
    places: Ints  # (n,)

    @classmethod
    def of(cls, rows: Ints) -> "RowOrder":
        """The permutation that takes these rows first to last."""
        places = np.empty(len(rows), np.int32)
        places[rows] = np.arange(len(rows), dtype=np.int32)
        return cls(rows, places)

    def given(self, places: Ints) -> Ints:
        """Rows as given; −1, nobody, stays."""
        return np.where(places < 0, -1, self.rows[places]).astype(places.dtype) if len(self.rows) else places


@dataclass(frozen=True, slots=True, eq=False)
class Canonical(Network):
    """A network in the order of its content: users, values of a user, links and predicates."""

    order: RowOrder
    alike: npt.NDArray[np.bool_]  # (n,) users that differ from another only in their id


@dataclass(frozen=True, slots=True, eq=False)
class Orders:
    """The orders of a left and a right network."""

    left: RowOrder
    right: RowOrder

    @property
    def back(self) -> "Orders":
        """From the rows as given to those in order."""
        left, right = (RowOrder(order.places, order.rows) for order in (self.left, self.right))
        return Orders(left, right)

    def pairs(self, given: Pairs) -> Pairs:
        """Pairs of rows as given in rows in order, sorted."""
        lefts, rights = self.left.places[given.lefts], self.right.places[given.rights]
        by_both = np.lexsort((rights, lefts))
        return Pairs(lefts[by_both].astype(np.int64), rights[by_both].astype(np.int64))

    def candidates(self, found: Candidates) -> Candidates:
        """Candidates in the rows as given."""
        return Candidates(self.right.given(found.rights)[self.left.places], found.scores[self.left.places])

    def links(self, links: Links) -> Links:
        """Links in the rows as given, by left row."""
        lefts = self.left.rows[links.lefts]
        by_left = np.argsort(lefts, kind="stable")
        columns = ("scores", "probabilities", "decisions", "margins")
        kept: dict[str, npt.NDArray[Any]] = {name: getattr(links, name)[by_left] for name in columns}
        sources = None if links.sources is None else links.sources[by_left]
        rights, runners_up = (self.right.given(rows)[by_left] for rows in (links.rights, links.runners_up))
        return Links(lefts[by_left], rights, runners_up=runners_up, sources=sources, **kept)
