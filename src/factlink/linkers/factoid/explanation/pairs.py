"""The score of the default linker as a sum of log odds: names, words, friends, and competing candidates.

Each channel gives what its curve makes of how far the two agree, and that is split among the objects that met. A part
of 1 makes it e times likelier that the two are one person.
"""

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.ngrams.words import WordCosine
from factlink.evidence import RIVALS, EvidenceSource
from factlink.explanations.frames import SMALL, Met, both_predicates, join_parts, meet_objects, part_frame, rest_of
from factlink.explanations.members import Members, meet_members, pair_blocks
from factlink.explanations.user_names import user_names
from factlink.linkers.factoid.channels.channel import Channel, channel_shares
from factlink.linkers.factoid.explanation.asked import Asked, lengths_of, products_of
from factlink.linkers.factoid.explanation.links import hop_parts, vote_parts
from factlink.linkers.factoid.probability.ranking import Ranking
from factlink.linkers.factoid.spreading.explanation import learned_name_parts, walk_parts
from factlink.linkers.factoid.state.state import Origins
from factlink.linkers.factoid.through import ThroughChannel, explain_through
from factlink.linkers.factoid.written.declared import raise_evidence
from factlink.linkers.factoid.written.explanation import add_up_to, explain_declared, explain_handles, explain_versions
from factlink.linkers.factoid.written.handles import HandleChannel
from factlink.linkers.factoid.written.name_channel import NameChannel
from factlink.types import Attribute, Floats, Ints, Kind, Pairs


def explain_pairs(asked: Asked, channels: tuple[Channel, ...], origins: Origins, ranking: Ranking) -> pl.DataFrame:
    """Columns PARTS: all of the score of each pair."""
    pairs = Pairs(asked.lefts, asked.rights)
    agreements = [products_of(channel, asked) for channel in channels]
    shares = [share * values for share, values in zip(channel_shares(channels), agreements, strict=True)]
    split = [_channel_parts(channel, asked, origins, 1.0) for channel in channels]
    if origins.declared is not None:
        mean = np.sum(shares, axis=0)
        agreements.append(origins.declared.beliefs_in(pairs))
        shares.append(raise_evidence(mean, agreements[-1]) - mean)
        split.append(explain_declared(origins.declared, asked.networks, asked.pairs))
    taken = ranking.take_apart(pairs, agreements, shares)
    parts = [
        _in_log_odds(each, values, logs) for each, values, logs in zip(split, agreements, taken.channels, strict=True)
    ]
    rivals = _rivals(asked, ranking, taken.resemblance)
    return join_parts([*parts, _known_parts(asked, origins, ranking, join_parts([*parts, *rivals])), *rivals])


def _in_log_odds(parts: pl.DataFrame, agreements: Floats, log_odds: npt.NDArray[np.float64]) -> pl.DataFrame:
    """Parts that add up to each pair's agreement, so that they add up to these log odds."""
    factors = np.divide(log_odds, agreements, out=np.zeros(len(agreements)), where=np.abs(agreements) > SMALL)
    weights = parts["weight"].to_numpy() * factors[parts["pair"].to_numpy()]
    return parts.with_columns(weight=weights).filter(pl.col("weight").abs() > SMALL)


def _known_parts(asked: Asked, origins: Origins, ranking: Ranking, parts: pl.DataFrame) -> pl.DataFrame:
    """What it adds that a pair was given: all that its evidence leaves open."""
    known = gather_pairs(len(asked.left), len(asked.right), [(origins.known.lefts, origins.known.rights)])
    is_known = known.places(*asked.pairs) >= 0
    places = ranking.found.pairs.places(*asked.pairs)
    scores = ranking.scores[places] if len(ranking.scores) else np.zeros(len(places))
    return rest_of(np.where(is_known & (places >= 0), scores, np.nan), parts, "known pair")


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


def _rivals(asked: Asked, ranking: Ranking, resemblances: npt.NDArray[np.float64]) -> list[pl.DataFrame]:
    """What everybody else changed: few are one person, some right users resemble many, and one-to-one."""
    left, right = user_names(asked.left, asked.lefts), user_names(asked.right, asked.rights)
    mine, theirs = ranking.left_discounts(asked.lefts), ranking.right_discounts(*asked.pairs)
    return [
        part_frame(asked.places, ranking.priors(asked.lefts), RIVALS, "prior: no match"),
        part_frame(asked.places, resemblances, RIVALS, "resemblance to others", Met(right=right)),
        part_frame(asked.places, mine, RIVALS, "competing candidates", Met(left=left)),
        part_frame(asked.places, theirs, RIVALS, "competing candidates", Met(right=right)),
    ]


