"""A channel of evidence through other networks: what a third network says about two accounts.

Account b of B and account c of C agree as far as both are likely to be the same account a of A (`partners.py`). Only
pairs with A take part.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, hstack

from factlink.candidates.pairs import CandidatePairs
from factlink.decision.channel_weights import rank_confident_pairs
from factlink.evidence import REST, ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers
from factlink.explanations.frames import Met, join_parts, part_frame, rest_of
from factlink.explanations.user_names import user_names
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.partners import common_partners
from factlink.types import Floats, Ints, Network, Pairs

SHARE = 0.5
"""What other networks count beside their rank on confident pairs: most of it is names again, seen from elsewhere."""


@dataclass(frozen=True, slots=True, eq=False)
class ThroughChannel(Channel):
    """Products are how likely two accounts have one partner elsewhere, whatever the number of other networks."""

    accounts: tuple[Network, ...] = ()  # whose users are the columns, one network after the other

    def products(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between 0 and 1."""
        return np.minimum(super(ThroughChannel, self).products(pairs, workers), np.float32(1))


@dataclass(frozen=True, slots=True, eq=False)
class Elsewhere:
    """Another network, and the likely partners there of left and right users."""

    network: Network
    left: csr_matrix  # (n_left, n_elsewhere)
    right: csr_matrix  # (n_right, n_elsewhere)


def through_channel(others: Sequence[Elsewhere], confident: Pairs, seed: int) -> ThroughChannel:
    """The channel of all other networks, weighed by how well it ranks confident pairs."""
    left, right = (hstack(parts, "csr") for parts in ([o.left for o in others], [o.right for o in others]))
    ranking = rank_confident_pairs(left, right, confident, seed)
    called = " + ".join(other.network.name for other in others)
    weighting = ChannelWeight(EvidenceSource.THROUGH, called, called, SHARE * ranking.weight, ranking.reason)
    return ThroughChannel(weighting, left, right, accounts=tuple(other.network for other in others))


def propose_through(others: Sequence[Elsewhere]) -> tuple[Ints, Ints]:
    """Pairs of accounts that have a likely partner in common elsewhere."""
    return common_partners([other.left for other in others], [other.right for other in others])


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What other networks say about new users and all users of the other side, with what it counts."""

    weight: float
    new: Sequence[csr_matrix]  # by other network: (n_new, n_elsewhere)
    others: Sequence[csr_matrix]  # by other network: (n_others, n_elsewhere)

    def propose(self) -> tuple[Ints, Ints]:
        """Pairs with a likely partner in common; none where that counts nothing."""
        nobody = np.empty(0, np.int64)
        return common_partners(self.new, self.others) if self.weight > 0 else (nobody, nobody)

    def channel(self, rows: Ints) -> ThroughChannel:
        """The evidence for new users with some rows of the other side."""
        weighting = ChannelWeight(EvidenceSource.THROUGH, "", "", self.weight, "")
        return ThroughChannel(weighting, hstack(self.new, "csr"), hstack(self.others, "csr")[rows])


def explain_through(channel: ThroughChannel, pairs: Pairs, scale: float) -> pl.DataFrame:
    """The accounts elsewhere that both are likely to be."""
    both = csr_matrix(channel.left[pairs.lefts]).multiply(csr_matrix(channel.right[pairs.rights])).tocoo()
    starts = np.cumsum([0, *map(len, channel.accounts)])
    parts = [_met(both, network, start, scale) for network, start in zip(channel.accounts, starts[:-1], strict=True)]
    weights = scale * channel.products(pairs)
    found = join_parts(parts)
    return join_parts([found, rest_of(weights, found, "other networks, together", REST)])


def _met(both: csr_matrix, network: Network, start: int, scale: float) -> pl.DataFrame:
    here = (both.col >= start) & (both.col < start + len(network))
    shown = user_names(network, both.col[here] - start)
    return part_frame(
        both.row[here].astype(np.int64), scale * both.data[here], REST, f"account in {network.name}", Met(shown, shown)
    )
