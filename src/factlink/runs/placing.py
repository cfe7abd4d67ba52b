"""Accounts placed in the finished space of a run: their candidates, how likely each is, and what is decided."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from factlink.data.additions import read_rows
from factlink.data.pairs import read_known
from factlink.decision.incremental import (
    Arrival,
    IncrementalAssignment,
    Standing,
    assign_incrementally,
    decide_arrival,
)
from factlink.decision.platt import PlattScaling
from factlink.errors import RunError
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.adding.incremental import Placement, Search, index_voters, search_all
from factlink.linkers.factoid.adding.joining import Weighed
from factlink.linkers.factoid.adding.new_users import Near, NewUsers
from factlink.linkers.factoid.channels.channel import Channel, channel_shares
from factlink.linkers.factoid.channels.votes import VoterIndex
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.state.state import FactoidState
from factlink.linkers.factoid.state.stored import SIDES
from factlink.linkers.factoid.through import Heard
from factlink.linkers.factoid.written.arriving import NOTHING, Settled, settle
from factlink.linkers.factoid.written.prepared import Prepared
from factlink.linkers.settings import agree_one_to_one, remake_linker
from factlink.runs.arrivals import standing_of
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import KNOWN, Run
from factlink.types import NO_PAIRS, Floats, Ints, Links, Network, Verdict

NOBODY = Network("", pl.Series("id", [], dtype=pl.String), {}, {})

ReadUsers = Callable[[int, Ints], Network]
"""The users of a side (0 left, 1 right) in some rows, without links."""


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A finished run, ready to place accounts: nothing in it changes when one is placed."""

    linker: FactoidLinker
    state: FactoidState
    voters: VoterIndex | None
    barred: tuple[Ints, Ints]  # by side: rows that are candidates for nobody, rising
    standings: tuple[Standing, Standing]  # by side
    platt: PlattScaling
    read_users: ReadUsers
    search: Search = search_all
    settled: Settled = NOTHING
    prepared: tuple[Prepared, Prepared] | None = None  # by side


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """New users among their candidates; everything about the other side is given for those candidates alone."""

    placement: Placement
    near: Near
    weighed: Weighed
    parts: tuple[tuple[ChannelWeight, Floats], ...]  # (n_pairs,) each: they add up to the evidence
    others: Network  # the users of `near`
    assigned: IncrementalAssignment
    probabilities: Floats  # (n_pairs,) after Platt scaling
    arrival: Arrival
    scaling: Floats  # (n_others,) of the whole other side before

    def assigned_among(self, others: Network) -> IncrementalAssignment:
        """The assignment in rows of the whole other side."""
        rows, scaling = self.near.rows, np.array(self.scaling, np.float32)
        scaling[rows] = self.assigned.old_scaling
        pairs, shifts = self.near.widened(len(others)), scaling - self.scaling
        return replace(self.assigned, pairs=pairs, old_scaling=scaling, shifts=shifts)

    def weighed_among(self, others: Network) -> Weighed:
        """The evidence in rows of the whole other side."""
        return replace(self.weighed, pairs=self.near.widened(len(others)))

    def arrival_among(self) -> Arrival:
        """What was decided, in rows of the whole other side."""
        links, rows = self.arrival.links, self.near.rows
        whole: Links = replace(links, rights=_wide(rows, links.rights), runners_up=_wide(rows, links.runners_up))
        return replace(self.arrival, links=whole, doubted=_wide(rows, self.arrival.doubted))


def space_of(run: Run, state: FactoidState, read_users: ReadUsers | None = None) -> Space:
    """The space of a loaded run; `read_users` reads its users, from its folder unless another way is given."""
    names = run.left.name, run.right.name

    def read_stored(side: int, rows: Ints) -> Network:
        return read_rows(run.path / SIDES[side], rows, names[side])

    read, standings = read_users or read_stored, (standing_of(run, 0), standing_of(run, 1))
    return Space(
        linker_of(run),
        state,
        index_voters(state.links) if state.links else None,
        (_barred(run, 0), _barred(run, 1)),
        standings,
        PlattScaling(**run.manifest.notes.get("platt_scaling", {})),
        read,
        settled=_settled(run, state, read, standings),
    )


