"""What spreading adds to a score: learned names, walks to anchors, and the predicates that link friends."""

import numpy as np
import polars as pl

from factlink.candidates.products import vector_products
from factlink.evidence import FRIENDS
from factlink.explanations.frames import Met, join_parts, part_frame, rest_of
from factlink.explanations.members import pair_blocks
from factlink.explanations.user_names import user_names
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.spreading.alignment import AlignedLinks
from factlink.linkers.factoid.spreading.relation_votes import meeting_relations
from factlink.linkers.factoid.spreading.relations import Relations
from factlink.types import Floats, Ints, Kind, Network, Pairs

LEARNED = "name, as learned"

_MOST_ANCHORS = 8  # listed one by one for each pair


def learned_name_parts(channel: Channel, networks: tuple[Network, Network], pairs: Pairs, scale: float) -> pl.DataFrame:
    """One part of each pair: the left name, and the right one that it was learned to look like."""
    weights = scale * _products(channel, pairs)
    met = Met(user_names(networks[0], pairs.lefts), user_names(networks[1], pairs.rights))
    return part_frame(np.arange(len(pairs)), weights, Kind.NAME, LEARNED, met)


def walk_parts(
    channel: Channel, networks: tuple[Network, Network], pairs: Pairs, anchors: Pairs, scale: float
) -> pl.DataFrame:
    """The anchors that walks from both users reach most, and the rest of them together."""
    listed = [_anchor_parts(channel, networks, pairs, anchors, some) for some in pair_blocks(len(pairs))]
    parts = join_parts(each.with_columns(weight=scale * each["weight"]) for each in listed)
    return join_parts([parts, rest_of(scale * _products(channel, pairs), parts, "walks to other pairs", FRIENDS)])


def _anchor_parts(
    channel: Channel, networks: tuple[Network, Network], pairs: Pairs, anchors: Pairs, some: Ints
) -> pl.DataFrame:
    """The anchors that weigh most for some of the pairs, walks of all lengths together."""
    hops = channel.left[pairs.lefts[some]] * channel.right[pairs.rights[some]]
    shared = np.asarray(hops.reshape(len(some), -1, len(anchors)).sum(axis=1))  # (n_pairs, n_anchors)
    n_listed = min(_MOST_ANCHORS, len(anchors))
    most = np.argsort(-shared, axis=1, kind="stable")[:, :n_listed]
    rows, columns = np.repeat(np.arange(len(some)), n_listed), most.ravel()
    met = Met(user_names(networks[0], anchors.lefts[columns]), user_names(networks[1], anchors.rights[columns]))
    return part_frame(some[rows], shared[rows, columns], FRIENDS, "walks to a pair", met)


def relation_notes(aligned: AlignedLinks, pairs: Pairs, friends: Pairs) -> pl.Series:
    """(n,): by which predicates each pair is linked to two friends; null where networks have one predicate each.

    Where several pairs of friends are met by the same two predicates, the first says how many.
    """
    left, right = aligned.left, aligned.right
    if len(left.predicates) == len(right.predicates) == 1:
        return pl.Series([None] * len(pairs), dtype=pl.String)
    ends = meeting_relations(left, right, aligned.alignment, pairs, friends)
    lefts, rights = (_described(side, found) for side, found in zip((left, right), ends, strict=True))
    both = pl.DataFrame({"one": pairs.lefts, "other": pairs.rights, "left": lefts, "right": rights})
    same, told = pl.format("by {}", "left"), pl.format("by {} / {}", "left", "right")
    both = both.with_columns(note=pl.when(pl.col("left") == pl.col("right")).then(same).otherwise(told))
    alike = ("one", "other", "note")
    first = (pl.int_range(pl.len()).over(alike) == 0) & (pl.len().over(alike) > 1) & pl.col("note").is_not_null()
    counted = pl.format("both are linked to {} pairs {}", pl.len().over(alike), "note")
    return both.select(note=pl.when(first).then(counted).otherwise("note"))["note"]


def _described(relations: Relations, found: Ints) -> pl.Series:
    words = pl.Series([relations.describe(relation) for relation in range(2 * len(relations.predicates))])
    return words.gather(pl.Series(found).cast(pl.Int64).replace(-1, None))


def _products(channel: Channel, pairs: Pairs) -> Floats:
    return vector_products(channel.left, channel.right, pairs.lefts, pairs.rights)
