"""Channels of evidence: rows of the left and the right users whose products are one part of the score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from scipy.sparse import csr_matrix, issparse

from factlink.candidates.pairs import CandidatePairs
from factlink.candidates.products import sparse_products_of, vector_products_of
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers, spans
from factlink.protocols import Encoder
from factlink.types import Floats, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Channel:
    """One part of the score: weight · product of a left and a right row."""

    weighting: ChannelWeight
    left: Floats | csr_matrix  # (n_left, dim)
    right: Floats | csr_matrix  # (n_right, dim)
    encoder: Encoder | None = None  # what gives further users of an attribute their vectors
    mean: Floats | None = None  # (dim,) what was taken out of every row
    least: float = -1.0  # a smaller product counts 0

    @property
    def key(self) -> str:
        """What tells the channel from all others of a run."""
        weighting = self.weighting
        if weighting.source is not EvidenceSource.ATTRIBUTE:
            return weighting.source.value
        return f"{weighting.source.value}: {weighting.left} · {weighting.right}"

    @property
    def weight(self) -> float:
        """How much the channel counts."""
        return self.weighting.weight

    def weighed(self, weight: float, reason: str) -> Self:
        """The same with another weight."""
        return replace(self, weighting=replace(self.weighting, weight=weight, reason=reason))

    def products(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between −1 and 1; 0 where one of the two has no value."""
        multiply = sparse_products_of if issparse(self.left) else vector_products_of
        parts = [
            (pairs.lefts[start:stop], pairs.rights[start:stop]) for start, stop in spans(len(pairs), workers.parts)
        ]
        products = workers.stack(multiply, parts, self.left, self.right)
        products[products < self.least] = 0
        return products


def mean_product(channels: Sequence[Channel], products: Iterable[Floats], n_pairs: int) -> Floats:
    """(n_pairs,): the mean of the channels' products, each by its weight."""
    mean = np.zeros(n_pairs, np.float32)
    for share, values in zip(channel_shares(channels), products, strict=True):
        mean += np.float32(share) * values
    return mean


def channel_shares(channels: Sequence[Channel]) -> list[float]:
    """What each channel counts in the evidence: weights that add up to 1."""
    total = sum(channel.weight for channel in channels)
    return [channel.weight / total for channel in channels]