def _channel_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    """One channel of the evidence, as deep as it can be split."""
    weighting = channel.weighting
    if weighting.source is EvidenceSource.VOTES:
        return vote_parts(channel, asked, origins, scale)
    if weighting.source is EvidenceSource.NEIGHBOURS:
        return hop_parts(channel, asked, origins, scale)
    if weighting.source is EvidenceSource.ATTRIBUTE:
        attributes = asked.left.attributes[weighting.left], asked.right.attributes[weighting.right]
        return _attribute_parts(channel, asked, attributes, scale)
    return _name_like_parts(channel, asked, origins, scale)


def _name_like_parts(channel: Channel, asked: Asked, origins: Origins, scale: float) -> pl.DataFrame:
    """Channels that compare names in one way or another, and walks, which compare nothing else."""
    source, pairs = channel.weighting.source, Pairs(asked.lefts, asked.rights)
    if isinstance(channel, ThroughChannel):
        return explain_through(channel, pairs, scale)
    if source is EvidenceSource.LEARNED_NAMES:
        return learned_name_parts(channel, asked.networks, pairs, scale)
    if source is EvidenceSource.WALKS:
        return walk_parts(channel, asked.networks, pairs, origins.linked, scale)
    if isinstance(channel, HandleChannel):
        return explain_handles(channel, asked.networks, asked.pairs, scale * products_of(channel, asked))
    if isinstance(channel, NameChannel) and channel.versions and origins.names:
        written, shown = origins.names.written, origins.names.shown(asked.left, asked.right)
        parts, read, weights = explain_versions(channel.versions, (written, shown), asked.networks, asked.pairs, scale)
        return join_parts([parts, add_up_to(weights, _name_parts(asked, origins, scale), ~read)])
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
    lengths = lengths_of(members.sums(asked.lefts)) * lengths_of(members.sums(rights))
    shown = names.shown(asked.left, asked.right)
    predicates = pl.Series(names.predicates)
    predicate = both_predicates(*(predicates.gather(names.columns[side]) for side in (met.lefts, met.rights)))
    objects = Met(shown.gather(met.lefts), shown.gather(met.rights))
    return part_frame(met.pairs, scale * met.weights / lengths[met.pairs], Kind.NAME, predicate, objects)


def _attribute_parts(
    channel: Channel, asked: Asked, attributes: tuple[Attribute, Attribute], scale: float
) -> pl.DataFrame:
    """Shared words and the rest, or whole objects where they are not texts."""
    weights, space = scale * products_of(channel, asked), channel.encoder
    lefts, rights = said(attributes[0], asked.lefts), said(attributes[1], asked.rights)
    predicate = both_predicates(pl.Series([channel.weighting.left]), pl.Series([channel.weighting.right]))[0]
    kind = attributes[0].kind.value
    if not isinstance(space, GramSpace):
        return part_frame(asked.places, weights, kind, predicate, meet_objects(lefts, rights))
    cosine = WordCosine(space.grams, space.counts.weights(space.grams))
    words = join_parts(
        part_frame(some[met.pairs], scale * met.weights, kind, predicate, Met(met.lefts, met.rights))
        for some in pair_blocks(len(asked.lefts))
        for met in [cosine.split(lefts.gather(some), rights.gather(some))]
    )
    return join_parts([words, rest_of(weights, words, f"{predicate}, as a whole", kind)])


def said(attribute: Attribute, rows: Ints) -> pl.Series:
    """All objects of each user in one string, null for none."""
    asked = pl.DataFrame({"row": rows}).cast(pl.Int64)
    owned = pl.DataFrame({"row": attribute.rows, "object": attribute.objects}).cast({"row": pl.Int64})
    joined = owned.join(asked, on="row", how="semi", maintain_order="left").group_by("row", maintain_order=True)
    texts = joined.agg(pl.col("object").str.join("; "))
    return asked.join(texts, on="row", how="left", maintain_order="left")["object"]
