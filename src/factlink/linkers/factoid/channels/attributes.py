"""Channels of predicates other than names: texts, places, categories, dates, numbers and pictures."""

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from factlink.decision.channel_weights import rank_confident_pairs
from factlink.embedding.propagate import mean_row, without_mean
from factlink.encoders.categories import CategoryEncoder, DateEncoder, LocationEncoder, NumberEncoder
from factlink.encoders.ngrams.encoder import GramEncoder
from factlink.encoders.ngrams.owned_rows import sum_by_owner
from factlink.encoders.plugged import text_encoder
from factlink.encoders.texts import TextEncoder
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers, cut
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.channels.pictures import picture_channel, picture_rows
from factlink.protocols import Encoder
from factlink.types import Floats, Kind, Network, Pairs

_WORDS = {Kind.TEXT, Kind.LOCATION, Kind.CATEGORY}  # can be compared with texts
_TEXT_DIM, _PLACE_DIM = 256, 256  # numbers per user
_DATE_DIM = 384  # a third each for year, month and day


def attribute_channels(
    left: Network, right: Network, confident: Pairs, seed: int, workers: Workers = HERE, text_model: str = ""
) -> Iterator[Channel]:
    """Every comparable pair of predicates other than names, with its weight, which may be 0."""
    for left_predicate, mine in left.attributes.items():
        for right_predicate, theirs in right.attributes.items():
            if mine.kind is theirs.kind is Kind.IMAGE and len(mine.rows) and len(theirs.rows):
                pictures = picture_rows(mine, theirs, (len(left), len(right)))
                yield picture_channel((left_predicate, right_predicate), pictures, confident, seed)
            encoder = encoder_of(mine.kind, theirs.kind, seed, text_model)
            if encoder is None or not len(mine.rows) or not len(theirs.rows):
                continue
            encoder, vectors = learn(encoder, pl.concat([mine.objects, theirs.objects]), workers)
            owners = np.concatenate([mine.rows, theirs.rows + len(left)])
            rows = sum_by_owner(owners, vectors, len(left) + len(right), workers)
            del vectors
            mean = mean_row(rows, workers=workers)
            without_mean(rows, mean, workers)
            lefts, rights = rows[: len(left)], rows[len(left) :]
            ranking = rank_confident_pairs(lefts, rights, confident, seed)
            weighting = ChannelWeight(
                EvidenceSource.ATTRIBUTE, left_predicate, right_predicate, ranking.weight, ranking.reason
            )
            yield Channel(weighting, lefts, rights, encoder, mean)


def learn(encoder: Encoder, objects: pl.Series, workers: Workers = HERE) -> tuple[Encoder, Floats]:
    """The vectors of all objects, and what encodes further ones like them."""
    if isinstance(encoder, GramEncoder):
        return encoder.learn(objects, workers)
    return encoder, workers.stack(encode_part, cut(objects, len(objects), workers.parts), encoder)


def encode_part(objects: pl.Series, encoder: Encoder) -> Floats:
    """Some objects, by an encoder to which each is a world of its own."""
    return encoder.encode(objects)


def encoder_of(left: Kind, right: Kind, seed: int, text_model: str = "") -> Encoder | None:
    """What compares two kinds, texts by the model in a folder if one is named; None if they cannot be compared."""
    if left is right is Kind.TEXT and text_model:
        return text_encoder(text_model, centred=False)
    if Kind.TEXT in (left, right) and {left, right} <= _WORDS:
        return TextEncoder(dim=_TEXT_DIM, seed=seed)
    if left is not right:
        return None
    encoders: Mapping[Kind, Encoder] = {
        Kind.CATEGORY: CategoryEncoder(seed=seed),
        Kind.DATE: DateEncoder(dim=_DATE_DIM, seed=seed),
        Kind.NUMBER: NumberEncoder(seed=seed),
        Kind.LOCATION: LocationEncoder(dim=_PLACE_DIM, seed=seed),
    }
    return encoders.get(left)
