"""The main job: two network folders in, a run folder out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from factlink.data.files import read_networks, write_network
from factlink.data.frames import Reading
from factlink.data.pairs import read_known, write_pairs
from factlink.errors import SettingError
from factlink.frugal import FrugalWorkers
from factlink.linkers.settings import settings_of
from factlink.matching.calibrate import estimate_false_rate, estimate_likelihoods, tell_how
from factlink.matching.correct import CORRECTED, Correction
from factlink.matching.links import decide
from factlink.matching.neighbours import best_candidates
from factlink.matching.reordered import as_given, in_order
from factlink.matching.settled import settle, settle_links
from factlink.progress import heard_by
from factlink.runs.calibrating import calibrate
from factlink.runs.keeping import keep_evidence, keep_vectors
from factlink.runs.manifest import Input, Manifest, Stopwatch, checksums, installed_versions, peak_memory_bytes
from factlink.runs.space import save_memory
from factlink.runs.stages import KeptStages, Stages
from factlink.runs.store import (
    KNOWN,
    check_writable,
    kept_vectors,
    load_manifest,
    save_candidates,
    save_links,
    save_manifest,
    unfinished_run,
)
from factlink.types import (
    DECISIONS,
    NO_PAIRS,
    Decision,
    Distributed,
    Explainer,
    Linker,
    Links,
    Pairs,
    Placer,
    Rememberer,
    Scorer,
    Trainer,
)
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
    half: bool = False  # vectors are kept in float16


@dataclass(frozen=True, slots=True)
class Bar:
    """When a best candidate is called a link."""

    precision: float = 0.9  # share of the links that should be right
    one_to_one: bool = True  # no right user is linked twice; off where people have several accounts
    calibrated: bool = True  # on known pairs, by a second fit that is told half of them


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
    return Inputs(readings, read_known(order.known, left, right) if order.known else NO_PAIRS)


def reread_inputs(run: Path, manifest: Manifest) -> Inputs:
    """What a finished run was made from, as it keeps it: networks under the names they were first read by."""
    sides = (manifest.left, manifest.right)
    readings = [
        replace(reading, network=replace(reading.network, name=side.name))
        for reading, side in zip(read_networks([run / "left", run / "right"]), sides, strict=True)
    ]
    left, right = (reading.network for reading in readings)
    return Inputs(readings, read_known(run / KNOWN, left, right) if (run / KNOWN).exists() else NO_PAIRS)


def make_run(
    order: Order,
    linker: Linker,
    on_stage: Callable[[str], None] = lambda stage: None,
    read: Callable[[Order], Inputs] = read_inputs,
    bar: Bar = USUAL,
    workers: Workers | None = None,
    reuse: Path | None = None,
) -> Made:
    """Reads, fits, links and saves; nothing is written before the inputs have proved sound.

    Vectors of names, texts and pictures are kept with the run; those of the run to `reuse`, or of one that is replaced,
    are not made again.
    """
    watch = Stopwatch(on_stage)
    check_writable(order.out, overwrite=order.overwrite)
    if reuse:
        load_manifest(reuse)
    earlier = [run for run in (reuse, order.out) if run and run.exists()]
    with watch.stage("reading"):
        inputs = read(order)
        left, right = (reading.network for reading in inputs.readings)
    with (
        unfinished_run(order.out) as folder,
        kept_vectors(folder, earlier, half=order.half) as shelf,
        heard_by(watch.tell),
    ):
        with watch.stage("fitting"):
            stages = _stages(workers, order, linker, inputs, folder)
            fitted = _fit(linker, inputs, folder, on_stage) if stages is None else stages.fit(inputs.known)
            inner, orders = in_order(fitted)
            matches = orders.pairs(inputs.matches)
            scorer = settle(inner, matches, orders.pairs(inputs.refused))
        with watch.stage("calibrating"):
            correction = _calibrate(linker, inner, orders.pairs(inputs.known), bar, stages)
        with watch.stage("matching"):
            candidates = best_candidates(scorer, DEPTH)
            likely = estimate_likelihoods(scorer, one_to_one=bar.one_to_one, found=candidates)
            linked = decide(correction.apply(likely), bar.precision, one_to_one=bar.one_to_one)
            links = orders.links(settle_links(linked, matches))
            candidates = orders.candidates(candidates)
        with watch.stage("saving"):
            write_network(left, folder / "left")
            write_network(right, folder / "right")
            save_candidates(folder, candidates)
            if isinstance(inner, Rememberer):
                save_memory(folder, inner.remember())
            save_links(folder, links, left, right)
            if len(inputs.known):
                write_pairs(inputs.known, folder / KNOWN, left, right)
        notes = _notes(inner, links, bar, correction)
        notes["encoded"] = {"made": len(shelf.made), "reused": len(shelf.reused)}
        notes["half"] = order.half
        if isinstance(scorer, Explainer):
            with watch.stage("explaining"):
                notes["evidence"] = keep_evidence(as_given(scorer, left, right, orders), links, candidates, folder)
            if isinstance(fitted, Placer):
                keep_vectors(fitted, links, folder)
        if stages:
            stages.forget()
        manifest = _manifest(order, linker, inputs, watch, notes)
        save_manifest(folder, manifest)
    return Made(order, manifest, inputs.readings, links)


def _fit(linker: Linker, inputs: Inputs, folder: Path, on_stage: Callable[[str], None]) -> Scorer:
    """Fits; a linker that trains for long saves its state beside the run and continues from there."""
    left, right = (reading.network for reading in inputs.readings)
    if isinstance(linker, Trainer):
        return linker.fit_resumably(left, right, inputs.known, folder, on_stage)
    return linker.fit(left, right, inputs.known)


def _stages(workers: Workers | None, order: Order, linker: Linker, inputs: Inputs, folder: Path) -> Stages | None:
    """None to do all at once in this process."""
    if workers is None:
        return None
    if not isinstance(linker, Distributed):
        raise SettingError(f"linker '{linker.name}' does not run on a cluster; leave out --cluster, or use another")
    if not isinstance(workers, FrugalWorkers):
        made_from = {"linker": linker.name, "settings": settings_of(linker), "known": len(inputs.known)}
        files = {side.name: checksums(side) for side in (order.left, order.right)}
        workers = KeptStages(workers, folder, made_from | {"files": files, "versions": installed_versions()})
    left, right = (reading.network for reading in inputs.readings)
    return Stages(linker, left, right, workers)


def _calibrate(linker: Linker, scorer: Scorer, known: Pairs, bar: Bar, stages: Stages | None) -> Correction:
    fit = partial(stages.linker.fit_over, stages.workers) if stages else linker.fit
    return calibrate(fit, scorer, known, one_to_one=bar.one_to_one) if bar.calibrated else Correction()


def _notes(scorer: Scorer, links: Links, bar: Bar, correction: Correction) -> dict[str, Any]:
    """What the run found out: the worth of each predicate, and how many links are expected to be false."""
    linked = links.decisions == DECISIONS.index(Decision.LINK)
    worths = [asdict(worth) for worth in getattr(scorer, "worths", ())]
    rate = estimate_false_rate(links.probabilities[linked])
    how = tell_how(scorer) if correction == Correction() else f"{tell_how(scorer)}; {CORRECTED}"
    ties = int(np.count_nonzero(links.margins == 0))
    notes = {"bar": asdict(bar), "expected_false_links": rate, "estimated_by": how, "ties": ties, "worths": worths}
    if correction != Correction():
        notes["correction"] = asdict(correction)
    if (found_by := getattr(scorer, "found_by", None)) is not None:
        notes["search"] = asdict(found_by)
    return notes


def _manifest(order: Order, linker: Linker, inputs: Inputs, watch: Stopwatch, notes: Mapping[str, Any]) -> Manifest:
    left, right = (_input(*told) for told in zip(inputs.readings, (order.left, order.right), strict=True))
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
    return Input(network.name, str(path), len(network), sum(map(len, network.links.values())), kinds, checksums(path))
