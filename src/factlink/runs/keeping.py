"""What a run keeps: networks, links, candidates, the evidence for them, and what the linker found out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
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
from factlink.encoders.cache import EncoderCache
from factlink.execution.memory import peak_memory_bytes
from factlink.explanations.explain import MOST_PAIRS, PARTS_KEPT, choose_pairs, explain_pairs, measure_links
from factlink.linkers.settings import settings_of
from factlink.protocols import Linker, Scorer
from factlink.runs.folder.listing import save_listing
from factlink.runs.folder.manifest import Input, Manifest, Stopwatch
from factlink.runs.folder.states import save_state
from factlink.runs.folder.store import KNOWN, save_candidates, save_evidence, save_links, save_vectors
from factlink.runs.inputs import Inputs, LinkRequest
from factlink.types import DECISIONS, Candidates, Decision, Links

DEPTH = 50
"""Candidates kept per left user: enough for HR@30, and past it MRR moves by less than 1/50 of a share."""
BEST = 5
"""Candidates of a user whose evidence is kept, as long as the run is small."""
MAPPED = 500
"""Links whose vectors are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """What a run is made of and by."""

    request: LinkRequest
    linker: Linker
    inputs: Inputs
    rule: DecisionRule
    checked: Sequence[Mapping[str, str]]  # checksums of the left and the right source
    encoder_cache: EncoderCache
    keeps_state: bool = True  # whether accounts can be added later without fitting again


def keep_run(
    folder: Path, fitted: Scorer, platt: PlattScaling, job: Job, watch: Stopwatch
) -> tuple[Links, dict[str, Any]]:
    """Decides the links and writes all but the manifest; the links, and notes for the manifest."""
    inputs, rule = job.inputs, job.rule
    left, right = (reading.network for reading in inputs.readings)
    inner, orders = in_order(fitted)
    with watch.stage("matching"):
        found, overrides = best_candidates(inner, DEPTH), inputs.overrides(orders)
        likely = platt.apply(estimate_likelihoods(inner, one_to_one=rule.one_to_one, found=found))
        links = orders.links(overrides.decide(likely, rule.precision, rule.min_probability))
        candidates = orders.candidates(overrides.candidates(found))
    with watch.stage("saving"):
        write_network(left, folder / "left")
        write_network(right, folder / "right")
        save_candidates(folder, candidates)
        if job.keeps_state and (state := fitted.keep_state()) is not None:
            save_state(folder, state)
        save_links(folder, links, left, right)
        if len(inputs.known):
            write_pairs(inputs.known, folder / KNOWN, left, right)
    notes = _notes(inner, links, rule, platt) | {"estimated_by": likely.how}
    notes["encoded"] = {"made": len(job.encoder_cache.made), "reused": len(job.encoder_cache.reused)}
    notes["half"] = job.request.half
    if inputs.within:
        notes["within"] = True
    with watch.stage("explaining"):
        notes["evidence"] = keep_evidence(fitted, links, candidates, folder)
        save_listing(folder)
    keep_vectors(fitted, links, folder)
    return links, notes


def keep_evidence(scorer: Scorer, links: Links, candidates: Candidates, folder: Path) -> dict[str, Any]:
    """Writes the evidence of the links, and where they are few that of the best candidates; what was kept."""
    places = choose_pairs(links, MOST_PAIRS)
    lefts, rights = links.lefts[places], links.rights[places]
    k = min(BEST, MOST_PAIRS // max(1, len(links)), candidates.rights.shape[1])
    rows, columns = np.nonzero(candidates.rights[:, :k] >= 0)
    keys = np.concatenate([lefts, rows]).astype(np.int64) * len(scorer.right)
    keys = np.unique(keys + np.concatenate([rights, candidates.rights[rows, columns]]))
    evidence = explain_pairs(scorer, *np.divmod(keys, len(scorer.right)))
    save_evidence(folder, evidence)
    usual = asdict(measure_links(scorer, links, evidence))
    return {"pairs": len(places), "of": int((links.rights >= 0).sum()), "candidates": k, "parts": PARTS_KEPT, **usual}


def keep_vectors(scorer: Scorer, links: Links, folder: Path) -> None:
    """Writes vectors of both users of some links, evenly chosen: enough for a map; nothing where there are none."""
    linked = np.flatnonzero(links.decisions == DECISIONS.index(Decision.LINK))
    chosen = linked[:: max(1, len(linked) // MAPPED)][:MAPPED]
    if (vectors := scorer.place(links.lefts[chosen], links.rights[chosen])) is not None:
        save_vectors(folder, chosen, *vectors)


def _notes(scorer: Scorer, links: Links, rule: DecisionRule, platt: PlattScaling) -> dict[str, Any]:
    """What the run found out: how much each predicate counts, and how many links are expected to be false."""
    weights = [asdict(weight) for weight in getattr(scorer, "channel_weights", ())]
    found = links.probabilities[links.found_links()]
    rate = estimate_false_rate(found)
    ties = int(np.count_nonzero(links.margins == 0))
    notes: dict[str, Any] = {"decision_rule": asdict(rule), "links": links.count_links(), "expected_false_links": rate}
    notes |= {"ties": ties, "channel_weights": weights, "in_log_odds": scorer.in_log_odds}
    if (span := scorer.false_link_range(found)) is not None:
        notes["false_link_range"] = list(span)
    if platt != PlattScaling():
        notes["platt_scaling"] = asdict(platt)
    if (found_by := getattr(scorer, "found_by", None)) is not None:
        notes["search"] = asdict(found_by)
    if gains := getattr(scorer, "gains", ()):
        notes["read_better_with_scripts"] = [asdict(gain) for gain in gains]
    return notes


def manifest_of(job: Job, watch: Stopwatch, notes: Mapping[str, Any]) -> Manifest:
    """What made a run."""
    sides = zip(job.inputs.readings, (job.request.left, job.request.right), job.checked, strict=True)
    left, right = (input_of(*side) for side in sides)
    return Manifest(
        linker=job.linker.name,
        settings=settings_of(job.linker),
        left=left,
        right=right,
        known_pairs=len(job.inputs.known),
        seconds=watch.seconds,
        peak_memory_bytes=peak_memory_bytes(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=notes,
    )


def input_of(reading: Reading, source: object, checked: Mapping[str, str]) -> Input:
    """One network of a run as it was read."""
    network = reading.network
    kinds = {predicate: attribute.kind.value for predicate, attribute in network.attributes.items()}
    return Input(
        network.name, source_shown(source), len(network), sum(map(len, network.links.values())), kinds, checked
    )
