"""The main job: two network folders in, a run folder out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from factlink.candidates.reordered import in_order
from factlink.data.frames import Reading
from factlink.decision.decisions import DecisionRule
from factlink.execution.workers import Workers
from factlink.linkers.settings import agree_one_to_one
from factlink.progress import heard_by
from factlink.protocols import Linker, Scorer
from factlink.runs.fitting import calibrate_fit, fit_inputs_of, fit_linker, stages_of
from factlink.runs.folder.drafts import ENCODED, unfinished_run
from factlink.runs.folder.manifest import Manifest, Stopwatch, checksums
from factlink.runs.folder.persons import read_earlier, save_own_persons, save_pair_persons
from factlink.runs.folder.several import refuse_several
from factlink.runs.folder.store import check_writable, kept_vectors, load_manifest, save_manifest
from factlink.runs.inputs import Inputs, LinkRequest, read_inputs
from factlink.runs.keeping import Job, keep_run, manifest_of
from factlink.types import Links

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
    refuse_several(request.out)
    if reuse:
        load_manifest(reuse)
    earlier = [run for run in (reuse, request.out) if run and run.exists()]
    read_earlier(request.out)
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
        with watch.stage("fitting"):
            stages = stages_of(workers, linker, inputs, draft.work)
            fitted = fit_linker(linker, inputs, draft.work, on_stage) if stages is None else stages.fit(inputs.known)
            inner, orders = in_order(fitted)
        with watch.stage("calibrating"):
            platt = calibrate_fit(linker, inner, orders.pairs(inputs.known), rule, stages)
        job = Job(request, linker, inputs, rule, checked, encoder_cache)
        links, notes = keep_run(draft.run, fitted, platt, job, watch)
        before = request.out if request.out.exists() else reuse
        if inputs.within:
            save_own_persons(draft.run, left.name, before)
        else:
            save_pair_persons(draft.run, (left.name, right.name), rule, before)
        manifest = manifest_of(job, watch, notes)
        save_manifest(draft.run, manifest)
    return LinkResult(request, manifest, inputs.readings, links, fitted)
