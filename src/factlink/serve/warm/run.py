"""A finished run held ready: accounts are placed in its space without reading or writing the run."""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.data.additions import Arriving, addition_of
from factlink.encoders.ngrams.rows import GramCounts
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.errors import InputError
from factlink.linkers.factoid.adding.new_users import AskedNames, NewUsers
from factlink.linkers.factoid.state.restored import unpack
from factlink.linkers.factoid.state.state import FactoidState, NameState
from factlink.linkers.factoid.state.stored import SIDES
from factlink.runs.folder.manifest import MANIFEST, Manifest
from factlink.runs.folder.several import is_part
from factlink.runs.folder.states import load_state
from factlink.runs.folder.store import SPACE, Run, load_manifest, read_links
from factlink.runs.placing import Placed, Space, linker_of, place, space_of
from factlink.serve.accounts import MOST_LINKS, Account, AskedLink, tables_of
from factlink.serve.warm.asking import plain_users
from factlink.serve.warm.mapped import mapped, note_checksums, one_at_a_time
from factlink.serve.warm.nearest import ALL, Nearest, forget_others, open_nearest, sample
from factlink.serve.warm.prepared import PreparedSide, prepare_side
from factlink.serve.warm.threads import one_thread
from factlink.serve.warm.users import UserTable
from factlink.storage.arrays import write_array
from factlink.storage.durable import PRIVATE_FOLDER, replaced_file
from factlink.types import Candidates, Follows, Halves, Ints, Network

WORK = ".serve"
_FIRST = 10  # users of either side who are asked about when a run is opened


@dataclass(frozen=True, slots=True, eq=False)
class WarmRun:
    """Everything that answers need; a change of the run makes a new one."""

    path: Path
    manifest: Manifest
    mark: str  # changes with the run
    sides: tuple[UserTable, UserTable]
    predicates: tuple[tuple[str, ...], tuple[str, ...]]  # of links, by side
    space: Space
    nearest: tuple[Nearest, Nearest]
    links: pl.DataFrame
    one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def place(self, side: int, accounts: list[Account]) -> Placed:
        """Accounts of one side among their candidates, as `factlink add` places them."""
        home = self.sides[side]
        with one_thread(), self.one_at_a_time:
            new = plain_users(self.space.state, side, accounts, home, self.predicates[side])
            return place(self.space, new or self._read(side, accounts))

    def _read(self, side: int, accounts: list[Account]) -> NewUsers:
        """Accounts that have something odd about them, or among which there are links, by way of tables."""
        home = self.sides[side]
        met = dict.fromkeys([account.id for account in accounts])
        met |= dict.fromkeys(link.other for account in accounts for link in account.links)
        rows = home.rows_of(list(met))
        known = np.unique(rows[rows >= 0])
        old = pl.Series("id", home.ids(known), dtype=pl.String)
        arriving = Arriving(home.name, tables_of(accounts), home.kinds, self.predicates[side])
        addition = addition_of(arriving, old)
        wide = np.concatenate([known, len(home) + np.arange(len(accounts))])
        links = {
            predicate: Follows(wide[follows.followers], wide[follows.followees], follows.weights)
            for predicate, follows in addition.links.items()
        }
        return NewUsers.of(self.space.state, side, addition.network, len(home) + len(accounts), links)

    def warm_up(self) -> None:
        """Asks about some users of either side, so that everything is compiled and read before others ask."""
        for side, users in enumerate(self.sides):
            for row in np.unique(np.linspace(0, len(users) - 1, min(_FIRST, len(users))).astype(np.int64)).tolist():
                held = {predicate: tuple(objects) for predicate, objects in users.objects(row).items()}
                self.place(side, [Account("a first question", held, self._first_links(side, row))])

    def _first_links(self, side: int, row: int) -> tuple[AskedLink, ...]:
        """The links of a user, as if they were those of somebody else."""
        links, predicates = self.space.state.links, self.predicates[side]
        if links is None or not predicates:
            return ()
        ends = links.neighbours[side].indptr
        others = self.sides[side].ids(links.neighbours[side].indices[ends[row] : ends[row + 1]][:MOST_LINKS])
        return tuple(AskedLink(other, True, predicates[0], 1.0) for other in others)

    def find(self, side: int, user: str) -> int:
        """The row of a user of a side."""
        row = int(self.sides[side].rows_of([user])[0])
        if row < 0:
            raise InputError(f"no user of network '{self.sides[side].name}' has this id; ids are matched exactly")
        return row


def mark_of(run: Path) -> str:
    """What changes when a run is replaced."""
    found = (run / MANIFEST).stat()
    return f"{found.st_ino}-{found.st_mtime_ns}-{found.st_size}"


