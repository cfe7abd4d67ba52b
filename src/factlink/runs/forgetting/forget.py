"""`factlink forget`: an account leaves a run, and the run takes its place only if no file holds a trace of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.tables import read_table, write_table
from factlink.errors import RunError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.state.forgetting import state_without
from factlink.linkers.factoid.state.restored import unpack
from factlink.linkers.factoid.state.stored import pack
from factlink.runs.folder.drafts import ENCODED, remove_leftovers, unfinished_run
from factlink.runs.folder.judgement_file import JUDGEMENTS
from factlink.runs.folder.judgement_removal import remove_judgements
from factlink.runs.folder.listing import LISTING, save_listing
from factlink.runs.folder.manifest import MANIFEST, Manifest
from factlink.runs.folder.several import is_several
from factlink.runs.folder.states import load_state, save_state
from factlink.runs.folder.store import (
    CANDIDATES,
    EVIDENCE,
    LINKS,
    REPORT,
    SPACE,
    VECTORS,
    Run,
    load_run,
    load_vectors,
    save_candidates,
    save_evidence,
    save_manifest,
    save_vectors,
)
from factlink.runs.forgetting.accounts import SIDES, Account, find_accounts, held_values
from factlink.runs.forgetting.tables import (
    candidates_without,
    evidence_without,
    links_without,
    network_without,
    places_without,
    rows_without,
)
from factlink.runs.forgetting.traces import find_traces, telling_values
from factlink.storage.durable import link_or_copy, remove_tree
from factlink.types import Candidates

_MADE_ANEW = (MANIFEST, LISTING, REPORT, ENCODED, SPACE, CANDIDATES, EVIDENCE, LINKS, VECTORS)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was removed, and what the person who asked should know."""

    run: str
    accounts: Sequence[Account]
    judgements: int  # removed
    searched: int  # values that no file of the run holds any more
    shared: int  # values that other accounts have too, and keep
    partners: Sequence[tuple[str, str, str]]  # side, network, user: whom an account was linked with
    inputs: Sequence[str]  # what the run was made from, which is not touched


def forget(run: Path, user: str, side: str = "", on_stage: Callable[[str], None] = lambda stage: None) -> Forgotten:
    """Removes an account, or both of that id, with its judgements; nothing changes if a trace of it would stay."""
    if is_several(run) or is_several(run.resolve().parent.parent):
        raise RunError(
            f"{run} is of a run of several networks, which forget cannot change; link again without the user"
        )
    remove_leftovers(run)
    loaded = load_run(run)
    accounts = find_accounts(run, loaded.manifest, user, side)
    values = {value for account in accounts for value in held_values(run, account)}
    removed: list[int] = []
    telling: list[str] = []

    def finish(folder: Path) -> None:
        on_stage("searching every file")
        removed.append(_forget_judgements(folder, accounts, telling))
        if found := find_traces(folder, accounts, telling):
            raise RunError(f"{', '.join(found)} of {run} would still hold data of '{user}'; nothing was removed")

    with unfinished_run(run, finish=finish) as draft:
        on_stage("removing")
        remove_tree(draft.work)
        for account in accounts:
            _write_network(run, draft.run, account)
        _carry_over(run, draft.run, accounts)
        telling += telling_values(values, draft.run)
        _write_tables(loaded, draft.run, accounts, telling)
        _write_state(loaded, draft.run, accounts)
        save_listing(draft.run)
        save_manifest(draft.run, _manifest(loaded.manifest, draft.run, accounts))
    inputs = [getattr(loaded.manifest, account.side).path for account in accounts]
    searched, shared = len(telling), len(values) - len(telling)
    return Forgotten(str(run), accounts, removed[0], searched, shared, _partners(loaded, accounts), inputs)


def _write_network(run: Path, part: Path, account: Account) -> None:
    (part / account.side).mkdir(exist_ok=True)
    for name in ("users.parquet", "links.parquet"):
        if (file := run / account.side / name).exists():
            write_table(network_without(pl.read_parquet(file), account.user), part / account.side / name)


