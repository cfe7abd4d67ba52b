"""Networks whose rows are in canonical order, and the way back to the rows as given."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.canonical.colours import Crossing, colour_users
from factlink.canonical.hashes import Hashes
from factlink.types import Attribute, Candidates, Follows, Ints, Links, Network, Pairs


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


def in_canonical_order(networks: Sequence[Network], known: Sequence[Crossing] = ()) -> list[Canonical]:
    """The networks with rows in the order of their content; ids have no say but among users who are the same."""
    colours = colour_users(networks, known)
    starts = np.cumsum([0, *map(len, networks)])
    return [reorder(n, _rows(colours[a:b])) for n, a, b in zip(networks, starts[:-1], starts[1:], strict=True)]


def reorder(network: Network, rows: Ints) -> Canonical:
    """The network with row `rows[i]` as row *i*; values, links and predicates sorted."""
    order = RowOrder.of(rows)
    return Canonical(
        network.name,
        network.users.gather(rows),
        {p: _attribute(attribute, order) for p, attribute in sorted(network.attributes.items())},
        {p: _links(follows, order) for p, follows in sorted(network.links.items())},
        order,
    )


def _rows(colours: Hashes) -> Ints:
    return pl.Series(colours).arg_sort().to_numpy().astype(np.int32)


def _attribute(attribute: Attribute, order: RowOrder) -> Attribute:
    rows = order.places[attribute.rows]
    if len(rows) and np.bincount(attribute.rows).max() > 1:
        table = pl.DataFrame({"row": rows, "object": attribute.objects}).sort("row", "object")
        return Attribute(attribute.kind, table["row"].to_numpy(), table["object"].alias("").rechunk())
    by_row = pl.Series(rows).arg_sort()
    return Attribute(attribute.kind, rows[by_row.to_numpy()], attribute.objects.gather(by_row).rechunk())


def _links(follows: Follows, order: RowOrder) -> Follows:
    followers, followees = order.places[follows.followers], order.places[follows.followees]
    by_ends = np.arange(len(follows))
    if len(follows) and (follows.weights != follows.weights[0]).any():
        by_ends = np.argsort(follows.weights, kind="stable")
    for ends in (followees, followers):
        by_ends = _sort_by(ends, by_ends, len(order.rows))
    return Follows(followers[by_ends], followees[by_ends], follows.weights[by_ends])


@numba.njit(cache=True)
def _sort_by(keys: Any, before: Any, n_keys: int) -> Any:
    """Places by key and then as before: a counting sort, in a tenth of the time of one that compares."""
    ends = np.zeros(n_keys, np.int64)
    for key in keys:
        ends[key] += 1
    starts, places = np.cumsum(ends) - ends, np.empty_like(before)
    for place in before:
        places[starts[keys[place]]] = place
        starts[keys[place]] += 1
    return places
