"""The main job: two network folders in, a run folder out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from factlink.candidates.reordered import in_order
from factlink.candidates.top_k import best_candidates
from factlink.data.files import write_network
from factlink.data.frames import Reading
from factlink.data.pairs import write_pairs
from factlink.decision.decisions import DecisionRule
from factlink.decision.likelihoods import estimate_false_rate, estimate_likelihoods
from factlink.decision.platt import Correction
from factlink.execution.workers import Workers
from factlink.linkers.settings import agree_one_to_one, settings_of
from factlink.progress import heard_by
from factlink.protocols import Explainer, Linker, Placer, Rememberer, Scorer
from factlink.runs.fitting import calibrate_fit, fit_inputs_of, fit_linker, stages_of
from factlink.runs.folder.drafts import ENCODED, unfinished_run
from factlink.runs.folder.manifest import Input, Manifest, Stopwatch, checksums, peak_memory_bytes
from factlink.runs.folder.states import save_memory
from factlink.runs.folder.store import (
    KNOWN,
    check_writable,
    kept_vectors,
    load_manifest,
    save_candidates,
    save_links,
    save_manifest,
)
from factlink.runs.inputs import Inputs, Order, read_inputs
from factlink.runs.keeping import keep_evidence, keep_vectors
from factlink.types import Links

DEPTH = 50
"""Candidates kept per left user: enough for HR@30, and past it MRR moves by less than 1/50 of a share."""


USUAL = DecisionRule()


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A run just made, with what a person wants to see of it."""

    order: Order
    manifest: Manifest
    readings: Sequence[Reading]  # left, right
    links: Links


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
        draft.resume(fit_inputs_of(linker, inputs, checked))
        folder = draft.run
        with watch.stage("fitting"):
            stages = stages_of(workers, linker, inputs, draft.work)
            fitted = fit_linker(linker, inputs, draft.work, on_stage) if stages is None else stages.fit(inputs.known)
            inner, orders = in_order(fitted)
        with watch.stage("calibrating"):
            correction = calibrate_fit(linker, inner, orders.pairs(inputs.known), bar, stages)
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
