"""The main job: two network folders in, a run folder out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from factlink.data.files import read_networks, write_network
from factlink.data.frames import Reading
from factlink.data.pairs import read_pairs, write_pairs
from factlink.errors import SettingError
from factlink.linkers.settings import settings_of
from factlink.matching.calibrate import HOW, estimate_false_rate
from factlink.matching.links import link
from factlink.matching.neighbours import best_candidates
from factlink.matching.settled import settle, settle_links
from factlink.runs.manifest import Input, Manifest, Stopwatch, checksums, installed_versions, peak_memory_bytes
from factlink.runs.space import save_memory
from factlink.runs.stages import KeptStages
from factlink.runs.store import KNOWN, check_writable, save_candidates, save_links, save_manifest, unfinished_run
from factlink.types import DECISIONS, NO_PAIRS, Decision, Distributed, Linker, Links, Pairs, Rememberer, Scorer, Trainer
from factlink.workers import Workers

DEPTH = 50
"""Candidates kept per left user: enough for HR@30, and past it MRR moves by less than 1/50 of a share."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to link, and where the run goes."""

    left: Path
    right: Path
    out: Path
    known: Path | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    drop_dangling: bool = False
    overwrite: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """When a best candidate is called a link."""

    precision: float = 0.9  # share of the links that should be right
    one_to_one: bool = True  # no right user is linked twice; off where people have several accounts


USUAL = Bar()


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A run just made, with what a person wants to see of it."""

    order: Order
    manifest: Manifest
    readings: Sequence[Reading]  # left, right
    links: Links


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What a run is made from."""

    readings: Sequence[Reading]  # left, right
    known: Pairs = NO_PAIRS
    matches: Pairs = NO_PAIRS  # judged: linked whatever the scores say
    refused: Pairs = NO_PAIRS  # judged: never linked


def read_inputs(order: Order) -> Inputs:
    """The two networks and the known pairs that an order names."""
    readings = read_networks([order.left, order.right], kinds=order.kinds, drop_dangling=order.drop_dangling)
    left, right = (reading.network for reading in readings)
    return Inputs(readings, read_pairs(order.known, left, right) if order.known else NO_PAIRS)


def reread_inputs(run: Path, manifest: Manifest) -> Inputs:
    """What a finished run was made from, as it keeps it: networks under the names they were first read by."""
    sides = (manifest.left, manifest.right)
    readings = [
        replace(reading, network=replace(reading.network, name=side.name))
        for reading, side in zip(read_networks([run / "left", run / "right"]), sides, strict=True)
    ]
    left, right = (reading.network for reading in readings)
    return Inputs(readings, read_pairs(run / KNOWN, left, right) if (run / KNOWN).exists() else NO_PAIRS)


def make_run(
    order: Order,
    linker: Linker,
    on_stage: Callable[[str], None] = lambda stage: None,
    read: Callable[[Order], Inputs] = read_inputs,
    bar: Bar = USUAL,
    workers: Workers | None = None,
) -> Made:
    """Reads, fits, links and saves; nothing is written before the inputs have proved sound."""
    watch = Stopwatch(on_stage)
    check_writable(order.out, overwrite=order.overwrite)
    with watch.stage("reading"):
        inputs = read(order)
        left, right = (reading.network for reading in inputs.readings)
    with unfinished_run(order.out) as folder:
        with watch.stage("fitting"):
            stages = _stages(workers, order, linker, inputs, folder)
            fitted = _fit(linker, inputs, folder, on_stage) if stages is None else _fit_over(stages, linker, inputs)
            scorer = settle(fitted, inputs.matches, inputs.refused)
        with watch.stage("matching"):
            candidates = best_candidates(scorer, DEPTH)
            linked = link(scorer, bar.precision, one_to_one=bar.one_to_one, found=candidates)
            links = settle_links(linked, inputs.matches)
        with watch.stage("saving"):
            write_network(left, folder / "left")
            write_network(right, folder / "right")
            save_candidates(folder, candidates)
            if isinstance(fitted, Rememberer):
                save_memory(folder, fitted.remember())
            save_links(folder, links, left, right)
            if len(inputs.known):
                write_pairs(inputs.known, folder / KNOWN, left, right)
        manifest = _manifest(order, linker, inputs, watch, _notes(fitted, links, bar))
        if stages:
            stages.forget()
        save_manifest(folder, manifest)
    return Made(order, manifest, inputs.readings, links)


def _fit(linker: Linker, inputs: Inputs, folder: Path, on_stage: Callable[[str], None]) -> Scorer:
    """Fits; a linker that trains for long saves its state beside the run and continues from there."""
    left, right = (reading.network for reading in inputs.readings)
    if isinstance(linker, Trainer):
        return linker.fit_resumably(left, right, inputs.known, folder, on_stage)
    return linker.fit(left, right, inputs.known)


def _stages(workers: Workers | None, order: Order, linker: Linker, inputs: Inputs, folder: Path) -> KeptStages | None:
    """Workers of a cluster, whose results are kept until the run is whole; None to stay in this process."""
    if workers is None:
        return None
    if not isinstance(linker, Distributed):
        raise SettingError(f"linker '{linker.name}' does not run on a cluster; leave out --cluster, or use another")
    made_from = {"linker": linker.name, "settings": settings_of(linker), "known": len(inputs.known)}
    files = {side.name: checksums(side) for side in (order.left, order.right)}
    return KeptStages(workers, folder, made_from | {"files": files, "versions": installed_versions()})


def _fit_over(stages: KeptStages, linker: Linker, inputs: Inputs) -> Scorer:
    left, right = (reading.network for reading in inputs.readings)
    assert isinstance(linker, Distributed)  # _stages has seen to it
    return linker.fit_over(stages, left, right, inputs.known)


def _notes(scorer: Scorer, links: Links, bar: Bar) -> dict[str, Any]:
    """What the run found out: the worth of each predicate, and how many links are expected to be false."""
    linked = links.decisions == DECISIONS.index(Decision.LINK)
    worths = [asdict(worth) for worth in getattr(scorer, "worths", ())]
    rate = estimate_false_rate(links.probabilities[linked])
    return {"bar": asdict(bar), "expected_false_links": rate, "estimated_by": HOW, "worths": worths}


def _manifest(order: Order, linker: Linker, inputs: Inputs, watch: Stopwatch, notes: Mapping[str, Any]) -> Manifest:
    places = (order.left, order.right)
    left, right = (_input(reading, path) for reading, path in zip(inputs.readings, places, strict=True))
    return Manifest(
        linker=linker.name,
        settings=settings_of(linker),
        left=left,
        right=right,
        known_pairs=len(inputs.known),
        seconds=watch.seconds,
        peak_memory_bytes=peak_memory_bytes(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=notes,
    )


def _input(reading: Reading, path: Path) -> Input:
    network = reading.network
    kinds = {predicate: attribute.kind.value for predicate, attribute in network.attributes.items()}
    n_links = sum(map(len, network.links.values()))
    return Input(network.name, str(path), len(network), n_links, kinds, checksums(path))
