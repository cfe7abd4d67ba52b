"""Channels of evidence: rows of the left and the right users whose products are one part of the score."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, issparse

from factlink.candidates.pairs import CandidatePairs
from factlink.candidates.products import sparse_products_of, vector_products, vector_products_of
from factlink.decision.channel_weights import draw_sure_pairs, rank_drawn_pairs, rank_sure_pairs
from factlink.embedding.propagate import mean_row, without_mean
from factlink.encoders.categories import PLACE_GRAMS, CategoryEncoder, DateEncoder, LocationEncoder, NumberEncoder
from factlink.encoders.ngrams.owned_rows import OwnedRows, owners_of_any, sum_by_owner
from factlink.encoders.ngrams.projection import check_dim
from factlink.encoders.ngrams.rows import NAME_GRAMS, Grams
from factlink.encoders.ngrams.spaces import GramSpace, learn_rows
from factlink.encoders.sentences import SentenceEncoder
from factlink.encoders.texts import TEXT_GRAMS, TextEncoder
from factlink.evidence import EvidenceSource, Worth
from factlink.execution.workers import HERE, Workers, cut, spans
from factlink.linkers.factoid.pictures import picture_rows
from factlink.protocols import Encoder
from factlink.types import Attribute, Floats, Ints, Kind, Network, Pairs

SAME_PICTURE = 0.5
"""The least cosine of two copies of a picture; what different pictures have in common says nothing."""

_WORDS = {Kind.TEXT, Kind.LOCATION, Kind.CATEGORY}  # can be compared with texts


@runtime_checkable
class Learner(Protocol):
    """An encoder whose vectors depend on all objects together; the space it learns encodes further ones."""

    def learn(self, objects: pl.Series, workers: Workers = HERE) -> tuple[GramSpace, Floats]: ...


@dataclass(frozen=True, slots=True, eq=False)
class Channel:
    """One part of the score: weight · product of a left and a right row."""

    worth: Worth
    left: Floats | csr_matrix  # (n_left, dim)
    right: Floats | csr_matrix  # (n_right, dim)
    encoder: Encoder | None = None  # what gives further users of an attribute their vectors
    mean: Floats | None = None  # (dim,) what was taken out of every row
    least: float = -1.0  # a smaller product says nothing

    def products(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between −1 and 1; 0 where one of the two has nothing to say."""
        multiply = sparse_products_of if issparse(self.left) else vector_products_of
        parts = [
            (pairs.lefts[start:stop], pairs.rights[start:stop]) for start, stop in spans(len(pairs), workers.parts)
        ]
        products = workers.stack(multiply, parts, self.left, self.right)
        products[products < self.least] = 0
        return products


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """All names of all users, left ones and then right ones, as rows of n-grams."""

    owned: OwnedRows
    columns: Ints  # (n_names,) places in `predicates`
    predicates: tuple[str, ...]  # left ones and then right ones
    n_left_predicates: int
    space: GramSpace
    sizes: tuple[int, int]  # users of the two networks

    def channel(self, weights: Floats) -> Channel:
        """Users as weighted sums of their names: exact rows."""
        (n_left, n_right), counted = self.sizes, weights[self.columns]
        predicates = self._told(weights, 0), self._told(weights, 1)
        worth = Worth(EvidenceSource.NAMES, *predicates, 1.0, "names are the measure of all others")
        rights = self.owned.sums(counted, n_left, n_left + n_right)
        return Channel(worth, self.owned.sums(counted, 0, n_left), rights)

    def vectors(self, weights: Floats, users: Ints | None = None, workers: Workers = HERE) -> Floats:
        """(n, dim): vectors of all users, or of some, that keep about the products of the channel's rows."""
        rows = np.arange(sum(self.sizes)) if users is None else users
        return self.owned.vectors(rows, weights[self.columns], self.space.mean, self.space.seed, workers)

    def weights(self, sure: Pairs, seed: int) -> Floats:
        """How well each name predicate alone ranks the sure pairs, among users who have it; 1 for the best."""
        everything = np.ones(len(self.predicates), np.float32)
        rankings = np.array([self._rank(place, sure, seed) for place in range(len(self.predicates))], np.float32)
        return rankings / max(float(rankings.max(initial=0)), 1e-9) if rankings.any() else everything

    def worths(self, weights: Floats) -> list[Worth]:
        """The weight of every name predicate beside the best one."""
        sides = [(p, "") if at < self.n_left_predicates else ("", p) for at, p in enumerate(self.predicates)]
        return [
            Worth(EvidenceSource.NAME_COLUMN, *side, float(weight), "compared with the best name column")
            for side, weight in zip(sides, weights, strict=True)
        ]

    def shown(self, left: Network, right: Network) -> pl.Series:
        """(n_names,) as they stand in the two networks."""
        return pl.concat([a.objects for network in (left, right) for a in _named(network).values()])

    def _rank(self, place: int, sure: Pairs, seed: int) -> float:
        same_side = (np.arange(len(self.predicates)) < self.n_left_predicates) == (place < self.n_left_predicates)
        alone = np.where(same_side, np.float32(0), np.float32(1))
        alone[place] = 1
        n_left, able = self.sizes[0], owners_of_any(self.owned, alone[self.columns])
        both = able[sure.lefts] & able[n_left + sure.rights]
        drawn, rivals = draw_sure_pairs(Pairs(sure.lefts[both], sure.rights[both]), self.sizes[1], seed)
        left, right = self.vectors(alone, drawn.lefts), self.vectors(alone, n_left + rivals)
        places = Pairs(np.arange(len(drawn)), np.searchsorted(rivals, drawn.rights))
        return rank_drawn_pairs(left, right, places, seed).weight

    def _told(self, weights: Floats, side: int) -> str:
        first, last = (0, self.n_left_predicates) if side == 0 else (self.n_left_predicates, len(self.predicates))
        return " + ".join(self.predicates[i] for i in range(first, last) if weights[i] > 0)


