"""What friends say of pairs: those with like names, and those who are linked to each other."""

from dataclasses import replace

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, diags

from factlink.embedding.propagate import neighbour_rarity
from factlink.evidence import FRIENDS
from factlink.explanations.frames import Met, join_parts, part_frame, rest_of
from factlink.explanations.members import Members, meet_members, strongest_meetings
from factlink.explanations.user_names import user_names
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.explanation.asked import Asked, lengths_of, products_of
from factlink.linkers.factoid.state.state import Origins
from factlink.types import Ints, Pairs

MOST_FRIENDS = 8
"""Meetings of friends by name that are listed one by one."""


def hop_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    """Neighbours of the two with like names; the rest is other neighbours and what all neighbourhoods share."""
    if origins.hood is None:
        return join_parts([])
    graphs, n_left = (origins.hood.left, origins.hood.right), len(asked.left)
    vectors = origins.vectors[:n_left], origins.vectors[n_left:]
    left, right = (Members(_rare(graph), names) for graph, names in zip(graphs, vectors, strict=True))
    met = strongest_meetings(meet_members(left, right, asked.lefts, asked.rights), MOST_FRIENDS)
    lengths = lengths_of(left.sums(asked.lefts)) * lengths_of(right.sums(asked.rights))
    weights = scale * met.weights / lengths[met.pairs]
    friends = part_frame(met.pairs, weights, FRIENDS, "friends' names", _friends(asked, graphs, met.lefts, met.rights))
    return join_parts(
        [friends, rest_of(scale * products_of(channel, asked), friends, "friends' names, the rest", FRIENDS)]
    )


def vote_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    """Neighbours of the two that are linked to each other."""
    if origins.hood is None:
        return join_parts([])
    both = csr_matrix(channel.left[asked.lefts]).multiply(csr_matrix(channel.right[asked.rights])).tocoo()
    friends = origins.linked.lefts[both.col], origins.linked.rights[both.col]
    met = _friends(asked, (origins.hood.left, origins.hood.right), *friends)
    if origins.friend_notes is not None:
        pairs = Pairs(asked.lefts[both.row], asked.rights[both.row])
        notes = origins.friend_notes(pairs, Pairs(*friends))
        met = replace(
            met, note=pl.select(pl.concat_str(notes, met.note, separator="; ", ignore_nulls=True)).to_series()
        )
    return part_frame(both.row.astype(np.int64), scale * both.data, FRIENDS, "linked friends", met)


def _friends(asked: Asked, graphs: tuple[csr_matrix, csr_matrix], lefts: Ints, rights: Ints) -> Met:
    """Friends by name, and what makes them rare: how many neighbours they have."""
    degrees = {
        side: np.diff(graph.indptr)[rows]
        for side, graph, rows in zip(("left", "right"), graphs, (lefts, rights), strict=True)
    }
    note = pl.DataFrame(degrees).select(note=pl.format("{} and {} neighbours", "left", "right"))["note"]
    return Met(user_names(asked.left, lefts), user_names(asked.right, rights), note)


def _rare(graph: csr_matrix) -> csr_matrix:
    """Neighbours weighed as `propagate` weighs them."""
    return (graph @ diags(neighbour_rarity(graph))).tocsr().astype(np.float32)
