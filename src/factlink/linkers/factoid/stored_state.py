"""The fitted state as plain arrays and words, and back."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.decision.soft_assignment import Assignment
from factlink.encoders.ngrams.rows import GramCounts, Grams
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import RunError
from factlink.linkers.factoid.attributes import encoder_of
from factlink.linkers.factoid.state import AttributeMemory, FactoidMemory, LinkMemory, NameMemory, Voters
from factlink.protocols import Encoder, Memory
from factlink.types import Kind, Pairs

SIDES = ("left", "right")


FIXED = (Kind.CATEGORY, Kind.DATE, Kind.NUMBER)
"""Kinds whose vectors do not depend on what else there is."""


_HOP, _VOTES = "links", "linked neighbours"  # words of space.json since its first version


Array = npt.NDArray[Any]


def pack(state: FactoidMemory) -> Memory:
    """As plain arrays and words; vectors in float16."""
    packer = _Packer()
    packer.add_assignment(state.assignment)
    if state.names:
        packer.add_names(state.names)
    for place, attribute in enumerate(state.attributes):
        packer.add_attribute(f"attribute{place}", attribute)
    if state.links:
        packer.add_links(state.links)
    return Memory(packer.arrays, packer.words)


class _Packer:
    """Arrays by name, and words."""

    def __init__(self) -> None:
        self.arrays: dict[str, Array] = {}
        self.words: dict[str, Any] = {"attributes": []}

    def add_assignment(self, assignment: Assignment) -> None:
        self.arrays |= {"left.pulls": assignment.left_pulls, "right.pulls": assignment.right_pulls}
        self.words["alone"] = [assignment.left_alone, assignment.right_alone]

    def add_space(self, name: str, space: GramSpace) -> dict[str, Any]:
        """N-grams that occur are few beside the buckets of a small run."""
        counts = space.counts
        buckets = np.flatnonzero(counts.counts)
        self.arrays[f"{name}.buckets"] = buckets.astype(np.int32)
        self.arrays[f"{name}.counts"] = counts.counts[buckets].astype(np.int32)
        self.arrays[f"{name}.direction"] = space.mean
        return {
            "grams": asdict(space.grams),
            "seed": space.seed,
            "n_strings": counts.n_strings,
            "n_buckets": len(counts.counts),
        }

    def add_names(self, names: NameMemory) -> None:
        space = self.add_space("names", names.space)
        self.words["names"] = {"weight": names.weight, "weights": list(names.weights), "space": space}
        for side, vectors in zip(SIDES, names.vectors, strict=True):
            self.arrays |= dict(zip(_vector_names(side), vectors, strict=False))

    def add_attribute(self, name: str, attribute: AttributeMemory) -> None:
        encoder = attribute.encoder
        self.arrays[f"{name}.mean"] = attribute.mean
        told: dict[str, Any] = {"predicates": list(attribute.predicates), "weight": attribute.weight}
        if isinstance(encoder, GramSpace):
            told["space"] = self.add_space(name, encoder)
        elif isinstance(encoder, SentenceEncoder):
            told["model"] = encoder.model
        else:
            told["seed"] = getattr(encoder, "seed", 0)
            told["kind"] = next(kind.value for kind in FIXED if isinstance(encoder, type(_fixed(kind, 0))))
        self.words["attributes"].append(told)

    def add_links(self, links: LinkMemory) -> None:
        for side, matrix in zip(SIDES, links.neighbours, strict=True):
            self.arrays[f"{side}.neighbours.ends"] = matrix.indptr
            self.arrays[f"{side}.neighbours.rows"] = matrix.indices
            self.arrays[f"{side}.neighbours.weights"] = matrix.data
        linked = links.voters.linked
        self.arrays |= {"linked.lefts": linked.lefts, "linked.rights": linked.rights}
        self.arrays |= {"linked.strengths": links.voters.strengths, "links.mean": links.hop_mean}
        self.words["links"] = {"weights": list(links.weights), _HOP: links.hop_weight, _VOTES: links.vote_weight}


def unpack(memory: Memory) -> FactoidMemory:
    """What was packed; arrays stay where they are, so those of a million users may lie on disk."""
    arrays, words = memory.arrays, memory.words
    assignment = Assignment(np.empty(0, np.float32), arrays["right.pulls"], arrays["left.pulls"], *words["alone"])
    attributes = tuple(_attribute(f"attribute{i}", told, arrays) for i, told in enumerate(words["attributes"]))
    return FactoidMemory(_names(words, arrays), attributes, _links(words, arrays), assignment)


def _space(name: str, told: Mapping[str, Any], arrays: Mapping[str, Array]) -> GramSpace:
    counts = np.zeros(told["n_buckets"], np.int32)
    counts[arrays[f"{name}.buckets"]] = arrays[f"{name}.counts"]
    known = GramCounts(told["n_strings"], counts)
    return GramSpace(Grams(**told["grams"]), known, np.asarray(arrays[f"{name}.direction"]), told["seed"])


def _names(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> NameMemory | None:
    if "names" not in words:
        return None
    told = words["names"]
    left, right = ([arrays[name] for name in _vector_names(side) if name in arrays] for side in SIDES)
    weights = told["weights"][0], told["weights"][1]
    return NameMemory(told.get("weight", 1.0), _space("names", told["space"], arrays), weights, (left, right))


def _vector_names(side: str) -> tuple[str, str]:
    """Of the users a run began with, and of those added later."""
    return f"{side}.vectors", f"{side}.vectors.later"


def _attribute(name: str, told: Mapping[str, Any], arrays: Mapping[str, Array]) -> AttributeMemory:
    predicates = told["predicates"][0], told["predicates"][1]
    return AttributeMemory(predicates, told["weight"], _encoder(name, told, arrays), np.asarray(arrays[f"{name}.mean"]))


def _encoder(name: str, told: Mapping[str, Any], arrays: Mapping[str, Array]) -> Encoder:
    if "space" in told:
        return _space(name, told["space"], arrays)
    if "model" in told:
        return SentenceEncoder(told["model"], centred=False)
    return _fixed(Kind(told["kind"]), told["seed"])


def _fixed(kind: Kind, seed: int) -> Encoder:
    encoder = encoder_of(kind, kind, seed)
    if encoder is None:
        raise RunError(f"the run's space speaks of kind '{kind}', which has no vectors; link again")
    return encoder


def _links(words: Mapping[str, Any], arrays: Mapping[str, Array]) -> LinkMemory | None:
    if "links" not in words:
        return None
    told, linked = words["links"], Pairs(arrays["linked.lefts"], arrays["linked.rights"])
    return LinkMemory(
        (_matrix("left", arrays), _matrix("right", arrays)),
        (told["weights"][0], told["weights"][1]),
        told[_HOP],
        np.asarray(arrays["links.mean"]),
        told[_VOTES],
        Voters(linked, arrays["linked.strengths"]),
    )


def _matrix(side: str, arrays: Mapping[str, Array]) -> csr_matrix:
    ends, rows, weights = (arrays[f"{side}.neighbours.{part}"] for part in ("ends", "rows", "weights"))
    n_users = len(ends) - 1
    return csr_matrix((weights, rows, ends), shape=(n_users, n_users), copy=False)
