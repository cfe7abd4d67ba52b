"""How users of a run came to where they are: their paths while they were embedded, and what pushed them most."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.embedding.space import Space
from factlink.errors import InputError, RunError
from factlink.evaluation.traces import list_paths, list_pushes
from factlink.explanations.user_names import best_names, user_names
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.settings import remake_linker
from factlink.progress import heard_by
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import LINKS, load_manifest, reused_vectors
from factlink.runs.inputs import reread_inputs
from factlink.types import Decision, FactoidTable, Network


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """The paths of the watched users and their partners, and what moved them."""

    paths: pl.DataFrame  # user, pair, iteration, x, y
    pushes: pl.DataFrame  # user, predicate, object, moved: those that moved each user furthest, longest first


def trace_run(run: Path, users: Sequence[str], k: int, on_stage: Callable[[str], None]) -> Trace:
    """Embeds a run's networks once more, which gives the same vectors, and watches users and their partners."""
    manifest = load_manifest(run)
    linker = _linker(run, manifest)
    inputs = reread_inputs(run, manifest)
    left, right = networks = [reading.network for reading in inputs.readings]
    accounts = _accounts(users, run, left, right)
    watched = {n.name: n.rows_of(accounts.filter(network=n.name)["id"]) for n in networks}
    with reused_vectors(run), heard_by(on_stage):
        table, space = linker.trace(networks, {(left.name, right.name): inputs.known}, watched, on_stage)
    accounts = pl.concat([accounts.filter(network=network.name) for network in networks])
    paths = list_paths(space.trail, accounts["user"].to_list(), accounts["pair"].to_list())
    return Trace(paths, _pushes(accounts, table, space, networks, k))


def _linker(run: Path, manifest: Manifest) -> FELinker:
    linker = remake_linker(manifest.linker, manifest.settings)
    if not isinstance(linker, FELinker):
        raise RunError(f"run {run} was made by linker '{manifest.linker}'; trace needs a run of --linker fe")
    return linker


def _accounts(users: Sequence[str], run: Path, left: Network, right: Network) -> pl.DataFrame:
    """Everyone to watch, in the given order, partners together: order, network, id, user (as shown) and pair."""
    best = pl.read_parquet(run / LINKS, columns=["left", "right", "decision", "score"])
    linked = pl.col("decision") == Decision.LINK.value
    best = best.sort(linked, "score", descending=True, maintain_order=True)
    pairs = [pair for user in dict.fromkeys(users) for pair in _pairs_of(user, best, left, right)]
    ids = [list(dict.fromkeys(id_ for id_ in side if id_)) for side in zip(*pairs, strict=True)]
    called = [_called(network, side) for network, side in zip((left, right), ids, strict=True)]
    rows = []
    for ends in dict.fromkeys(pairs):
        sides = zip((left, right), ends, called, strict=True)
        shown = [(n.name, id_, f"{names[id_]} ({n.name})") for n, id_, names in sides if id_]
        rows += [(*account, " = ".join(each[2] for each in shown)) for account in shown]
    columns = ["network", "id", "user", "pair"]
    accounts = pl.DataFrame(rows, schema=columns, orient="row").unique(columns[:2], keep="first", maintain_order=True)
    return accounts.with_row_index("order")


def _called(network: Network, ids: list[str]) -> dict[str, str]:
    """What each user is called: its name, with its id where it has none or shares it; or the id alone."""
    names = best_names(network, network.rows_of(ids)).fill_null("").to_list()
    return {
        id_: (name if names.count(name) == 1 else f"{name} [{id_}]") if name else id_
        for id_, name in zip(ids, names, strict=True)
    }


def _pairs_of(user: str, best: pl.DataFrame, left: Network, right: Network) -> list[tuple[str | None, str | None]]:
    """The user with the partner the run gave them, or alone; twice if both networks have a user of that id."""
    here = [bool(network.rows_of([user])[0] >= 0) for network in (left, right)]
    if not any(here):
        raise InputError(f"no user is called '{user}' in network '{left.name}' or '{right.name}'; name an id of either")
    partners = best.filter(left=user)["right"].to_list(), best.filter(right=user)["left"].to_list()
    pairs: list[tuple[str | None, str | None]] = []
    if here[0]:
        pairs.append((user, partners[0][0] if partners[0] else None))
    if here[1]:
        pairs.append((partners[1][0] if partners[1] else None, user))
    return pairs


def _pushes(
    accounts: pl.DataFrame, table: FactoidTable, space: Space, networks: Sequence[Network], k: int
) -> pl.DataFrame:
    """The strongest pushes in words: the object's text, or the friend by name."""
    pushes = list_pushes(space.trail, space.objectives, k)
    friends = _joint_names(table, networks)
    objects = [
        table.objects[predicate].values[other] if side == "holder" else friends[other]
        for predicate, side, other in pushes.select("predicate", "as", "other").rows()
    ]
    side = pl.when(pl.col("as") == "followee").then(pl.lit(", as followee")).otherwise(pl.lit(""))
    said = pushes.with_columns(object=pl.Series(objects, dtype=pl.String), predicate=pl.col("predicate") + side)
    watched = accounts.select("user", "order", row=pl.Series(np.asarray(space.trail.rows), dtype=pl.Int64)).sort(
        "order"
    )
    return watched.join(said, on="row", maintain_order="left_right").select("user", "predicate", "object", "moved")


def _joint_names(table: FactoidTable, networks: Sequence[Network]) -> pl.Series:
    """(n_rows,) everybody by name and id; known pairs by those of both networks."""
    parts = [
        pl.DataFrame({"row": table.rows[n.name], "name": user_names(n, np.arange(len(n)))}).cast({"row": pl.Int64})
        for n in networks
    ]
    joined = pl.concat(parts).group_by("row", maintain_order=True).agg(pl.col("name").str.join(" = "))
    return joined.sort("row")["name"]
