"""Adding accounts to a finished run: they find their place and their links, and nobody else is moved."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from factlink.data.additions import Addition, read_addition, write_addition
from factlink.data.protocol import SourceOptions
from factlink.data.sources.networks import NO_OPTIONS
from factlink.data.sources.registry import source_shown
from factlink.data.tables import write_table
from factlink.decision.decisions import DecisionRule
from factlink.decision.incremental import Arrival, IncrementalAssignment
from factlink.errors import RunError, SettingError
from factlink.linkers.factoid.adding.new_users import NewUsers
from factlink.linkers.factoid.state.restored import unpack
from factlink.linkers.factoid.state.state import FactoidState, PartnerState
from factlink.linkers.factoid.state.stored import SIDES, pack
from factlink.runs.arrivals import add_lefts, add_rights, list_doubts, list_outcomes
from factlink.runs.folder.drafts import unfinished_run
from factlink.runs.folder.judgement_file import JUDGEMENTS
from factlink.runs.folder.listing import LISTING, save_listing
from factlink.runs.folder.manifest import MANIFEST, Manifest, Stopwatch, checksums
from factlink.runs.folder.persons import HISTORY, LISTED, PERSONS, SPLITS, save_pair_persons
from factlink.runs.folder.several import is_part
from factlink.runs.folder.states import load_state, save_state
from factlink.runs.folder.store import (
    LINKS,
    REPORT,
    SPACE,
    Run,
    check_run,
    load_run,
    save_candidates,
    save_manifest,
)
from factlink.runs.placing import Placed, linker_of, place, space_of
from factlink.storage.durable import PRIVATE_FOLDER, link_or_copy
from factlink.types import DECISIONS, Decision, Floats, Network, Pairs

DOUBTS = "doubts.parquet"
MADE_ANEW = (MANIFEST, REPORT, LISTING, PERSONS, LISTED, SPLITS, HISTORY)
"""Files that an addition does not carry over."""


@dataclass(frozen=True, slots=True)
class AddRequest:
    """Which accounts to add to which side of which run."""

    run: Path
    source: object  # a folder, a file, an address
    side: str = "left"
    drop_dangling: bool = False
    options: SourceOptions = NO_OPTIONS

    def __post_init__(self) -> None:
        if self.side not in SIDES:
            raise SettingError(f"a run has no side '{self.side}'; there are: {', '.join(SIDES)}")


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """What became of the new accounts."""

    request: AddRequest
    names: tuple[str, str]  # of the network they joined, and of the other
    outcomes: pl.DataFrame  # user, partner, probability, decision: one row for each new account
    doubts: pl.DataFrame  # left, right, probability, rival, rival_probability: earlier links that are beaten now
    seconds: float
    notes: tuple[str, ...] = ()  # what was understood of the source


def add_users(request: AddRequest, on_stage: Callable[[str], None]) -> Added:
    """Places and links the accounts; nothing is written before they are validated."""
    check_run(request.run)
    if is_part(request.run):
        raise RunError(f"{request.run} is a part of a run of several networks; add to the whole, with --network NAME")
    with unfinished_run(request.run) as draft:
        return _fill(draft.run, request, Stopwatch(on_stage))


def _fill(part: Path, request: AddRequest, watch: Stopwatch) -> Added:
    """The run with the accounts, in a folder that is to take its place."""
    with watch.stage("reading"):
        loaded = load_run(request.run)
        side, _ = SIDES.index(request.side), linker_of(loaded)
        state = unpack(load_state(request.run, loaded.manifest))
        predicates, home = _predicates(request, state, side), request.run / request.side
        addition = read_addition(request.source, home, predicates, request.drop_dangling, request.options)
    joining = Joining(request, loaded, side, state, addition)
    with watch.stage("placing"):
        placed = place(space_of(loaded, state), joining.new_users)
    with watch.stage("linking"):
        joined = Joined.of(joining, placed)
    with watch.stage("saving"):
        save_joined(part, joining, joined)
        rule = DecisionRule(**loaded.manifest.notes["decision_rule"])
        save_pair_persons(part, (loaded.left.name, loaded.right.name), rule, request.run)
        save_manifest(part, manifest_with(joining, watch))
    return joined.report(joining, watch)


@dataclass(frozen=True, slots=True, eq=False)
class Joining:
    """Accounts that are to join one side of a loaded run."""

    request: AddRequest
    run: Run
    side: int
    state: FactoidState
    addition: Addition

    @property
    def others(self) -> Network:
        """The network that they may have partners in."""
        return (self.run.right, self.run.left)[self.side]

    @property
    def new_users(self) -> NewUsers:
        """With their neighbours."""
        addition = self.addition
        return NewUsers.of(self.state, self.side, addition.network, len(addition.users), addition.links)


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """What was decided about them, in rows of the whole other side."""

    placed: Placed
    assigned: IncrementalAssignment
    arrival: Arrival
    doubts: pl.DataFrame

    @classmethod
    def of(cls, joining: Joining, placed: Placed) -> "Joined":
        """Decisions of accounts that found their place."""
        arrival = placed.arrival_among()
        doubts = list_doubts(joining.run, joining.side, joining.addition.network.users, arrival)
        return cls(placed, placed.assigned_among(joining.others), arrival, doubts)

    def report(self, joining: Joining, watch: Stopwatch) -> Added:
        """For whoever asked."""
        run, users = joining.run, joining.addition.network.users
        names = (run.left.name, run.right.name) if joining.side == 0 else (run.right.name, run.left.name)
        outcomes = list_outcomes(users, joining.others.users, self.arrival.links)
        seconds = sum(watch.seconds.values())
        return Added(joining.request, names, outcomes, self.doubts, seconds, joining.addition.notes)


def save_joined(part: Path, joining: Joining, joined: Joined, partners: PartnerState | None = None) -> None:
    """All of a run with the accounts but its persons and its manifest."""
    request, run = joining.request, joining.run
    write_addition(joining.addition, request.run / request.side, part / request.side)
    _save_links(part, run, joining.side, joining.addition, joined.assigned, joined.arrival)
    grown = _grown(joined.placed, joined.assigned, joined.arrival, joining.addition, joining.others)
    save_state(part, pack(replace(grown, partners=partners)))
    _save_doubts(part, request.run, joined.doubts)
    carry_over(request.run, part)
    save_listing(part)


def _predicates(request: AddRequest, state: FactoidState, side: int) -> list[str]:
    """The link predicates of a side."""
    links = request.run / request.side / "links.parquet"
    if state.links:
        return list(state.links.weights[side])
    return pl.read_parquet(links, columns=["predicate"])["predicate"].unique().to_list() if links.exists() else []


def _grown(
    placed: Placed, assigned: IncrementalAssignment, arrival: Arrival, addition: Addition, others: Network
) -> FactoidState:
    """The fitted state that the run keeps from now on."""
    placement, n_all = placed.placement, len(addition.users)
    side = placement.mine
    assignment = placement.state.assignment
    old = (assignment.left_scaling, assignment.right_scaling)[side]
    mine: Floats = np.concatenate([old, assigned.new_scaling])
    scaling = (mine, assigned.old_scaling) if side == 0 else (assigned.old_scaling, mine)
    linked = np.flatnonzero(arrival.links.decisions == DECISIONS.index(Decision.LINK))
    new, theirs = n_all - assigned.pairs.n_left + linked, arrival.links.rights[linked]
    pairs = Pairs(new, theirs) if side == 0 else Pairs(theirs, new)
    strengths = arrival.links.probabilities[linked]
    return placement.assigned(placed.weighed_among(others), scaling, pairs, strengths)


def _save_links(
    part: Path, run: Run, side: int, addition: Addition, assigned: IncrementalAssignment, arrival: Arrival
) -> None:
    merge = add_lefts if side == 0 else add_rights
    candidates, links = merge(run, addition.network.users, assigned, arrival)
    save_candidates(part, candidates)
    write_table(links, part / LINKS)


def _save_doubts(part: Path, run: Path, doubts: pl.DataFrame) -> None:
    """All doubts so far, the latest last."""
    earlier = [pl.read_parquet(run / DOUBTS)] if (run / DOUBTS).exists() else []
    if earlier or doubts.height:
        write_table(pl.concat([*earlier, doubts]), part / DOUBTS)


def carry_over(run: Path, part: Path) -> None:
    """What stays as it is."""
    carry_files(run, part, [f for f in run.rglob("*") if f.parent.name != SPACE and f.name not in MADE_ANEW])


def carry_files(run: Path, part: Path, files: Iterable[Path]) -> None:
    """Files that are not there yet, as second names of the same where the disk allows; judgements go another way."""
    for file in files:
        there = part / file.relative_to(run)
        if file.is_file() and not there.exists() and not file.name.startswith(JUDGEMENTS):
            there.parent.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
            link_or_copy(file, there)


def manifest_with(joining: Joining, watch: Stopwatch) -> Manifest:
    """The manifest with the new counts, and this addition among its notes."""
    manifest, request = joining.run.manifest, joining.request
    described = describe_addition(request, joining.addition, watch)
    side = getattr(manifest, request.side)
    side = replace(side, users=side.users + described["users"], links=side.links + described["links"])
    notes = dict(manifest.notes) | {"additions": [*manifest.notes.get("additions", []), described]}
    left, right = (side, manifest.right) if request.side == "left" else (manifest.left, side)
    return replace(manifest, left=left, right=right, notes=notes)


def describe_addition(request: AddRequest, addition: Addition, watch: Stopwatch) -> dict[str, Any]:
    """What was added, for a manifest."""
    return {
        "side": request.side,
        "path": source_shown(request.source),
        "users": len(addition.network),
        "links": sum(map(len, addition.links.values())),
        "checksums": checksums(request.source, addition.network),
        "seconds": watch.seconds,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
