"""The fitted state from plain arrays and words."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.pair_model import Curve, PairModel
from factlink.decision.soft_assignment import Assignment
from factlink.encoders.ngrams.rows import GramCounts, Grams
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.plugged import text_encoder
from factlink.encoders.readings.written import ReadingRules
from factlink.linkers.factoid.learned.raw_grams import RawGrams
from factlink.linkers.factoid.state.state import (
    AttributeState,
    FactoidState,
    LearnedNameState,
    LinkState,
    NameState,
    PartnerState,
    ProbabilityState,
    Voters,
)
from factlink.linkers.factoid.state.stored import EXPECTED, FIRST, HOP, SIDES, VOTES, Array, fixed_encoder, vector_names
from factlink.linkers.factoid.written.handles import HandleState
from factlink.protocols import Encoder, FittedState
from factlink.types import Kind, Pairs


def unpack(state: FittedState) -> FactoidState:
    """The unpacked state; arrays stay memory-mapped, so those of a million users may be on disk."""
    arrays, words = state.arrays, state.words
    assignment = _assignment(words, arrays)
    attributes = tuple(
        _attribute(f"attribute{i}", described, arrays) for i, described in enumerate(words["attributes"])
    )
    probability = None if "keys" not in words.get("probability", {}) else _probability(words["probability"], arrays)
    return FactoidState(
        _names(words, arrays),
        attributes,
        _links(words, arrays),
        assignment,
        probability,
        _handles(words),
        words.get("declared"),
        _partners(words, arrays),
        _learned(words, arrays),
    )


def _learned(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> LearnedNameState | None:
    if "learned" not in words:
        return None
    grams = RawGrams(np.asarray(arrays["learned.buckets"]), np.asarray(arrays["learned.rarity"]))
    expected = [arrays[name] for name in EXPECTED if name in arrays]
    return LearnedNameState(words["learned"]["weight"], grams, arrays["learned.lesson"], expected)


def _handles(words: Mapping[str, Any]) -> HandleState | None:
    """None in runs of versions that did not keep them."""
    if "handles" not in words:
        return None
    described = words["handles"]
    gains = np.array(described["gains"], np.float32)
    return HandleState(described["weight"], described["names_left"], gains)


def _partners(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> PartnerState | None:
    if "partners" not in words:
        return None
    first = _probability(words["first"], arrays, FIRST)
    left, right = (len(levels) for levels in first.levels)
    shapes = zip(SIDES, ((left, right), (right, left)), strict=True)
    here, there = (_matrix(f"{side}.partners", arrays, shape) for side, shape in shapes)
    return PartnerState(words["partners"]["weight"], first, (here, there))


def _probability(described: Mapping[str, Any], arrays: Mapping[str, Array], prefix: str = "") -> ProbabilityState:
    model = described["model"]
    *channels, gap = (Curve(tuple(c["knots"]), tuple(c["slopes"])) for c in (*model["channels"], model["gap"]))
    (left_totals, right_totals), (left_levels, right_levels) = (
        [arrays[f"{prefix}{side}.{part}"] for side in SIDES] for part in ("totals", "levels")
    )
    return ProbabilityState(
        PairModel(model["intercept"], tuple(channels), gap),
        tuple(described["keys"]),
        _calibration(described["calibration"]),
        (described["free"][0], described["free"][1]),
        (left_totals, right_totals),
        (left_levels, right_levels),
    )


def _calibration(words: Mapping[str, Any]) -> DecoyCalibration:
    by_side = tuple((intercept, slope) for intercept, slope in words.get("by_side", ()))
    return DecoyCalibration(words["intercept"], words["slope"], by_side)


def _assignment(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> Assignment:
    """How users compete; runs of version 0.1.0 keep it under other names."""
    scaling, no_match = ("scaling", "no_match") if "no_match" in words else ("pulls", "alone")
    left, right = (arrays[f"{side}.{scaling}"] for side in SIDES)
    return Assignment(np.empty(0, np.float32), right, left, *words[no_match])


def _space(name: str, described: Mapping[str, Any], arrays: Mapping[str, Array]) -> GramSpace:
    counts = np.zeros(described["n_buckets"], np.int32)
    counts[arrays[f"{name}.buckets"]] = arrays[f"{name}.counts"]
    known = GramCounts(described["n_strings"], counts)
    return GramSpace(Grams(**described["grams"]), known, np.asarray(arrays[f"{name}.direction"]), described["seed"])


def _names(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> NameState | None:
    if "names" not in words:
        return None
    described = words["names"]
    left, right = ([arrays[name] for name in vector_names(side) if name in arrays] for side in SIDES)
    weights = described["weights"][0], described["weights"][1]
    space, rules = _space("names", described["space"], arrays), ReadingRules(**described.get("rules", {"none": True}))
    return NameState(described.get("weight", 1.0), space, weights, (left, right), rules)


def _attribute(name: str, described: Mapping[str, Any], arrays: Mapping[str, Array]) -> AttributeState:
    predicates = described["predicates"][0], described["predicates"][1]
    return AttributeState(
        predicates, described["weight"], _encoder(name, described, arrays), np.asarray(arrays[f"{name}.mean"])
    )


def _encoder(name: str, described: Mapping[str, Any], arrays: Mapping[str, Array]) -> Encoder:
    if "space" in described:
        return _space(name, described["space"], arrays)
    if "model" in described:
        return text_encoder(described["model"], centred=False)
    return fixed_encoder(Kind(described["kind"]), described["seed"])


def _links(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> LinkState | None:
    if "links" not in words:
        return None
    described, linked = words["links"], Pairs(arrays["linked.lefts"], arrays["linked.rights"])
    return LinkState(
        (_neighbours("left", arrays), _neighbours("right", arrays)),
        (described["weights"][0], described["weights"][1]),
        described[HOP],
        np.asarray(arrays["links.mean"]),
        described[VOTES],
        Voters(linked, arrays["linked.strengths"]),
    )


def _matrix(name: str, arrays: Mapping[str, Array], shape: tuple[int, int]) -> csr_matrix:
    ends, rows, weights = (arrays[f"{name}.{part}"] for part in ("ends", "rows", "weights"))
    return csr_matrix((weights, rows, ends), shape=shape, copy=False)


def _neighbours(side: str, arrays: Mapping[str, Array]) -> csr_matrix:
    n_users = len(arrays[f"{side}.neighbours.ends"]) - 1
    return _matrix(f"{side}.neighbours", arrays, (n_users, n_users))