def mark_or_nothing(run: Path) -> str:
    """The mark of a run; nothing while there is none."""
    try:
        return mark_of(run)
    except OSError:
        return ""


def work_folder(run: Path) -> Path:
    """Where a service keeps what it made of a run: RUN.serve, or RUN-1-2.serve for two of several networks."""
    run = run.resolve()
    if is_part(run):
        whole = run.parent.parent
        return whole.with_name(f"{whole.name}-{run.name}{WORK}")
    return run.with_name(f"{run.name}{WORK}")


def open_run(path: Path, folder: Path, *, exact: bool = False) -> WarmRun:
    """Loads a run; what has to be made for it first is kept in `folder`."""
    with one_thread():
        opened = _open_run(path, folder, exact=exact)
        note_checksums(folder)
        return opened


def _open_run(path: Path, folder: Path, *, exact: bool) -> WarmRun:
    mark = mark_or_nothing(path)  # reading the manifest says what is missing
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    manifest = load_manifest(path)
    left, right = (
        UserTable.open(path / side, described.name, folder)
        for side, described in zip(SIDES, (manifest.left, manifest.right), strict=True)
    )
    mine, other = (Network(users.name, users.table(["id"]).collect()["id"], {}, {}) for users in (left, right))
    nobody = Candidates(np.empty((0, 1), np.int32), np.empty((0, 1), np.float32))
    run = Run(path, manifest, mine, other, read_links(path), nobody)
    linker_of(run)
    state = _with_mapped_counts(unpack(load_state(path, manifest)), manifest, folder)
    prepared = prepare_side(left, 0, state, folder), prepare_side(right, 1, state, folder)
    nearest = (ALL, ALL) if exact or state.names is None else _both_nearest(state.names, prepared, manifest, folder)

    def search(asked: AskedNames, stored: Sequence[Halves], k: int, side: int) -> Candidates:
        return nearest[side](asked, stored, k)

    def read_users(side: int, rows: Ints) -> Network:
        return (left, right)[side].read(rows)

    space = replace(space_of(run, state, read_users), search=search, prepared=prepared)
    predicates = (_predicates(path, space, 0), _predicates(path, space, 1))
    opened = WarmRun(path, manifest, mark, (left, right), predicates, space, nearest, run.links)
    opened.warm_up()
    return opened


def _with_mapped_counts(state: FactoidState, manifest: Manifest, folder: Path) -> FactoidState:
    """The state whose n-gram counts are files that all workers map."""

    def with_file(space: GramSpace, name: str) -> GramSpace:
        key = manifest.files[f"{SPACE}/{name}.counts.npy"] + manifest.files[f"{SPACE}/{name}.buckets.npy"]
        place = folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.counts.npy"
        with one_at_a_time(folder):
            for older in folder.glob(f"{name}-*.counts.npy"):
                if older != place:
                    older.unlink(missing_ok=True)
            if not place.exists():
                with replaced_file(place) as part:
                    write_array(part, space.counts.whole().astype(np.int32))
        return replace(space, counts=GramCounts(space.counts.n_strings, mapped(place)))

    names = state.names and replace(state.names, space=with_file(state.names.space, "names"))
    attributes = [
        replace(each, encoder=with_file(each.encoder, f"attribute{place}"))
        if isinstance(each.encoder, GramSpace)
        else each
        for place, each in enumerate(state.attributes)
    ]
    return replace(state, names=names, attributes=tuple(attributes))


def _both_nearest(
    names: NameState, prepared: tuple[PreparedSide, PreparedSide], manifest: Manifest, folder: Path
) -> tuple[Nearest, Nearest]:
    sizes = len(names.vectors[0][0]), len(names.vectors[1][0])
    keys = [manifest.files[f"{SPACE}/{side}.vectors.npy"] for side in SIDES]

    def rows(side: int) -> tuple[csr_matrix, csr_matrix]:
        asked = sample(sizes[1 - side])
        return prepared[side].rows(np.arange(sizes[side]), names.space), prepared[1 - side].rows(asked, names.space)

    forget_others(folder, keys)
    left, right = (open_nearest(sizes[side], partial(rows, side), keys[side], folder) for side in (0, 1))
    return left, right


def _predicates(path: Path, space: Space, side: int) -> tuple[str, ...]:
    if space.state.links:
        return tuple(space.state.links.weights[side])
    links = path / SIDES[side] / "links.parquet"
    return tuple(pl.read_parquet(links, columns=["predicate"])["predicate"].unique()) if links.exists() else ()
