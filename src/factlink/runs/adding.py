"""Adding accounts to a finished run: they find their place and their links, and nobody else is moved."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

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
from factlink.linkers.factoid.new_users import NewUsers
from factlink.linkers.factoid.state import FactoidState
from factlink.linkers.factoid.stored_state import SIDES, pack, unpack
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
from factlink.storage.durable import link_or_copy
from factlink.types import DECISIONS, Decision, Floats, Network, Pairs

DOUBTS = "doubts.parquet"
_MADE_ANEW = (MANIFEST, REPORT, LISTING, PERSONS, LISTED, SPLITS, HISTORY)


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
    with watch.stage("placing"):
        new_users = NewUsers.of(state, side, addition.network, len(addition.users), addition.links)
        placed = place(space_of(loaded, state), new_users)
    with watch.stage("linking"):
        networks = loaded.left, loaded.right
        assigned = placed.assigned_among(networks[1 - side])
        arrival = placed.arrival_among()
        doubts = list_doubts(loaded, side, addition.network.users, arrival)
    with watch.stage("saving"):
        write_addition(addition, request.run / request.side, part / request.side)
        _save_links(part, loaded, side, addition, assigned, arrival)
        save_state(part, pack(_grown(placed, assigned, arrival, addition, networks[1 - side])))
        _save_doubts(part, request.run, doubts)
        _carry_over(request.run, part)
        save_listing(part)
        rule = DecisionRule(**loaded.manifest.notes["decision_rule"])
        save_pair_persons(part, (networks[0].name, networks[1].name), rule, request.run)
        save_manifest(part, _manifest(loaded.manifest, request, addition, watch))
    names = networks[side].name, networks[1 - side].name
    outcomes = list_outcomes(addition.network.users, networks[1 - side].users, arrival.links)
    return Added(request, names, outcomes, doubts, sum(watch.seconds.values()), addition.notes)


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


def _carry_over(run: Path, part: Path) -> None:
    """What stays as it is, as a second name of the same file where the disk allows."""
    for file in run.rglob("*"):
        there = part / file.relative_to(run)
        stays = not there.exists() and file.parent.name != SPACE and file.name not in _MADE_ANEW
        if file.is_file() and stays and not file.name.startswith(JUDGEMENTS):
            there.parent.mkdir(parents=True, exist_ok=True)
            link_or_copy(file, there)


def _manifest(manifest: Manifest, request: AddRequest, addition: Addition, watch: Stopwatch) -> Manifest:
    """The manifest with the new counts, and this addition among its notes."""
    described = {
        "side": request.side,
        "path": source_shown(request.source),
        "users": len(addition.network),
        "links": sum(map(len, addition.links.values())),
        "checksums": checksums(request.source, addition.network),
        "seconds": watch.seconds,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    side = getattr(manifest, request.side)
    side = replace(side, users=side.users + described["users"], links=side.links + described["links"])
    notes = dict(manifest.notes) | {"additions": [*manifest.notes.get("additions", []), described]}
    left, right = (side, manifest.right) if request.side == "left" else (manifest.left, side)
    return replace(manifest, left=left, right=right, notes=notes)