def _carry_over(run: Path, part: Path, accounts: Sequence[Account]) -> None:
    """What is not made anew; tables without the rows that name an account."""
    for file in sorted(run.rglob("*")):
        place = file.relative_to(run)
        if not file.is_file() or place.parts[0] in _MADE_ANEW or place.name.startswith(JUDGEMENTS):
            continue
        there = part / place
        there.parent.mkdir(parents=True, exist_ok=True)
        if there.exists():
            continue
        if len(place.parts) == 1 and file.suffix in (".parquet", ".csv"):
            table = read_table(file, str(file))
            for account in accounts:
                table = rows_without(table, account)
            write_table(table, there)
        else:
            link_or_copy(file, there)


def _write_tables(run: Run, part: Path, accounts: Sequence[Account], telling: Sequence[str]) -> None:
    links, candidates = run.links, run.candidates
    users = {"left": run.left.users, "right": run.right.users}
    evidence = pl.read_parquet(run.path / EVIDENCE) if (run.path / EVIDENCE).exists() else None
    vectors = load_vectors(run.path)
    for account in accounts:
        if vectors is not None:
            kept, places = places_without(vectors[0], links, account)
            vectors = places, vectors[1][kept], vectors[2][kept]
        users[account.side] = users[account.side].filter(users[account.side] != account.user)
        candidates = candidates_without(candidates, account)
        links = links_without(links, account, candidates, (users["left"], users["right"]))
        evidence = None if evidence is None else evidence_without(evidence, account, telling)
    save_candidates(part, Candidates(np.ascontiguousarray(candidates.rights), np.ascontiguousarray(candidates.scores)))
    write_table(links, part / LINKS)
    if evidence is not None:
        save_evidence(part, evidence)
    if vectors is not None:
        save_vectors(part, *vectors)


def _write_state(run: Run, part: Path, accounts: Sequence[Account]) -> None:
    if run.manifest.linker != FactoidLinker.name or not (run.path / SPACE).exists():
        return
    state = unpack(load_state(run.path, run.manifest))
    for account in accounts:
        state = state_without(state, SIDES.index(account.side), account.row)
    save_state(part, pack(state))


def _forget_judgements(folder: Path, accounts: Sequence[Account], telling: Sequence[str]) -> int:
    gone = {(account.side, account.user) for account in accounts}
    return remove_judgements(
        folder,
        lambda left, right: ("left", left) in gone or ("right", right) in gone,
        lambda note: any(value in note for value in telling),
    )


def _manifest(manifest: Manifest, part: Path, accounts: Sequence[Account]) -> Manifest:
    """The manifest with the new counts; it says that an account was removed and when, not whose."""
    sides = {}
    for side in SIDES:
        links = part / side / "links.parquet"
        n_links = int(pl.scan_parquet(links).select(pl.len()).collect().item()) if links.exists() else 0
        n_users = int(pl.scan_parquet(part / side / "users.parquet").select(pl.len()).collect().item())
        sides[side] = replace(getattr(manifest, side), users=n_users, links=n_links)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    forgotten = [*manifest.notes.get("forgotten", []), *({"side": each.side, "created": at} for each in accounts)]
    found = pl.read_parquet(part / LINKS).filter(decision="link")["source"].value_counts().rows()
    counts = dict.fromkeys(manifest.notes.get("links", {}), 0) | dict(found)
    return replace(manifest, **sides, notes=dict(manifest.notes) | {"forgotten": forgotten, "links": counts})


def _partners(run: Run, accounts: Sequence[Account]) -> list[tuple[str, str, str]]:
    """Whom the removed accounts were linked with, unless they are gone too."""
    gone = {(account.side, account.user) for account in accounts}
    linked = run.links.filter(decision="link")
    partners = []
    for account in accounts:
        other = SIDES[1 - SIDES.index(account.side)]
        users = linked.filter(pl.col(account.side) == account.user)[other].to_list()
        partners += [(other, getattr(run.manifest, other).name, user) for user in users if (other, user) not in gone]
    return partners