def read_names(left: Network, right: Network, dim: int, seed: int, workers: Workers = HERE) -> Names | None:
    """The names of both networks in one space; None if one of them has none."""
    check_dim(dim)
    sides = [_named(network) for network in (left, right)]
    if not all(sides):
        return None
    attributes = [attribute for side in sides for attribute in side.values()]
    offsets = [0] * len(sides[0]) + [len(left)] * len(sides[1])
    counts, rows = learn_rows(pl.concat([attribute.objects for attribute in attributes]), NAME_GRAMS, workers)
    owners = np.concatenate([a.rows + offset for a, offset in zip(attributes, offsets, strict=True)])
    owned = OwnedRows.of(rows, owners, len(left) + len(right))
    return Names(
        owned,
        np.repeat(np.arange(len(attributes)), [len(a.rows) for a in attributes]),
        tuple(predicate for side in sides for predicate in side),
        len(sides[0]),
        GramSpace(NAME_GRAMS, counts, owned.mean(dim, seed), seed),
        (len(left), len(right)),
    )


def _named(network: Network) -> Mapping[str, Attribute]:
    return {p: a for p, a in network.attributes.items() if a.kind is Kind.NAME and len(a.rows)}


def attribute_channels(
    left: Network, right: Network, sure: Pairs, seed: int, workers: Workers = HERE, text_model: str = ""
) -> Iterator[Channel]:
    """Every comparable pair of predicates that are no names, with what it is worth here, be it nothing."""
    for left_predicate, mine in left.attributes.items():
        for right_predicate, theirs in right.attributes.items():
            if mine.kind is theirs.kind is Kind.IMAGE and len(mine.rows) and len(theirs.rows):
                pictures = picture_rows(mine, theirs, (len(left), len(right)))
                yield _picture_channel((left_predicate, right_predicate), pictures, sure, seed)
            encoder = encoder_of(mine.kind, theirs.kind, seed, text_model)
            if encoder is None or not len(mine.rows) or not len(theirs.rows):
                continue
            encoder, vectors = learn(encoder, pl.concat([mine.objects, theirs.objects]), workers)
            owners = np.concatenate([mine.rows, theirs.rows + len(left)])
            rows = sum_by_owner(owners, vectors, len(left) + len(right), workers)
            del vectors
            mean = mean_row(rows, workers=workers)
            without_mean(rows, mean, workers)
            lefts, rights = rows[: len(left)], rows[len(left) :]
            ranking = rank_sure_pairs(lefts, rights, sure, seed)
            worth = Worth(EvidenceSource.ATTRIBUTE, left_predicate, right_predicate, ranking.weight, ranking.reason)
            yield Channel(worth, lefts, rights, encoder, mean)


def _picture_channel(predicates: tuple[str, str], rows: tuple[Floats, Floats], sure: Pairs, seed: int) -> Channel:
    """Same pictures or nothing: worth how well they rank the sure pairs that have one, times √ of how many do."""
    lefts, rights = rows
    same = vector_products(lefts, rights, sure.lefts, sure.rights) >= SAME_PICTURE
    ranking = rank_sure_pairs(lefts, rights, Pairs(sure.lefts[same], sure.rights[same]), seed)
    share = float(same.mean()) if len(sure) else 0.0
    reason = f"{ranking.reason}, of the {share:.0%} that have the same picture"
    worth = Worth(EvidenceSource.ATTRIBUTE, *predicates, ranking.weight * share**0.5, reason)
    return Channel(worth, lefts, rights, least=SAME_PICTURE)


def text_grams(left: Kind, right: Kind) -> Grams | None:
    """The n-grams by which two kinds are compared; None for kinds that are compared as a whole."""
    if Kind.TEXT in (left, right) and {left, right} <= _WORDS:
        return TEXT_GRAMS
    return PLACE_GRAMS if left is right is Kind.LOCATION else None


def learn(encoder: Encoder, objects: pl.Series, workers: Workers = HERE) -> tuple[Encoder, Floats]:
    """The vectors of all objects, and what encodes further ones like them."""
    if isinstance(encoder, Learner):
        return encoder.learn(objects, workers)
    return encoder, workers.stack(encode_part, cut(objects, len(objects), workers.parts), encoder)


def encode_part(objects: pl.Series, encoder: Encoder) -> Floats:
    """Some objects, by an encoder to which each is a world of its own."""
    return encoder.encode(objects)


def encoder_of(left: Kind, right: Kind, seed: int, text_model: str = "") -> Encoder | None:
    """What compares two kinds, texts by the model in a folder if one is named; None if they cannot be compared."""
    if left is right is Kind.TEXT and text_model:
        return SentenceEncoder(text_model, centred=False)
    if Kind.TEXT in (left, right) and {left, right} <= _WORDS:
        return TextEncoder(dim=256, seed=seed)
    if left is not right:
        return None
    encoders: Mapping[Kind, Encoder] = {
        Kind.CATEGORY: CategoryEncoder(seed=seed),
        Kind.DATE: DateEncoder(dim=384, seed=seed),
        Kind.NUMBER: NumberEncoder(seed=seed),
        Kind.LOCATION: LocationEncoder(dim=256, seed=seed),
    }
    return encoders.get(left)
