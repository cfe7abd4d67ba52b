"""What a finished run of `factoid` keeps, so that further users find their place without training."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.matching import Doubles
from factlink.decision.pair_model import PairModel
from factlink.decision.soft_assignment import Assignment, SoftAssignment
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.written import ReadingRules
from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.channels import Channel
from factlink.linkers.factoid.names import Names
from factlink.linkers.factoid.neighbourhood import Neighbourhood
from factlink.linkers.factoid.written.declared import DeclaredLinks
from factlink.linkers.factoid.written.handles import HandleChannel, HandleState
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


@dataclass(frozen=True, slots=True, eq=False)
class NameState:
    """The space of names, what each name predicate counts, and where everybody is."""

    weight: float  # of names beside everything else
    space: GramSpace
    weights: tuple[Mapping[str, float], Mapping[str, float]]  # by side: of its predicates
    vectors: tuple[Sequence[Halves], Sequence[Halves]]  # by side: unit rows, (n, dim) arrays one after another
    rules: ReadingRules = field(default_factory=ReadingRules)  # how names are read


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
    handles, trust = _handled(channels), origins.declared.trust if origins.declared else None
    return FactoidState(_named(channels, origins), attributes, links, assignment, probability, handles, trust, partners)


def _handled(channels: Sequence[Channel]) -> HandleState | None:
    for channel in channels:
        if isinstance(channel, HandleChannel) and channel.gains is not None and channel.weight > 0:
            return HandleState(channel.weight, channel.names_left, channel.gains)
    return None


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


def state_as_given(state: FactoidState, orders: Orders) -> FactoidState:
    """The same memory with all users in the rows as given."""
    return replace(
        state,
        names=state.names and _names_as_given(state.names, orders),
        links=state.links and _links_as_given(state.links, orders),
        assignment=_assignment_as_given(state.assignment, orders),
        probability=state.probability and _probability_as_given(state.probability, orders),
        partners=state.partners and _partners_as_given(state.partners, orders),
    )


def _names_as_given(names: NameState, orders: Orders) -> NameState:
    left, right = (
        [np.concatenate(vectors)[order.places]]
        for vectors, order in zip(names.vectors, (orders.left, orders.right), strict=True)
    )
    return replace(names, vectors=(left, right))


def _links_as_given(links: LinkState, orders: Orders) -> LinkState:
    linked = links.voters.linked
    pairs = Pairs(orders.left.rows[linked.lefts], orders.right.rows[linked.rights])
    left, right = links.neighbours
    neighbours = _matrix_as_given(left, orders.left, orders.left), _matrix_as_given(right, orders.right, orders.right)
    return replace(links, neighbours=neighbours, voters=Voters(pairs, links.voters.strengths))


def _partners_as_given(partners: PartnerState, orders: Orders) -> PartnerState:
    left, right = partners.partners
    moved = _matrix_as_given(left, orders.left, orders.right), _matrix_as_given(right, orders.right, orders.left)
    return replace(partners, first=_probability_as_given(partners.first, orders), partners=moved)


def _matrix_as_given(matrix: csr_matrix, order: RowOrder, columns: RowOrder) -> csr_matrix:
    rows = matrix[order.places]
    moved = csr_matrix((rows.data, columns.rows[rows.indices], rows.indptr), shape=matrix.shape)
    moved.sort_indices()
    return moved


def _assignment_as_given(assignment: Assignment, orders: Orders) -> Assignment:
    lefts, rights = assignment.left_scaling[orders.left.places], assignment.right_scaling[orders.right.places]
    return replace(assignment, left_scaling=lefts, right_scaling=rights)


def _probability_as_given(probability: ProbabilityState, orders: Orders) -> ProbabilityState:
    left, right = orders.left.places, orders.right.places
    (left_totals, right_totals), (left_levels, right_levels) = probability.totals, probability.levels
    totals, levels = (left_totals[left], right_totals[right]), (left_levels[left], right_levels[right])
    return replace(probability, totals=totals, levels=levels)
