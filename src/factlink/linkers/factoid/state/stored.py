"""The fitted state as plain arrays and words."""

from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.decision.soft_assignment import Assignment
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.plugged import PluggedEncoder
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import RunError
from factlink.linkers.factoid.channels.attributes import encoder_of
from factlink.linkers.factoid.state.state import (
    AttributeState,
    FactoidState,
    LearnedNameState,
    LinkState,
    NameState,
    PartnerState,
    ProbabilityState,
)
from factlink.protocols import Encoder, FittedState
from factlink.types import Kind

SIDES = ("left", "right")

FIXED = (Kind.CATEGORY, Kind.DATE, Kind.NUMBER)
"""Kinds whose vectors do not depend on what else there is."""

EXPECTED = "left.expected", "left.expected.later"  # names, of the users a run began with and of those added later
HOP, VOTES = "links", "linked neighbours"  # words of space.json since its first version
FIRST = "first."  # before the arrays of probabilities from before other networks were heard

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
    if state.learned:
        packer.add_learned(state.learned)
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
        self.add_probability(partners.first, "first", FIRST)
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
            self.arrays |= dict(zip(vector_names(side), vectors, strict=False))

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
            described["kind"] = next(kind.value for kind in FIXED if isinstance(encoder, type(fixed_encoder(kind, 0))))
        self.words["attributes"].append(described)

    def add_links(self, links: LinkState) -> None:
        for side, matrix in zip(SIDES, links.neighbours, strict=True):
            self.add_matrix(f"{side}.neighbours", matrix)
        linked = links.voters.linked
        self.arrays |= {"linked.lefts": linked.lefts, "linked.rights": linked.rights}
        self.arrays |= {"linked.strengths": links.voters.strengths, "links.mean": links.hop_mean}
        self.words["links"] = {"weights": list(links.weights), HOP: links.hop_weight, VOTES: links.vote_weight}

    def add_learned(self, learned: LearnedNameState) -> None:
        self.words["learned"] = {"weight": learned.weight}
        self.arrays |= {"learned.buckets": learned.grams.buckets, "learned.rarity": learned.grams.rarity}
        self.arrays |= {"learned.lesson": learned.lesson, **dict(zip(EXPECTED, learned.expected, strict=False))}


def vector_names(side: str) -> tuple[str, str]:
    """Of the users a run began with, and of those added later."""
    return f"{side}.vectors", f"{side}.vectors.later"


def fixed_encoder(kind: Kind, seed: int) -> Encoder:
    """Of a kind whose vectors do not depend on what else there is."""
    encoder = encoder_of(kind, kind, seed)
    if encoder is None:
        raise RunError(f"the run's space speaks of kind '{kind}', which has no vectors; link again")
    return encoder
