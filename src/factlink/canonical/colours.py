"""Colours: hashes that distinguish users without their ids, by their own values and then by their links.

Weisfeiler-Lehman refinement over all networks at once, known pairs being links between two of them. Users who still
have one colour are interchangeable by their content; `separate` numbers them so that it shows nowhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from factlink.canonical.hashes import Flags, Hashes, count_distinct, find_repeated, hash_contents, mix, salt
from factlink.canonical.orders import Canonical
from factlink.types import Floats, Ints, Network, Pairs

ROUNDS = 16
"""Of refinement, at most; people have few steps between them."""
CHOICES = 16
"""Users of one part of a graph that are distinguished one after another, at most; beyond, symmetry is not resolved."""

_CHOSEN = np.uint64(1) << np.uint64(63)


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Links of one predicate or known pairs, in rows over all networks; `weights` is None for known pairs."""

    label: np.uint64  # tells predicates apart by what they link, for what they are called is no content
    froms: Ints
    tos: Ints
    weights: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """Known pairs of two of several networks, given as places."""

    left: int
    right: int
    pairs: Pairs


def colour_users(networks: Sequence[Network], known: Sequence[Crossing]) -> tuple[Hashes, Flags]:
    """(n_users of all networks,) each: colours, different for different users except beyond ROUNDS and CHOICES; and
    whom nothing but an id tells from somebody else."""
    colours = np.concatenate([mix(hash_contents(n) + salt(str(place))) for place, n in enumerate(networks)])
    alike = find_repeated(colours)
    if not alike.any():
        return colours, alike
    graph = list(_graph(networks, known, colours))
    colours = refine(colours, graph)
    alike = find_repeated(colours)
    if not alike.any():
        return colours, alike
    return separate(colours, graph, _number(networks, np.flatnonzero(alike))), alike


def refine(colours: Hashes, graph: Sequence[Ends]) -> Hashes:
    """Colours that differ where those of neighbours do, round by round until no further users are distinguished."""
    for _ in range(ROUNDS):
        tied = find_repeated(colours)
        before = count_distinct(colours[tied])
        sums = np.zeros(len(colours), np.uint64)
        for ends in graph:
            _add_neighbours(sums, colours, tied, ends)
        colours = np.where(tied, mix(colours + mix(sums)), colours)
        if count_distinct(colours[tied]) == before:
            break
    return colours


def separate(colours: Hashes, graph: Sequence[Ends], numbers: Ints) -> Hashes:
    """Colours of their own for users who had none, alike ones by `numbers`: parts of the graph first, then within.

    Users who are distinguished already hold nothing together, so most parts are one user, or one small family. Equal
    parts are numbered as a whole: who stands first in one list does so in all.
    """
    for _ in range(CHOICES):
        rows = np.flatnonzero(find_repeated(colours))
        if not len(rows):
            break
        parts = _parts(rows, graph, len(colours))
        colours = colours.copy()
        colours[rows] = mix(colours[rows] + _part_numbers(colours[rows], parts, numbers[rows])[parts])
        colours = refine(colours, graph)
        first = _first_of_parts(rows, parts, colours, numbers)
        colours[first] = mix(colours[first] + _CHOSEN)
        colours = refine(colours, graph)
    rows = np.flatnonzero(find_repeated(colours))
    colours[rows] = mix(colours[rows] + mix(numbers[rows].astype(np.uint64)))
    return colours


def _graph(networks: Sequence[Network], known: Sequence[Crossing], colours: Hashes) -> Iterator[Ends]:
    starts = np.cumsum([0, *map(len, networks)])
    for network, start in zip(networks, starts, strict=False):
        for follows in network.links.values():
            froms, tos = follows.followers + start, follows.followees + start
            linked = mix(colours[froms] + mix(colours[tos])) + _hash_weights(follows.weights)
            yield Ends(mix(linked).sum(dtype=np.uint64), froms, tos, follows.weights)
    for crossing in known:
        lefts, rights = crossing.pairs.lefts + starts[crossing.left], crossing.pairs.rights + starts[crossing.right]
        yield Ends(salt("known"), lefts, rights, None)


def _add_neighbours(sums: Hashes, colours: Hashes, tied: Flags, ends: Ends) -> None:
    """Adds to every tied user the colours of those it is linked to, by direction and weight."""
    for way, mine, others in (("to", ends.froms, ends.tos), ("from", ends.tos, ends.froms)):
        asked = np.flatnonzero(tied[mine])
        if not len(asked):
            continue
        values = colours[others[asked]] + salt(way) + ends.label
        if ends.weights is not None:
            values = values + _hash_weights(ends.weights[asked])
        np.add.at(sums, mine[asked], mix(values))


def _hash_weights(weights: Floats) -> Hashes:
    return mix(weights.astype(np.float32).view(np.uint32).astype(np.uint64))


def _number(networks: Sequence[Network], rows: Ints) -> Ints:
    """(n_users of all networks,): numbers for users who are the same, by id so that at least rows do not matter.

    In a network in canonical order, rows depend on content.
    """
    numbers = np.zeros(sum(map(len, networks)), np.int64)
    start = 0
    for network in networks:
        mine = rows[(rows >= start) & (rows < start + len(network))]
        if not isinstance(network, Canonical):
            mine = mine[network.users.gather(mine - start).arg_sort().to_numpy()]
        numbers[mine] = start + np.arange(len(mine))
        start += len(network)
    return numbers


def _parts(rows: Ints, graph: Sequence[Ends], n_users: int) -> Ints:
    """(n_rows,): which part of the graph each user is in when all others are taken out of it."""
    places = np.full(n_users, -1, np.int64)
    places[rows] = np.arange(len(rows))
    ends = [(places[e.froms], places[e.tos]) for e in graph]
    inside = [(froms[both], tos[both]) for froms, tos in ends for both in [(froms >= 0) & (tos >= 0)]]
    froms, tos = (np.concatenate([np.empty(0, np.int64), *(pair[side] for pair in inside)]) for side in (0, 1))
    size = (len(rows), len(rows))
    _, parts = connected_components(coo_array((np.ones(len(froms), np.int8), (froms, tos)), shape=size), directed=False)
    return np.asarray(parts)


def _part_numbers(colours: Hashes, parts: Ints, numbers: Ints) -> Hashes:
    """(n_parts,): 0, 1, … for equal parts, by the lowest number in each."""
    n_parts = int(parts.max()) + 1
    looks, lowest = np.zeros(n_parts, np.uint64), np.full(n_parts, np.iinfo(np.int64).max)
    np.add.at(looks, parts, mix(colours))
    np.minimum.at(lowest, parts, numbers)
    order = np.lexsort((lowest, looks))
    ranks = np.empty(n_parts, np.uint64)
    ranks[order] = np.arange(n_parts) - np.searchsorted(looks[order], looks[order])
    return ranks


def _first_of_parts(rows: Ints, parts: Ints, colours: Hashes, numbers: Ints) -> Ints:
    """Of each part the user with the lowest colour among those still alike, and of these the lowest number."""
    alike = find_repeated(colours)[rows]
    rows, parts = rows[alike], parts[alike]
    order = np.lexsort((numbers[rows], colours[rows], parts))
    _, first = np.unique(parts[order], return_index=True)
    return rows[order[first]]
