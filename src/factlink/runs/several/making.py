"""Three networks or more in, one run folder out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import polars as pl

from factlink.data.frames import Reading
from factlink.decision.decisions import DecisionRule
from factlink.decision.platt import PlattScaling
from factlink.encoders.cache import EncoderCache
from factlink.errors import RunError, SettingError
from factlink.execution.memory import peak_memory_bytes
from factlink.linkers.settings import agree_one_to_one, make_within_linker, remake_linker, settings_of
from factlink.progress import heard_by
from factlink.protocols import Joint, Linker, Scorer
from factlink.runs.folder.drafts import ENCODED, unfinished_parts
from factlink.runs.folder.manifest import Stopwatch, checksums, installed_versions, network_checksum
from factlink.runs.folder.persons import save_persons
from factlink.runs.folder.several import (
    Places,
    SeveralManifest,
    compared_networks,
    is_several,
    load_several,
    pair_folder,
    save_several,
)
from factlink.runs.folder.store import check_writable, kept_vectors, save_manifest
from factlink.runs.inputs import LinkRequest
from factlink.runs.keeping import Job, input_of, keep_run, manifest_of
from factlink.runs.making import USUAL, LinkResult
from factlink.runs.several.inputs import SeveralInputs, SeveralRequest, read_several
from factlink.types import Verdict

Stage = Callable[[str], None]
DEFAULT = "factoid"


@dataclass(frozen=True, slots=True, eq=False)
class SeveralResult:
    """A run just made, with what a person wants to see of it."""

    request: SeveralRequest
    manifest: SeveralManifest
    readings: Sequence[Reading]
    parts: Mapping[Places, LinkResult]
    persons: pl.DataFrame  # columns MEMBERS


def make_several(
    request: SeveralRequest,
    linker: Linker,
    on_stage: Stage = lambda stage: None,
    read: Callable[[SeveralRequest], SeveralInputs] = read_several,
    rule: DecisionRule = USUAL,
    earlier: Path | None = None,
) -> SeveralResult:
    """Reads, fits, links and saves; persons keep their ids from the run that is replaced, or from an earlier one."""
    linker, one_to_one = agree_one_to_one(linker, wanted=rule.one_to_one)
    joint, rule, watch = (
        joint_linker(linker),
        replace(rule, one_to_one=one_to_one, calibrated=False),
        Stopwatch(on_stage),
    )
    check_writable(request.out, overwrite=request.overwrite)
    with watch.stage("reading"):
        inputs = read(request)
        names = [network.name for network in inputs.networks]
        check_replaceable(request.out, names, list(inputs.pairs))
    runs = [run for run in (earlier, request.out) if run and run.exists()]
    judged = {pair_folder(Path(), pair).as_posix(): part.judgements for pair, part in inputs.pairs.items()}
    with (
        unfinished_parts(request.out, judged) as draft,
        kept_vectors(draft.work / ENCODED, runs, half=request.half) as encoder_cache,
        heard_by(watch.tell),
    ):
        check_writable(request.out, overwrite=request.overwrite)
        checked = [checksums(*each) for each in zip(request.sources, inputs.networks, strict=True)]
        draft.resume(_made_from(linker, inputs))
        with watch.stage("fitting"):
            scorers = fit_parts(joint, inputs, watch.tell)
        parts = {}
        for pair, scorer in scorers.items():
            job = _job(request, pair, linker, inputs, rule, checked, encoder_cache)
            parts[pair] = _keep_part(pair_folder(draft.run, pair), scorer, job, watch)
        with watch.stage("persons"):
            compared = compared_networks(draft.run, names, list(parts), single=rule.one_to_one)
            compared = replace(compared, refused=_refused(inputs))
            persons = save_persons(draft.run, compared, request.out if request.out.exists() else earlier)
        manifest = SeveralManifest(
            linker=linker.name,
            settings=settings_of(linker),
            networks=[input_of(*each) for each in zip(inputs.readings, request.sources, checked, strict=True)],
            pairs=list(parts),
            seconds=watch.seconds,
            peak_memory_bytes=peak_memory_bytes(),
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            notes=_notes(persons, rule, request),
        )
        save_several(draft.run, manifest)
    return SeveralResult(request, manifest, inputs.readings, parts, persons)


def fit_parts(joint: Joint, inputs: SeveralInputs, on_progress: Stage) -> dict[Places, Scorer]:
    """Scorers of the pairs of networks in one model, and of networks compared with themselves."""
    across = [pair for pair, part in inputs.pairs.items() if not part.within]
    scorers = dict(joint.fit_several(inputs.networks, across, inputs.known, on_progress))
    for place, _ in (pair for pair, part in inputs.pairs.items() if part.within):
        network = inputs.networks[place]
        on_progress(f"several accounts in {network.name}")
        scorers[place, place] = within_linker(cast(Linker, joint)).fit(network, network)
    return scorers


def within_linker(linker: Linker) -> Linker:
    """The linker of several accounts in one network, with the same settings where it has them."""
    if linker.name == DEFAULT:
        return remake_linker(linker.name, settings_of(linker), within=True)
    return cast(Linker, make_within_linker({}, getattr(linker, "seed", 0)))


def joint_linker(linker: Linker) -> Joint:
    """The linker, if it links three networks or more in one model."""
    if not isinstance(linker, Joint):
        raise SettingError(f"linker '{linker.name}' links two networks only; for more use factoid, fe or cosnet")
    return linker


def check_replaceable(out: Path, names: Sequence[str], pairs: Sequence[Places]) -> None:
    """Refuses to replace a run of other networks or pairs, whose judgements would have no place."""
    if not out.exists() or not any(out.iterdir()):
        return
    if not is_several(out):
        raise RunError(f"{out} holds a run of two networks; name another folder, so that its judgements stay")
    old = load_several(out)
    if old.names != list(names) or not set(old.pairs) <= set(pairs):
        raise RunError(
            f"{out} holds a run of {', '.join(old.names)} with pairs that this one would not have; name another "
            "folder, so that its judgements stay"
        )


def _job(
    request: SeveralRequest,
    pair: Places,
    linker: Linker,
    inputs: SeveralInputs,
    rule: DecisionRule,
    checked: Sequence[Mapping[str, str]],
    encoder_cache: EncoderCache,
) -> Job:
    left, right = pair
    part = LinkRequest(
        request.sources[left], request.sources[right], pair_folder(request.out, pair), request.known, half=request.half
    )
    if (left, left) in inputs.pairs:
        rule = replace(rule, one_to_one=False)
    if left == right:
        linker = within_linker(linker)
    return Job(part, linker, inputs.pairs[pair], rule, (checked[left], checked[right]), encoder_cache)


def _keep_part(folder: Path, scorer: Scorer, job: Job, watch: Stopwatch) -> LinkResult:
    """The run of two of the networks."""
    folder.mkdir(parents=True)
    links, notes = keep_run(folder, scorer, PlattScaling(), job, watch)
    manifest = manifest_of(job, watch, notes)
    save_manifest(folder, manifest)
    return LinkResult(job.request, manifest, job.inputs.readings, links, scorer)


def _notes(persons: pl.DataFrame, rule: DecisionRule, request: SeveralRequest) -> dict[str, Any]:
    return {
        "decision_rule": {
            "precision": rule.precision,
            "one_to_one": rule.one_to_one,
            "calibrated": rule.calibrated,
            "min_probability": rule.min_probability,
        },
        "persons": count_persons(persons),
        "half": request.half,
    }


def _refused(inputs: SeveralInputs) -> dict[Places, pl.DataFrame]:
    """Pairs that were judged not to match, by id."""
    networks, found = inputs.networks, {}
    for (left, right), part in inputs.pairs.items():
        lefts, rights = (
            networks[left].users.gather(part.refused.lefts),
            networks[right].users.gather(part.refused.rights),
        )
        found[left, right] = pl.DataFrame({"left": lefts, "right": rights})
        if part.within and part.judgements is not None:
            latest = part.judgements.sort("at").unique(["left", "right"], keep="last", maintain_order=True)
            found[left, right] = latest.filter(verdict=Verdict.NON_MATCH.value).select("left", "right")
    return found


def count_persons(members: pl.DataFrame) -> dict[str, int]:
    """How many persons there are, by how many accounts they have."""
    sizes = members.group_by("person").len()["len"].value_counts().sort("len")
    return {str(accounts): persons for accounts, persons in sizes.iter_rows()}


def _made_from(linker: Linker, inputs: SeveralInputs) -> dict[str, Any]:
    """All that a fit depends on."""
    settings = {"linker": linker.name, "settings": settings_of(linker), "versions": installed_versions()}
    networks = [network_checksum(network) for network in inputs.networks]
    known = {f"{a}-{b}": [found.lefts.tolist(), found.rights.tolist()] for (a, b), found in inputs.known.items()}
    return settings | {"networks": networks, "known": known, "pairs": [list(pair) for pair in inputs.pairs]}
