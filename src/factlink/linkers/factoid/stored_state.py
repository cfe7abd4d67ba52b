"""The fitted state as plain arrays and words, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.pair_model import Curve, PairModel
from factlink.decision.soft_assignment import Assignment
from factlink.encoders.ngrams.rows import GramCounts, Grams
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.plugged import PluggedEncoder, text_encoder
from factlink.encoders.readings.written import ReadingRules
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import RunError
from factlink.linkers.factoid.attributes import encoder_of
from factlink.linkers.factoid.state import (
    AttributeState,
    FactoidState,
    LinkState,
    NameState,
    PartnerState,
    ProbabilityState,
    Voters,
)
from factlink.linkers.factoid.written.handles import HandleState
from factlink.protocols import Encoder, FittedState
from factlink.types import Kind, Pairs

SIDES = ("left", "right")

FIXED = (Kind.CATEGORY, Kind.DATE, Kind.NUMBER)
"""Kinds whose vectors do not depend on what else there is."""

_HOP, _VOTES = "links", "linked neighbours"  # words of space.json since its first version
_FIRST = "first."  # before the arrays of probabilities from before other networks were heard

Array = npt.NDArray[Any]


def pack(state: FactoidState) -> FittedState:
    """As plain arrays and words; vectors in float16."""
    packer = _Packer()
    packer.add_assignment(state.assignment)
    if state.probability:
        packer.add_probability(state.probability)
    if state.names:
        packer.add_names(state.names)
    for place, attribute in enumerate(state.attributes):
        packer.add_attribute(f"attribute{place}", attribute)
    if state.links:
        packer.add_links(state.links)
    if state.handles:
        packer.words["handles"] = asdict(state.handles) | {"gains": state.handles.gains.tolist()}
    if state.trust is not None:
        packer.words["declared"] = dict(state.trust)
    if state.partners:
        packer.add_partners(state.partners)
    return FittedState(packer.arrays, packer.words)


class _Packer:
    """Arrays by name, and words."""

    def __init__(self) -> None:
        self.arrays: dict[str, Array] = {}
        self.words: dict[str, Any] = {"attributes": []}

    def add_assignment(self, assignment: Assignment) -> None:
        self.arrays |= {"left.scaling": assignment.left_scaling, "right.scaling": assignment.right_scaling}
        self.words["no_match"] = [assignment.left_no_match, assignment.right_no_match]

    def add_probability(self, probability: ProbabilityState, name: str = "probability", prefix: str = "") -> None:
        for side, totals, levels in zip(SIDES, probability.totals, probability.levels, strict=True):
            self.arrays |= {f"{prefix}{side}.totals": totals, f"{prefix}{side}.levels": levels}
        self.words[name] = {
            "model": asdict(probability.model),
            "keys": list(probability.keys),
            "calibration": asdict(probability.calibration),
            "free": list(probability.free),
        }

    def add_partners(self, partners: PartnerState) -> None:
        """What is said to other networks."""
        self.words["partners"] = {"weight": partners.weight}
        self.add_probability(partners.first, "first", _FIRST)
        for side, matrix in zip(SIDES, partners.partners, strict=True):
            self.add_matrix(f"{side}.partners", matrix)

    def add_matrix(self, name: str, matrix: csr_matrix) -> None:
        self.arrays |= {f"{name}.ends": matrix.indptr, f"{name}.rows": matrix.indices, f"{name}.weights": matrix.data}

    def add_space(self, name: str, space: GramSpace) -> dict[str, Any]:
        """N-grams that occur are few beside the buckets of a small run."""
        counts = space.counts.whole()
        buckets = np.flatnonzero(counts)
        self.arrays[f"{name}.buckets"] = buckets.astype(np.int32)
        self.arrays[f"{name}.counts"] = counts[buckets].astype(np.int32)
        self.arrays[f"{name}.direction"] = space.mean
        return {
            "grams": asdict(space.grams),
            "seed": space.seed,
            "n_strings": space.counts.n_strings,
            "n_buckets": len(counts),
        }

    def add_names(self, names: NameState) -> None:
        space = self.add_space("names", names.space)
        described = {"weight": names.weight, "weights": list(names.weights), "space": space}
        self.words["names"] = described | {"rules": asdict(names.rules)}
        for side, vectors in zip(SIDES, names.vectors, strict=True):
            self.arrays |= dict(zip(_vector_names(side), vectors, strict=False))

    def add_attribute(self, name: str, attribute: AttributeState) -> None:
        encoder = attribute.encoder
        self.arrays[f"{name}.mean"] = attribute.mean
        described: dict[str, Any] = {"predicates": list(attribute.predicates), "weight": attribute.weight}
        if isinstance(encoder, GramSpace):
            described["space"] = self.add_space(name, encoder)
        elif isinstance(encoder, SentenceEncoder | PluggedEncoder):
            described["model"] = encoder.model
        else:
            described["seed"] = getattr(encoder, "seed", 0)
            described["kind"] = next(kind.value for kind in FIXED if isinstance(encoder, type(_fixed(kind, 0))))
        self.words["attributes"].append(described)

    def add_links(self, links: LinkState) -> None:
        for side, matrix in zip(SIDES, links.neighbours, strict=True):
            self.add_matrix(f"{side}.neighbours", matrix)
        linked = links.voters.linked
        self.arrays |= {"linked.lefts": linked.lefts, "linked.rights": linked.rights}
        self.arrays |= {"linked.strengths": links.voters.strengths, "links.mean": links.hop_mean}
        self.words["links"] = {"weights": list(links.weights), _HOP: links.hop_weight, _VOTES: links.vote_weight}


def unpack(state: FittedState) -> FactoidState:
    """The unpacked state; arrays stay memory-mapped, so those of a million users may be on disk."""
    arrays, words = state.arrays, state.words
    assignment = _assignment(words, arrays)
    attributes = tuple(
        _attribute(f"attribute{i}", described, arrays) for i, described in enumerate(words["attributes"])
    )
    probability = None if "keys" not in words.get("probability", {}) else _probability(words["probability"], arrays)
    links, handles, partners = _links(words, arrays), _handles(words), _partners(words, arrays)
    return FactoidState(
        _names(words, arrays), attributes, links, assignment, probability, handles, words.get("declared"), partners
    )


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
    first = _probability(words["first"], arrays, _FIRST)
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
    left, right = ([arrays[name] for name in _vector_names(side) if name in arrays] for side in SIDES)
    weights = described["weights"][0], described["weights"][1]
    space, rules = _space("names", described["space"], arrays), ReadingRules(**described.get("rules", {"none": True}))
    return NameState(described.get("weight", 1.0), space, weights, (left, right), rules)


def _vector_names(side: str) -> tuple[str, str]:
    """Of the users a run began with, and of those added later."""
    return f"{side}.vectors", f"{side}.vectors.later"


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
    return _fixed(Kind(described["kind"]), described["seed"])


def _fixed(kind: Kind, seed: int) -> Encoder:
    encoder = encoder_of(kind, kind, seed)
    if encoder is None:
        raise RunError(f"the run's space speaks of kind '{kind}', which has no vectors; link again")
    return encoder


def _links(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> LinkState | None:
    if "links" not in words:
        return None
    described, linked = words["links"], Pairs(arrays["linked.lefts"], arrays["linked.rights"])
    return LinkState(
        (_neighbours("left", arrays), _neighbours("right", arrays)),
        (described["weights"][0], described["weights"][1]),
        described[_HOP],
        np.asarray(arrays["links.mean"]),
        described[_VOTES],
        Voters(linked, arrays["linked.strengths"]),
    )


def _matrix(name: str, arrays: Mapping[str, Array], shape: tuple[int, int]) -> csr_matrix:
    ends, rows, weights = (arrays[f"{name}.{part}"] for part in ("ends", "rows", "weights"))
    return csr_matrix((weights, rows, ends), shape=shape, copy=False)


def _neighbours(side: str, arrays: Mapping[str, Array]) -> csr_matrix:
    n_users = len(arrays[f"{side}.neighbours.ends"]) - 1
    return _matrix(f"{side}.neighbours", arrays, (n_users, n_users))
