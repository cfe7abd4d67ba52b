"""Channels of the predicates of one network other than names: every user against every other."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from factlink.embedding.propagate import mean_row, without_mean
from factlink.encoders.ngrams.owned_rows import sum_by_owner
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.channels.attributes import encoder_of, learn
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.channels.pictures import SAME_PICTURE, picture_rows
from factlink.types import Attribute, Kind, Network

REASON = "its curve is learned from users and decoys"


def own_channels(network: Network, seed: int, workers: Workers = HERE, text_model: str = "") -> Iterator[Channel]:
    """One channel for each predicate that can be compared with itself."""
    for predicate, attribute in network.attributes.items():
        if not len(attribute.rows):
            continue
        weighting = ChannelWeight(EvidenceSource.ATTRIBUTE, predicate, predicate, 1.0, REASON)
        if attribute.kind is Kind.IMAGE:
            rows, _ = picture_rows(attribute, _none_of(attribute), (len(network), 0))
            yield Channel(weighting, rows, rows, least=SAME_PICTURE)
        encoder = encoder_of(attribute.kind, attribute.kind, seed, text_model)
        if encoder is None:
            continue
        encoder, vectors = learn(encoder, attribute.objects, workers)
        rows = sum_by_owner(attribute.rows, vectors, len(network), workers)
        mean = mean_row(rows, workers=workers)
        without_mean(rows, mean, workers)
        yield Channel(weighting, rows, rows, encoder, mean)


def _none_of(attribute: Attribute) -> Attribute:
    return replace(attribute, rows=np.empty(0, attribute.rows.dtype), objects=attribute.objects.head(0))
