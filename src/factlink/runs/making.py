"""The main job: two network folders in, a run folder out."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from factlink.canonical.orders import Orders
from factlink.data.files import read_networks, write_network
from factlink.data.frames import Reading
from factlink.data.pairs import read_known, write_pairs
from factlink.errors import SettingError
from factlink.frugal import FrugalWorkers
from factlink.linkers.settings import agree_one_to_one, settings_of
from factlink.matching.calibrate import estimate_false_rate, estimate_likelihoods
from factlink.matching.correct import Correction
from factlink.matching.links import DecisionRule
from factlink.matching.neighbours import best_candidates
from factlink.matching.overrides import Overrides
from factlink.matching.reordered import in_order
from factlink.progress import heard_by
from factlink.runs.calibrating import calibrate
from factlink.runs.drafts import ENCODED, unfinished_run
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
)
from factlink.types import (
    NO_PAIRS,
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


USUAL = DecisionRule()


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
    known: Pairs = NO_PAIRS  # judged matches are among them
    matches: Pairs = NO_PAIRS  # judged: linked whatever the scores say
    refused: Pairs = NO_PAIRS  # judged: never linked
    earlier: Pairs | None = None  # links of the run that is linked again
    judgements: pl.DataFrame | None = None  # to be kept with the run

    def overrides(self, orders: Orders) -> Overrides:
        """What overrules the linker, in rows in canonical order."""
        earlier = None if self.earlier is None else orders.pairs(self.earlier)
        return Overrides(orders.pairs(self.known), orders.pairs(self.matches), orders.pairs(self.refused), earlier)


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
    bar: DecisionRule = USUAL,
    workers: Workers | None = None,
    reuse: Path | None = None,
) -> Made:
    """Reads, fits, links and saves; nothing is written before the inputs have proved sound.

    Vectors of names, texts and pictures are kept with the run; those of the run to `reuse`, or of one that is replaced,
    are not made again.
    """
    linker, one_to_one = agree_one_to_one(linker, wanted=bar.one_to_one)
    bar = replace(bar, one_to_one=one_to_one)
    watch = Stopwatch(on_stage)
    check_writable(order.out, overwrite=order.overwrite)
    if reuse:
        load_manifest(reuse)
    earlier = [run for run in (reuse, order.out) if run and run.exists()]
    with watch.stage("reading"):
        inputs = read(order)
        left, right = (reading.network for reading in inputs.readings)
    with (
        unfinished_run(order.out, inputs.judgements) as draft,
        kept_vectors(draft.work / ENCODED, earlier, half=order.half) as shelf,
        heard_by(watch.tell),
    ):
        check_writable(order.out, overwrite=order.overwrite)
        checked = checksums(order.left), checksums(order.right)
        draft.resume(_made_from(linker, inputs, checked))
        folder = draft.run
        with watch.stage("fitting"):
            stages = _stages(workers, linker, inputs, draft.work)
            fitted = _fit(linker, inputs, draft.work, on_stage) if stages is None else stages.fit(inputs.known)
            inner, orders = in_order(fitted)
        with watch.stage("calibrating"):
            correction = _calibrate(linker, inner, orders.pairs(inputs.known), bar, stages)
        with watch.stage("matching"):
            found, overrides = best_candidates(inner, DEPTH), inputs.overrides(orders)
            likely = correction.apply(estimate_likelihoods(inner, one_to_one=bar.one_to_one, found=found))
            links = orders.links(overrides.decide(likely, bar.precision, bar.min_probability))
            candidates = orders.candidates(overrides.candidates(found))
        with watch.stage("saving"):
            write_network(left, folder / "left")
            write_network(right, folder / "right")
            save_candidates(folder, candidates)
            if isinstance(inner, Rememberer):
                save_memory(folder, inner.remember())
            save_links(folder, links, left, right)
            if len(inputs.known):
                write_pairs(inputs.known, folder / KNOWN, left, right)
        notes = _notes(inner, links, bar, correction) | {"estimated_by": likely.how}
        notes["encoded"] = {"made": len(shelf.made), "reused": len(shelf.reused)}
        notes["half"] = order.half
        if isinstance(fitted, Explainer):
            with watch.stage("explaining"):
                notes["evidence"] = keep_evidence(fitted, links, candidates, folder)
            if isinstance(fitted, Placer):
                keep_vectors(fitted, links, folder)
        manifest = _manifest(order, linker, inputs, watch, notes, checked)
        save_manifest(folder, manifest)
    return Made(order, manifest, inputs.readings, links)


def _fit(linker: Linker, inputs: Inputs, folder: Path, on_stage: Callable[[str], None]) -> Scorer:
    """Fits; a linker that trains for long saves its state beside the run and continues from there."""
    left, right = (reading.network for reading in inputs.readings)
    if isinstance(linker, Trainer):
        return linker.fit_resumably(left, right, inputs.known, folder, on_stage)
    return linker.fit(left, right, inputs.known)


def _made_from(linker: Linker, inputs: Inputs, checked: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """All that a fit depends on."""
    known = hashlib.sha256(np.stack([inputs.known.lefts, inputs.known.rights]).astype(np.int64).tobytes()).hexdigest()
    kinds = [{predicate: a.kind for predicate, a in r.network.attributes.items()} for r in inputs.readings]
    settings = {"linker": linker.name, "settings": settings_of(linker), "known": known, "kinds": kinds}
    return settings | {"files": list(checked), "versions": installed_versions()}


def _stages(workers: Workers | None, linker: Linker, inputs: Inputs, folder: Path) -> Stages | None:
    """None to do all at once in this process."""
    if workers is None:
        return None
    if not isinstance(linker, Distributed):
        raise SettingError(f"linker '{linker.name}' does not run on a cluster; leave out --cluster, or use another")
    if not isinstance(workers, FrugalWorkers):
        workers = KeptStages(workers, folder)
    left, right = (reading.network for reading in inputs.readings)
    return Stages(linker, left, right, workers)


def _calibrate(linker: Linker, scorer: Scorer, known: Pairs, bar: DecisionRule, stages: Stages | None) -> Correction:
    fit = partial(stages.linker.fit_over, stages.workers) if stages else linker.fit
    return calibrate(fit, scorer, known, one_to_one=bar.one_to_one) if bar.calibrated else Correction()


def _notes(scorer: Scorer, links: Links, bar: DecisionRule, correction: Correction) -> dict[str, Any]:
    """What the run found out: the worth of each predicate, and how many links are expected to be false."""
    worths = [asdict(worth) for worth in getattr(scorer, "worths", ())]
    rate = estimate_false_rate(links.probabilities[links.found_links()])
    ties = int(np.count_nonzero(links.margins == 0))
    notes: dict[str, Any] = {"bar": asdict(bar), "links": links.count_links(), "expected_false_links": rate}
    notes |= {"ties": ties, "worths": worths}
    if correction != Correction():
        notes["correction"] = asdict(correction)
    if (found_by := getattr(scorer, "found_by", None)) is not None:
        notes["search"] = asdict(found_by)
    return notes


def _manifest(
    order: Order,
    linker: Linker,
    inputs: Inputs,
    watch: Stopwatch,
    notes: Mapping[str, Any],
    checked: Sequence[Mapping[str, str]],
) -> Manifest:
    sides = zip(inputs.readings, (order.left, order.right), checked, strict=True)
    left, right = (_input(*side) for side in sides)
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


def _input(reading: Reading, path: Path, checked: Mapping[str, str]) -> Input:
    network = reading.network
    kinds = {predicate: attribute.kind.value for predicate, attribute in network.attributes.items()}
    return Input(network.name, str(path), len(network), sum(map(len, network.links.values())), kinds, checked)
