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
from factlink.data.sources.registry import source_shown
from factlink.decision.decisions import DecisionRule
from factlink.decision.likelihoods import estimate_false_rate, estimate_likelihoods
from factlink.decision.platt import PlattScaling
from factlink.execution.memory import peak_memory_bytes
from factlink.execution.workers import Workers
from factlink.linkers.settings import agree_one_to_one, settings_of
from factlink.progress import heard_by
from factlink.protocols import Linker, Scorer
from factlink.runs.fitting import calibrate_fit, fit_inputs_of, fit_linker, stages_of
from factlink.runs.folder.drafts import ENCODED, unfinished_run
from factlink.runs.folder.listing import save_listing
from factlink.runs.folder.manifest import Input, Manifest, Stopwatch, checksums
from factlink.runs.folder.states import save_state
from factlink.runs.folder.store import (
    KNOWN,
    check_writable,
    kept_vectors,
    load_manifest,
    save_candidates,
    save_links,
    save_manifest,
)
from factlink.runs.inputs import Inputs, LinkRequest, read_inputs
from factlink.runs.keeping import keep_evidence, keep_vectors
from factlink.types import Links

DEPTH = 50
"""Candidates kept per left user: enough for HR@30, and past it MRR moves by less than 1/50 of a share."""


USUAL = DecisionRule()


@dataclass(frozen=True, slots=True, eq=False)
class LinkResult:
    """A run just made, with what a person wants to see of it."""

    request: LinkRequest
    manifest: Manifest
    readings: Sequence[Reading]  # left, right
    links: Links
    scorer: Scorer | None = None


def make_run(
    request: LinkRequest,
    linker: Linker,
    on_stage: Callable[[str], None] = lambda stage: None,
    read: Callable[[LinkRequest], Inputs] = read_inputs,
    rule: DecisionRule = USUAL,
    workers: Workers | None = None,
    reuse: Path | None = None,
) -> LinkResult:
    """Reads, fits, links and saves; nothing is written before the inputs are validated.

    Vectors of names, texts and pictures are kept with the run; those of the run to `reuse`, or of one that is replaced,
    are not made again.
    """
    linker, one_to_one = agree_one_to_one(linker, wanted=rule.one_to_one)
    rule = replace(rule, one_to_one=one_to_one)
    watch = Stopwatch(on_stage)
    check_writable(request.out, overwrite=request.overwrite)
    if reuse:
        load_manifest(reuse)
    earlier = [run for run in (reuse, request.out) if run and run.exists()]
    with watch.stage("reading"):
        inputs = read(request)
        left, right = (reading.network for reading in inputs.readings)
    with (
        unfinished_run(request.out, inputs.judgements) as draft,
        kept_vectors(draft.work / ENCODED, earlier, half=request.half) as encoder_cache,
        heard_by(watch.tell),
    ):
        check_writable(request.out, overwrite=request.overwrite)
        checked = checksums(request.left, left), checksums(request.right, right)
        draft.resume(fit_inputs_of(linker, inputs, checked))
        folder = draft.run
        with watch.stage("fitting"):
            stages = stages_of(workers, linker, inputs, draft.work)
            fitted = fit_linker(linker, inputs, draft.work, on_stage) if stages is None else stages.fit(inputs.known)
            inner, orders = in_order(fitted)
        with watch.stage("calibrating"):
            platt = calibrate_fit(linker, inner, orders.pairs(inputs.known), rule, stages)
        with watch.stage("matching"):
            found, overrides = best_candidates(inner, DEPTH), inputs.overrides(orders)
            likely = platt.apply(estimate_likelihoods(inner, one_to_one=rule.one_to_one, found=found))
            links = orders.links(overrides.decide(likely, rule.precision, rule.min_probability))
            candidates = orders.candidates(overrides.candidates(found))
        with watch.stage("saving"):
            write_network(left, folder / "left")
            write_network(right, folder / "right")
            save_candidates(folder, candidates)
            if (state := fitted.keep_state()) is not None:
                save_state(folder, state)
            save_links(folder, links, left, right)
            if len(inputs.known):
                write_pairs(inputs.known, folder / KNOWN, left, right)
        notes = _notes(inner, links, rule, platt) | {"estimated_by": likely.how}
        notes["encoded"] = {"made": len(encoder_cache.made), "reused": len(encoder_cache.reused)}
        notes["half"] = request.half
        with watch.stage("explaining"):
            notes["evidence"] = keep_evidence(fitted, links, candidates, folder)
            save_listing(folder)
        keep_vectors(fitted, links, folder)
        manifest = _manifest(request, linker, inputs, watch, notes, checked)
        save_manifest(folder, manifest)
    return LinkResult(request, manifest, inputs.readings, links, fitted)


def _notes(scorer: Scorer, links: Links, rule: DecisionRule, platt: PlattScaling) -> dict[str, Any]:
    """What the run found out: how much each predicate counts, and how many links are expected to be false."""
    weights = [asdict(weight) for weight in getattr(scorer, "channel_weights", ())]
    rate = estimate_false_rate(links.probabilities[links.found_links()])
    ties = int(np.count_nonzero(links.margins == 0))
    notes: dict[str, Any] = {"decision_rule": asdict(rule), "links": links.count_links(), "expected_false_links": rate}
    notes |= {"ties": ties, "channel_weights": weights}
    if platt != PlattScaling():
        notes["platt_scaling"] = asdict(platt)
    if (found_by := getattr(scorer, "found_by", None)) is not None:
        notes["search"] = asdict(found_by)
    return notes


def _manifest(
    request: LinkRequest,
    linker: Linker,
    inputs: Inputs,
    watch: Stopwatch,
    notes: Mapping[str, Any],
    checked: Sequence[Mapping[str, str]],
) -> Manifest:
    sides = zip(inputs.readings, (request.left, request.right), checked, strict=True)
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


def _input(reading: Reading, source: object, checked: Mapping[str, str]) -> Input:
    network = reading.network
    kinds = {predicate: attribute.kind.value for predicate, attribute in network.attributes.items()}
    return Input(
        network.name, source_shown(source), len(network), sum(map(len, network.links.values())), kinds, checked
    )
