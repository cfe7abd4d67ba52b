"""Networks with rows in canonical order."""

from collections.abc import Sequence
from typing import Any

import numba
import numpy as np
import polars as pl

from factlink.canonical.colours import Crossing, colour_users
from factlink.canonical.hashes import Flags, Hashes, hash_column, mix
from factlink.canonical.orders import Canonical, RowOrder
from factlink.types import Attribute, Follows, Ints, Network


def in_canonical_order(networks: Sequence[Network], known: Sequence[Crossing] = ()) -> list[Canonical]:
    """The networks with rows in the order of their content; ids only order users with equal content."""
    colours, alike = colour_users(networks, known)
    starts = np.cumsum([0, *map(len, networks)])
    parts = zip(networks, starts[:-1], starts[1:], strict=True)
    return [reorder(network, _rows(colours[a:b]), alike[a:b]) for network, a, b in parts]


def reorder(network: Network, rows: Ints, alike: Flags) -> Canonical:
    """The network with row `rows[i]` as row *i*; values, links and predicates sorted."""
    order = RowOrder.of(rows)
    attributes = {p: _attribute(attribute, order) for p, attribute in network.attributes.items()}
    links = {p: _links(follows, order) for p, follows in network.links.items()}
    return Canonical(
        network.name,
        network.users.gather(rows),
        dict(sorted(attributes.items(), key=lambda item: (hash_column(item[1]), item[0]))),
        dict(sorted(links.items(), key=lambda item: (_hash_links(item[1]), item[0]))),
        order,
        alike[rows],
    )


def _hash_links(follows: Follows) -> int:
    """Of links in canonical order."""
    ends = follows.followers.astype(np.uint64) << np.uint64(32) | follows.followees.astype(np.uint64)
    return int(mix(ends).sum(dtype=np.uint64))


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
