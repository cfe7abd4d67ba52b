"""What a finished run of `factoid` keeps, so that further users find their place without training."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.matching import Doubles
from factlink.decision.pair_model import PairModel
from factlink.decision.soft_assignment import Assignment, SoftAssignment
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.written import ReadingRules
from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.channels.neighbourhood import Neighbourhood
from factlink.linkers.factoid.learned.learned_names import LearnedNames
from factlink.linkers.factoid.learned.raw_grams import RawGrams
from factlink.linkers.factoid.written.copied import CopyChannel
from factlink.linkers.factoid.written.declared import DeclaredLinks
from factlink.linkers.factoid.written.handles import HandleChannel, HandleState
from factlink.linkers.factoid.written.names import Names
from factlink.protocols import Encoder
from factlink.types import NO_PAIRS, Floats, Halves, Pairs

FriendNotes = Callable[[Pairs, Pairs], pl.Series]
"""By which link predicates pairs of users are linked to pairs of friends, in words."""


@dataclass(frozen=True, slots=True, eq=False)
class Origins:
    """What the channels were made from."""

    names: Names | None
    name_weights: Floats  # (n_name_predicates,)
    vectors: Floats  # (n_left + n_right, dim) of the names of all users
    hood: Neighbourhood | None
    linked: Pairs = NO_PAIRS  # the pairs that voted
    known: Pairs = NO_PAIRS
    assignment: SoftAssignment = field(default_factory=SoftAssignment)
    friend_notes: FriendNotes | None = None  # where confident pairs spread over links
    declared: DeclaredLinks | None = None
    learned: LearnedNames | None = None  # where confident pairs taught what right names look like


@dataclass(frozen=True, slots=True, eq=False)
class NameState:
    """The space of names, what each name predicate counts, and where everybody is."""

    weight: float  # of names beside everything else
    space: GramSpace
    weights: tuple[Mapping[str, float], Mapping[str, float]]  # by side: of its predicates
    vectors: tuple[Sequence[Halves], Sequence[Halves]]  # by side: unit rows, (n, dim) arrays one after another
    rules: ReadingRules = field(default_factory=ReadingRules)  # how names are read


@dataclass(frozen=True, slots=True, eq=False)
class LearnedNameState:
    """What right names look like, as learned from letters of left names."""

    weight: float
    grams: RawGrams
    lesson: Halves  # (n_runs, dim)
    expected: Sequence[Halves]  # the right name that each left user should have, (n, dim) arrays one after another


@dataclass(frozen=True, slots=True, eq=False)
class AttributeState:
    """How two predicates are compared, and what that counts."""

    predicates: tuple[str, str]
    weight: float
    encoder: Encoder
    mean: Floats  # (dim,)


@dataclass(frozen=True, slots=True, eq=False)
class Voters:
    """The linked pairs that vote for their neighbours, and their strengths."""

    linked: Pairs
    strengths: Floats  # (n_linked,)


@dataclass(frozen=True, slots=True, eq=False)
class LinkState:
    """Who is whose neighbour, and what neighbours' names and votes count."""

    neighbours: tuple[csr_matrix, csr_matrix]  # by side
    weights: tuple[Mapping[str, float], Mapping[str, float]]  # by side: of its link predicates
    hop_weight: float
    hop_mean: Floats  # (dim,)
    vote_weight: float
    voters: Voters


@dataclass(frozen=True, slots=True, eq=False)
class ProbabilityState:
    """The pair model, its calibration, and what it takes to compete with everybody."""

    model: PairModel
    keys: tuple[str, ...]  # of the channels that its curves are of
    calibration: DecoyCalibration
    free: tuple[float, float]  # by side: the share of users without a partner
    totals: tuple[Doubles, Doubles]  # by side: what each user's candidates weigh together
    levels: tuple[Floats, Floats]  # by side: the mean evidence of each user's best pairs


@dataclass(frozen=True, slots=True, eq=False)
class PartnerState:
    """What a pair of networks says to others about its users, and what others' words count in it."""

    weight: float  # of the channel through other networks; 0 without
    first: ProbabilityState  # before anything was heard; totals are of a user's own candidates alone
    partners: tuple[csr_matrix, csr_matrix]  # by side: how likely users of the other side are a user's partner


@dataclass(frozen=True, slots=True, eq=False)
class FactoidState:
    """All of it; what counts nothing is not there."""

    names: NameState | None
    attributes: tuple[AttributeState, ...]
    links: LinkState | None
    assignment: Assignment  # its probabilities are not kept
    probability: ProbabilityState | None = None  # none in runs of earlier versions
    handles: HandleState | None = None
    trust: Mapping[str, float] | None = None  # in declared links, by way; none where nobody declares any
    partners: PartnerState | None = None  # in runs of three networks or more
    learned: LearnedNameState | None = None


def keep_state(
    channels: Sequence[Channel],
    origins: Origins,
    voters: Voters,
    assignment: Assignment,
    probability: ProbabilityState | None = None,
    partners: PartnerState | None = None,
) -> FactoidState:
    """What a fit found out."""
    attributes = tuple(
        AttributeState((c.weighting.left, c.weighting.right), c.weight, c.encoder, c.mean)
        for c in channels
        if c.encoder is not None and c.mean is not None
    )
    links = _linked(channels, origins, voters)
    return FactoidState(
        _named(channels, origins),
        attributes,
        links,
        assignment,
        probability,
        _handled(channels),
        origins.declared.trust if origins.declared else None,
        partners,
        _learned(channels, origins),
    )


def _handled(channels: Sequence[Channel]) -> HandleState | None:
    for channel in channels:
        if isinstance(channel, HandleChannel) and channel.gains is not None and channel.weight > 0:
            return HandleState(channel.weight, channel.names_left, channel.gains)
        if isinstance(channel, CopyChannel) and channel.weight > 0:
            return HandleState(channel.weight, True, np.empty(0, np.float32))
    return None


def _learned(channels: Sequence[Channel], origins: Origins) -> LearnedNameState | None:
    learned = origins.learned
    weights = [c.weight for c in channels if c.weighting.source is EvidenceSource.LEARNED_NAMES]
    if learned is None or not weights:
        return None
    lesson, expected = (values.astype(np.float16) for values in (learned.lesson, learned.expected))
    return LearnedNameState(weights[0], learned.grams, lesson, [expected])


def _named(channels: Sequence[Channel], origins: Origins) -> NameState | None:
    names = origins.names
    if names is None:
        return None
    n_left, first = names.sizes[0], names.n_left_predicates
    parts = list(zip(names.predicates, origins.name_weights.tolist(), strict=True))
    left, right = ([rows.astype(np.float16)] for rows in (origins.vectors[:n_left], origins.vectors[n_left:]))
    weights = dict(parts[:first]), dict(parts[first:])
    return NameState(channels[0].weight, names.space, weights, (left, right), names.rules)


def _linked(channels: Sequence[Channel], origins: Origins, voters: Voters) -> LinkState | None:
    hood = origins.hood
    if hood is None:
        return None
    found = {channel.weighting.source: channel for channel in channels}
    hop, votes = found.get(EvidenceSource.NEIGHBOURS), found.get(EvidenceSource.VOTES)
    return LinkState(
        (hood.left, hood.right),
        hood.weights,
        hop.weight if hop else 0.0,
        hop.mean if hop and hop.mean is not None else np.zeros(origins.vectors.shape[1], np.float32),
        votes.weight if votes else 0.0,
        voters,
    )
