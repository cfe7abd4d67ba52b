"""The score of the default linker as a sum: names, words, friends, and competing candidates.

score = (evidence − no_match) / temperature + the scaling by competing candidates, and the evidence is a
weighted mean of channels, each a product of a left and a right row.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_matrix, diags, issparse

from factlink.candidates.pairs import gather_pairs
from factlink.decision.soft_assignment import CompetitionDiscount
from factlink.embedding.propagate import neighbour_rarity
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.ngrams.words import WordCosine
from factlink.evidence import FRIENDS, RIVALS, EvidenceSource
from factlink.explanations.frames import Met, both_predicates, join_parts, meet_objects, part_frame, rest_of
from factlink.explanations.members import Members, meet_members, pair_blocks, strongest_meetings
from factlink.explanations.user_names import best_names, user_names
from factlink.linkers.factoid.attributes import text_grams
from factlink.linkers.factoid.channels import Channel, channel_shares
from factlink.linkers.factoid.spreading.explanation import learned_name_parts, walk_parts
from factlink.linkers.factoid.state import Origins
from factlink.linkers.factoid.written.explanation import explain_declared, explain_versions
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.types import Attribute, Floats, Ints, Kind, Network, Pairs

MOST_FRIENDS = 8
"""Meetings of friends by name that are listed one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Pairs of rows of two networks."""

    left: Network
    right: Network
    lefts: Ints
    rights: Ints

    @property
    def networks(self) -> tuple[Network, Network]:
        """The two networks."""
        return self.left, self.right

    @property
    def pairs(self) -> tuple[Ints, Ints]:
        """Left and right rows."""
        return self.lefts, self.rights

    @property
    def places(self) -> Ints:
        """0 … n − 1."""
        return np.arange(len(self.lefts))


def explain_pairs(
    asked: Asked, channels: tuple[Channel, ...], origins: Origins, competition: CompetitionDiscount
) -> pl.DataFrame:
    """Columns PARTS: all of the score of each pair."""
    unit, shares = 1 / origins.assignment.temperature, channel_shares(channels)
    parts = join_parts(
        _channel_parts(c, asked, origins, unit * share) for c, share in zip(channels, shares, strict=True)
    )
    if origins.declared is not None:
        parts = join_parts([parts, explain_declared(origins.declared, asked.networks, asked.pairs, parts, unit)])
    known = gather_pairs(len(asked.left), len(asked.right), [(origins.known.lefts, origins.known.rights)])
    is_known = known.places(asked.lefts, asked.rights) >= 0
    known_parts = rest_of(np.where(is_known, unit, np.nan), parts, "known pair")
    return join_parts([parts, known_parts, *_rivals(asked, unit * origins.assignment.no_match, competition)])


def place_users(asked: Asked, channels: tuple[Channel, ...], origins: Origins) -> tuple[Floats, Floats]:
    """Vectors of the left and the right users: names beside all dense channels, each by the root of its weight."""
    names, n_left = origins.vectors, len(asked.left)
    dense = [channel for channel in channels if isinstance(channel.left, np.ndarray)]
    roots = [np.float32(np.sqrt(channel.weight)) for channel in dense]
    lefts = [names[asked.lefts], *(c.left[asked.lefts] * root for c, root in zip(dense, roots, strict=True))]
    rights = [
        names[n_left + asked.rights],
        *(c.right[asked.rights] * root for c, root in zip(dense, roots, strict=True)),
    ]
    return np.concatenate(lefts, axis=1), np.concatenate(rights, axis=1)


def _rivals(asked: Asked, no_match: float, competition: CompetitionDiscount) -> list[pl.DataFrame]:
    """What one-to-one changed: a probability is shared out among all candidates of a user and no match."""
    names = user_names(asked.left, asked.lefts), user_names(asked.right, asked.rights)
    discounts = competition.discounts(asked.lefts, asked.rights)
    return [
        part_frame(asked.places, np.full(len(asked.lefts), -no_match), RIVALS, "prior: no match"),
        part_frame(
            asked.places, competition.left_scaling[asked.lefts], RIVALS, "competing candidates", Met(left=names[0])
        ),
        part_frame(asked.places, discounts, RIVALS, "competing candidates", Met(right=names[1])),
    ]


def _channel_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    """One channel of the evidence, as deep as it can be split."""
    weighting = channel.weighting
    if weighting.source is EvidenceSource.VOTES:
        return _vote_parts(channel, asked, origins, scale)
    if weighting.source is EvidenceSource.NEIGHBOURS:
        return _hop_parts(channel, asked, origins, scale)
    if weighting.source is EvidenceSource.ATTRIBUTE:
        attributes = asked.left.attributes[weighting.left], asked.right.attributes[weighting.right]
        return _attribute_parts(channel, asked, attributes, scale)
    return _name_like_parts(channel, asked, origins, scale)


def _name_like_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    """Channels that compare names in one way or another, and walks, which compare nothing else."""
    source, pairs = channel.weighting.source, Pairs(asked.lefts, asked.rights)
    if source is EvidenceSource.LEARNED_NAMES:
        return learned_name_parts(channel, asked.networks, pairs, scale)
    if source is EvidenceSource.WALKS:
        return walk_parts(channel, asked.networks, pairs, origins.linked, scale)
    if source is EvidenceSource.HANDLES:
        names = (best_names(network, rows) for network, rows in zip(asked.networks, asked.pairs, strict=True))
        weights = scale * _products(channel, asked)
        return part_frame(asked.places, weights, Kind.NAME, "handle made from the name", Met(*names))
    if isinstance(channel, NameChannel) and channel.versions and origins.names:
        written, shown = origins.names.written, origins.names.shown(asked.left, asked.right)
        parts, read = explain_versions(channel.versions, (written, shown), asked.networks, asked.pairs, scale)
        as_written = _name_parts(asked, origins, scale)
        return join_parts([parts, as_written.filter(~read[as_written["pair"].to_numpy()])])
    return _name_parts(asked, origins, scale)


def _name_parts(asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    names = origins.names
    if names is None:
        return join_parts([])
    weights = names.row_weights(origins.name_weights)
    entries = weights, (names.owned.owners, np.arange(len(weights)))
    holders = csr_matrix(entries, shape=(sum(names.sizes), len(weights)), dtype=np.float32)
    holders.eliminate_zeros()
    members, rights = Members(holders, names.owned.rows), asked.rights + names.sizes[0]
    met = meet_members(members, members, asked.lefts, rights)
    lengths = _lengths(members.sums(asked.lefts)) * _lengths(members.sums(rights))
    shown = names.shown(asked.left, asked.right)
    predicates = pl.Series(names.predicates)
    predicate = both_predicates(*(predicates.gather(names.columns[side]) for side in (met.lefts, met.rights)))
    objects = Met(shown.gather(met.lefts), shown.gather(met.rights))
    return part_frame(met.pairs, scale * met.weights / lengths[met.pairs], Kind.NAME, predicate, objects)


def _attribute_parts(
    channel: Channel, asked: Asked, attributes: tuple[Attribute, Attribute], scale: float
) -> pl.DataFrame:
    """Shared words and the rest, or whole objects where they are not texts."""
    weights, by_words = scale * _products(channel, asked), isinstance(channel.encoder, GramSpace)
    grams = text_grams(attributes[0].kind, attributes[1].kind) if by_words else None
    lefts, rights = _said(attributes[0], asked.lefts), _said(attributes[1], asked.rights)
    predicate = both_predicates(pl.Series([channel.weighting.left]), pl.Series([channel.weighting.right]))[0]
    kind = attributes[0].kind.value
    if grams is None:
        return part_frame(asked.places, weights, kind, predicate, meet_objects(lefts, rights))
    cosine = WordCosine.learned_from(pl.concat([a.objects for a in attributes]), grams)
    words = join_parts(
        part_frame(some[met.pairs], scale * met.weights, kind, predicate, Met(met.lefts, met.rights))
        for some in pair_blocks(len(asked.lefts))
        for met in [cosine.split(lefts.gather(some), rights.gather(some))]
    )
    return join_parts([words, rest_of(weights, words, f"{predicate}, as a whole", kind)])


def _hop_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    """Neighbours of the two with like names; the rest is other neighbours and what all neighbourhoods share."""
    if origins.hood is None:
        return join_parts([])
    graphs, n_left = (origins.hood.left, origins.hood.right), len(asked.left)
    vectors = origins.vectors[:n_left], origins.vectors[n_left:]
    left, right = (Members(_rare(graph), names) for graph, names in zip(graphs, vectors, strict=True))
    met = strongest_meetings(meet_members(left, right, asked.lefts, asked.rights), MOST_FRIENDS)
    lengths = _lengths(left.sums(asked.lefts)) * _lengths(right.sums(asked.rights))
    weights = scale * met.weights / lengths[met.pairs]
    friends = part_frame(met.pairs, weights, FRIENDS, "friends' names", _friends(asked, graphs, met.lefts, met.rights))
    return join_parts(
        [friends, rest_of(scale * _products(channel, asked), friends, "friends' names, the rest", FRIENDS)]
    )


def _vote_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
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


def _products(channel: Channel, asked: Asked) -> Floats:
    wanted = gather_pairs(len(asked.left), len(asked.right), [(asked.lefts, asked.rights)])
    return channel.products(wanted)[wanted.places(asked.lefts, asked.rights)]


def _said(attribute: Attribute, rows: Ints) -> pl.Series:
    """All objects of each user in one string, null for none."""
    asked = pl.DataFrame({"row": rows}).cast(pl.Int64)
    owned = pl.DataFrame({"row": attribute.rows, "object": attribute.objects}).cast({"row": pl.Int64})
    joined = owned.join(asked, on="row", how="semi", maintain_order="left").group_by("row", maintain_order=True)
    texts = joined.agg(pl.col("object").str.join("; "))
    return asked.join(texts, on="row", how="left", maintain_order="left")["object"]


def _lengths(rows: Any) -> npt.NDArray[np.float64]:
    """(n,) of each row, dense or sparse; 1 for a zero row, which has no parts."""
    squares = rows.power(2).sum(axis=1) if issparse(rows) else (rows * rows).sum(axis=1)
    lengths = np.sqrt(np.asarray(squares, np.float64).ravel())
    return np.where(lengths > 0, lengths, 1)