def _settled(run: Run, state: FactoidState, read: ReadUsers, standings: tuple[Standing, Standing]) -> Settled:
    """What users of a run call themselves and declare; nothing, and nobody read, where the run makes no use of it."""
    if state.handles is None and state.trust is None:
        return NOTHING
    networks = read(0, np.arange(len(run.left))), read(1, np.arange(len(run.right)))
    return settle(state.handles, state.trust, networks, (standings[0].linked, standings[1].linked))


def linker_of(run: Run) -> FactoidLinker:
    """The linker that made a run, if it keeps a space."""
    linker = remake_linker(run.manifest.linker, run.manifest.settings)
    linker, _ = agree_one_to_one(linker, wanted=run.manifest.notes["decision_rule"]["one_to_one"])
    if not isinstance(linker, FactoidLinker):
        raise RunError(
            f"run {run.path} was made by linker '{linker.name}', which keeps no space to add accounts to; "
            f"add needs a run of --linker {FactoidLinker.name}"
        )
    return linker


def place(space: Space, new_users: NewUsers, heard: Heard | None = None) -> Placed:
    """The candidates of new users on the other side, how likely each is, and the decisions."""
    mine, other = new_users.side, 1 - new_users.side
    placement = Placement(space.state, new_users, space.voters, space.settled)
    near = placement.search(space.linker.k, space.barred[other], space.search)
    near = near.joined(heard.propose(), space.barred[other]) if heard else near
    others = space.read_users(other, near.rows) if len(near.rows) else NOBODY
    channels = placement.channels(near, others, space.prepared and space.prepared[other]) if len(near.rows) else []
    channels += [heard.channel(near.rows)] if heard and len(near.rows) else []
    weighed = placement.weigh(near, channels)
    parts = _parts(channels, weighed)
    assignment = placement.state.assignment
    scaling = np.asarray((assignment.left_scaling, assignment.right_scaling)[other])
    no_match = (assignment.left_no_match, assignment.right_no_match)[mine]
    assigned = assign_incrementally(near.pairs, weighed.evidence, scaling[near.rows], no_match, space.linker.assignment)
    if (likely := placement.compete(near, weighed)) is not None:
        assigned = replace(assigned, probabilities=likely)
    probabilities = space.platt.apply(assigned.likelihoods).probabilities
    arrival = decide_arrival(replace(assigned, probabilities=probabilities), _among(space.standings[other], near.rows))
    return Placed(placement, near, weighed, parts, others, assigned, probabilities, arrival, scaling)


def _parts(channels: Sequence[Channel], weighed: Weighed) -> tuple[tuple[ChannelWeight, Floats], ...]:
    """What each channel adds to the evidence of each pair."""
    shares = zip(channels, channel_shares(channels), strict=True)
    parts = [(channel.weighting, np.float32(share) * weighed.agreements[channel.key]) for channel, share in shares]
    if EvidenceSource.DECLARED.value in weighed.agreements:
        rest = weighed.evidence - sum((part for _, part in parts), np.zeros_like(weighed.evidence))
        parts.append((ChannelWeight(EvidenceSource.DECLARED, "", "", 1.0, ""), rest))
    return tuple(parts)


def _among(standing: Standing, rows: Ints) -> Standing:
    return replace(standing, linked=standing.linked[rows], probabilities=standing.probabilities[rows])


def _wide(rows: Ints, places: Ints) -> Ints:
    """Rows of the other side for places among the candidates; −1 stays −1."""
    return np.where(places >= 0, rows[np.maximum(places, 0)], -1) if len(rows) else places


def _barred(run: Run, side: int) -> Ints:
    """Rows of a side that are in a known pair or a judged match: candidates for nobody else."""
    known = read_known(run.path / KNOWN, run.left, run.right) if (run.path / KNOWN).exists() else NO_PAIRS
    judged = Judgements(run.path).pairs(Verdict.MATCH)[SIDES[side]]
    rows = (run.left, run.right)[side].rows_of(judged)
    return np.unique(np.concatenate([(known.lefts, known.rights)[side], rows[rows >= 0]]))
