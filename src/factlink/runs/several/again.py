"""A run of three networks or more made again: with judgements, with further accounts, or only to look at it."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl

from factlink.data.additions import write_addition
from factlink.data.pairs import read_known
from factlink.data.sources.networks import read_networks
from factlink.decision.decisions import DecisionRule
from factlink.errors import RunError
from factlink.linkers.settings import remake_linker
from factlink.protocols import Scorer
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.persons import read_persons
from factlink.runs.folder.several import (
    Places,
    SeveralManifest,
    check_whole,
    compared_networks,
    load_several,
    pair_folder,
)
from factlink.runs.folder.store import KNOWN, reused_vectors
from factlink.runs.inputs import Inputs
from factlink.runs.relinking import judged_inputs
from factlink.runs.several.adding import (
    SeveralAdded,
    SeveralAddition,
    find_network,
    join_several,
    keeps_states,
    read_several_addition,
)
from factlink.runs.several.inputs import SeveralInputs, SeveralRequest, reread_several
from factlink.runs.several.making import SeveralResult, fit_parts, joint_linker, make_several
from factlink.types import NO_PAIRS


def relink_several(run: Path, out: Path, overwrite: bool, on_stage: Callable[[str], None]) -> SeveralResult:
    """Links the networks of a run again, obeying the judgements of all of its pairs; persons keep their ids."""
    manifest = load_several(run)
    if out.resolve() == run.resolve():
        raise RunError(f"{out} is the run itself; name another folder, so that the two can be compared")
    judged = [Judgements(pair_folder(run, pair)).overall().height for pair in manifest.pairs]
    if not any(judged):
        raise RunError(f"nobody has judged a pair of {run}; judge some with: factlink review {run} --pair A:B")
    given = reread_several(run, manifest)
    parts = {pair: _judged(run, pair, inputs) for pair, inputs in given.pairs.items()}
    return _make(run, manifest, out, overwrite, SeveralInputs(given.readings, parts), on_stage)


def add_several(request: SeveralAddition, on_stage: Callable[[str], None]) -> SeveralAdded | SeveralResult:
    """The run with further accounts of one network; it is fitted again only where it keeps nothing to place them by."""
    manifest = load_several(request.run)
    if keeps_states(request.run, manifest):
        return join_several(request, manifest, on_stage)
    return _fit_with(request, manifest, on_stage)


def _fit_with(request: SeveralAddition, manifest: SeveralManifest, on_stage: Callable[[str], None]) -> SeveralResult:
    run, place = request.run, find_network(manifest, request)
    folders = list(compared_networks(run, manifest.names, manifest.pairs, single=True).folders)
    addition = read_several_addition(request, folders[place])
    with tempfile.TemporaryDirectory() as there:
        write_addition(addition, folders[place], Path(there) / "network")
        folders[place] = Path(there) / "network"
        inputs = _with_accounts(run, manifest, folders)
        return _make(run, manifest, run, True, inputs, on_stage)


def fit_part_again(part: Path) -> Scorer:
    """The scorer of two networks of a finished run, which keeps none: all networks are fitted again."""
    run = part.parent.parent
    manifest = load_several(run)
    inputs = reread_several(run, manifest)
    linker = joint_linker(remake_linker(manifest.linker, manifest.settings))
    with reused_vectors(part, run):
        scorers = fit_parts(linker, inputs, lambda progress: None)
    return next(scorer for pair, scorer in scorers.items() if pair_folder(run, pair) == part)


def changed_persons(run: Path, old: Path) -> pl.DataFrame:
    """Accounts whose person is another than in an old run: network, user, old, new; null where it was not there."""
    for each in (old, run):
        check_whole(each)
    before = read_persons(old).select("network", "user", old="person")
    after = read_persons(run).select("network", "user", new="person")
    both = after.join(before, on=["network", "user"], how="full", coalesce=True)
    changed = both.filter(pl.col("old").ne_missing(pl.col("new")))
    return changed.select("network", "user", "old", "new").sort("old", "new", "network", "user", nulls_last=True)


def _judged(run: Path, pair: Places, inputs: Inputs) -> Inputs:
    folder = pair_folder(run, pair)
    if inputs.within:
        return replace(inputs, judgements=Judgements(folder).by_reviewer())
    return judged_inputs(folder, inputs, Judgements(folder))


def _with_accounts(run: Path, manifest: SeveralManifest, folders: list[Path]) -> SeveralInputs:
    """The networks in these folders, with what is known and judged of the run's pairs."""
    readings = [
        replace(reading, network=replace(reading.network, name=name))
        for reading, name in zip(read_networks(folders), manifest.names, strict=True)
    ]
    parts = {}
    for pair in manifest.pairs:
        left, right = (readings[place] for place in pair)
        file = pair_folder(run, pair) / KNOWN
        known = read_known(file, left.network, right.network) if file.exists() else NO_PAIRS
        given = Inputs((left, right), known)
        judged = _judged(run, pair, given)
        parts[pair] = replace(judged, earlier=None, judgements=judged.judgements if judged.within else None)
    return SeveralInputs(readings, parts)


def _make(
    run: Path,
    manifest: SeveralManifest,
    out: Path,
    overwrite: bool,
    inputs: SeveralInputs,
    on_stage: Callable[[str], None],
) -> SeveralResult:
    sources = [network.path for network in manifest.networks]
    request = SeveralRequest(sources, out, overwrite=overwrite, half=bool(manifest.notes["half"]))
    linker, rule = (
        remake_linker(manifest.linker, manifest.settings),
        DecisionRule(**manifest.notes["decision_rule"]),
    )
    return make_several(request, linker, on_stage, lambda _: inputs, rule, run)
