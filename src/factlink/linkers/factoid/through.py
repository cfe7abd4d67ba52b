"""A channel of evidence through other networks: what a third network says about two accounts.

Account b of B and account c of C agree as far as both are likely to be the same account a of A. Only pairs with A take
part, so no pair vouches for itself. Partners are likely by each account's own candidates: the second account of
somebody finds its partner too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, hstack

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.decision.channel_weights import rank_confident_pairs
from factlink.decision.matching import match
from factlink.evidence import REST, ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers
from factlink.explanations.frames import Met, join_parts, part_frame, rest_of
from factlink.explanations.user_names import user_names
from factlink.linkers.factoid.channels import Channel
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.types import Floats, Ints, Network, Pairs

FAINT = 0.05
"""Pairs less likely than this say nothing about third accounts."""

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


def likely_partners(found: Probabilities, side: int) -> csr_matrix:
    """(n_users, n_others): how likely each other user is the partner of a user of one side, without what is faint.

    Only a user's own candidates compete: several users may have one partner.
    """
    pairs, odds, free = found.pairs, found.log_odds, found.free
    if side == 1:
        turned = gather_pairs(pairs.n_right, pairs.n_left, [(pairs.rights, pairs.lefts)])
        odds, free = np.empty_like(found.log_odds), found.free[::-1]
        odds[turned.places(pairs.rights, pairs.lefts)] = found.log_odds
        pairs = turned
    dustbins = np.full(pairs.n_left, free[0]), np.full(pairs.n_right, free[1])
    probabilities = found.calibration.probabilities(match(pairs, odds, dustbins, one_to_one=False).log_odds)
    likely = probabilities >= FAINT
    entries = probabilities[likely], (pairs.lefts[likely], pairs.rights[likely])
    return csr_matrix(entries, shape=(pairs.n_left, pairs.n_right), dtype=np.float32)


def through_channel(others: Sequence[Elsewhere], confident: Pairs, seed: int) -> ThroughChannel:
    """The channel of all other networks, weighed by how well it ranks confident pairs."""
    left, right = (hstack(parts, "csr") for parts in ([o.left for o in others], [o.right for o in others]))
    ranking = rank_confident_pairs(left, right, confident, seed)
    called = " + ".join(other.network.name for other in others)
    weighting = ChannelWeight(EvidenceSource.THROUGH, called, called, SHARE * ranking.weight, ranking.reason)
    return ThroughChannel(weighting, left, right, accounts=tuple(other.network for other in others))


def propose_through(others: Sequence[Elsewhere]) -> tuple[Ints, Ints]:
    """Pairs of accounts that have a likely partner in common elsewhere."""
    met = [(other.left @ other.right.T).tocoo() for other in others]
    kept = [each.data >= FAINT for each in met]
    rows = np.concatenate([each.row[some] for each, some in zip(met, kept, strict=True)])
    return rows, np.concatenate([each.col[some] for each, some in zip(met, kept, strict=True)])


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
