"""Channels of evidence: rows of the left and the right users whose products are one part of the score."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, diags, issparse

from factlink.embedding.propagate import mean_row, unit_rows, without_mean
from factlink.linkers.picture_rows import picture_rows
from factlink.matching.pairs import CandidatePairs
from factlink.matching.products import sparse_products_of, vector_products, vector_products_of
from factlink.matching.worth import Worth, rank_sure_pairs
from factlink.objects.categories import CategoryEncoder, DateEncoder, LocationEncoder, NumberEncoder
from factlink.objects.gram_spaces import GramSpace
from factlink.objects.names import NameEncoder
from factlink.objects.texts import TextEncoder
from factlink.types import Attribute, Encoder, Floats, Ints, Kind, Network, Pairs
from factlink.workers import HERE, Workers, cut, join, spans

SAME_PICTURE = 0.5
"""The least cosine of two copies of a picture; what different pictures have in common says nothing."""

NAMES, LINKS, VOTES = "names", "links", "linked neighbours"


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

    def products(self, pairs: CandidatePairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between −1 and 1; 0 where one of the two has nothing to say."""
        multiply = sparse_products_of if issparse(self.left) else vector_products_of
        parts = [
            (pairs.lefts[start:stop], pairs.rights[start:stop]) for start, stop in spans(len(pairs), workers.parts)
        ]
        products = join(workers.map(multiply, parts, self.left, self.right))
        products[products < self.least] = 0
        return products


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """All names of all users: `owners[i]`, rows of left and then right users, has name i of a predicate."""

    owners: Ints
    columns: Ints  # (n_names,) places in `predicates`
    predicates: tuple[str, ...]  # left ones and then right ones
    n_left_predicates: int
    space: GramSpace
    grams: csr_matrix  # (n_names, vocabulary)
    vectors: Floats  # (n_names, dim)
    sizes: tuple[int, int]  # users of the two networks

    def channel(self, weights: Floats) -> tuple[Channel, Floats]:
        """Users as weighted sums of their names: exact rows, and the vectors of all users for the search."""
        n_left, n_users = self.sizes[0], sum(self.sizes)
        entries = weights[self.columns], (self.owners, np.arange(len(self.owners)))
        holders = csr_matrix(entries, shape=(n_users, len(self.owners)), dtype=np.float32)
        rows = holders @ self.grams
        norms = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1)).ravel())
        rows = (diags(1 / np.maximum(norms, 1e-9)) @ rows).astype(np.float32).tocsr()
        worth = Worth(self._told(weights, 0), self._told(weights, 1), 1.0, "names are the measure of all others")
        return Channel(worth, rows[:n_left], rows[n_left:]), unit_rows(holders @ self.vectors)

    def weights(self, sure: Pairs, seed: int) -> Floats:
        """How well each name predicate alone ranks the sure pairs, among users who have it; 1 for the best."""
        everything = np.ones(len(self.predicates), np.float32)
        rankings = np.empty(len(self.predicates), np.float32)
        for place in range(len(self.predicates)):
            same_side = (np.arange(len(self.predicates)) < self.n_left_predicates) == (place < self.n_left_predicates)
            alone = np.where(same_side, np.float32(0), everything)
            alone[place] = 1
            vectors = self.channel(alone)[1]
            left, right = vectors[: self.sizes[0]], vectors[self.sizes[0] :]
            able = left[sure.lefts].any(axis=1) & right[sure.rights].any(axis=1)
            rankings[place] = rank_sure_pairs(left, right, Pairs(sure.lefts[able], sure.rights[able]), seed).weight
        return rankings / max(float(rankings.max(initial=0)), 1e-9) if rankings.any() else everything

    def _told(self, weights: Floats, side: int) -> str:
        first, last = (0, self.n_left_predicates) if side == 0 else (self.n_left_predicates, len(self.predicates))
        return " + ".join(self.predicates[i] for i in range(first, last) if weights[i] > 0)


def read_names(left: Network, right: Network, dim: int, seed: int, workers: Workers = HERE) -> Names | None:
    """The names of both networks in one space; None if one of them has none."""
    sides = [_named(network) for network in (left, right)]
    if not all(sides):
        return None
    attributes = [attribute for side in sides for attribute in side.values()]
    offsets = [0] * len(sides[0]) + [len(left)] * len(sides[1])
    objects = pl.concat([attribute.objects for attribute in attributes])
    space, vectors = NameEncoder(dim=dim, seed=seed).learn(objects, workers)
    return Names(
        np.concatenate([a.rows + offset for a, offset in zip(attributes, offsets, strict=True)]),
        np.repeat(np.arange(len(attributes)), [len(a.rows) for a in attributes]),
        tuple(predicate for side in sides for predicate in side),
        len(sides[0]),
        space,
        space.rows(objects, workers),
        vectors,
        (len(left), len(right)),
    )


def _named(network: Network) -> Mapping[str, Attribute]:
    return {p: a for p, a in network.attributes.items() if a.kind is Kind.NAME and len(a.rows)}


def attribute_channels(
    left: Network, right: Network, sure: Pairs, seed: int, workers: Workers = HERE
) -> Iterator[Channel]:
    """Every comparable pair of predicates that are no names, with what it is worth here, be it nothing."""
    for left_predicate, mine in left.attributes.items():
        for right_predicate, theirs in right.attributes.items():
            if mine.kind is theirs.kind is Kind.IMAGE and len(mine.rows) and len(theirs.rows):
                pictures = picture_rows(mine, theirs, (len(left), len(right)))
                yield _picture_channel((left_predicate, right_predicate), pictures, sure, seed)
            encoder = encoder_of(mine.kind, theirs.kind, seed)
            if encoder is None or not len(mine.rows) or not len(theirs.rows):
                continue
            encoder, vectors = learn(encoder, pl.concat([mine.objects, theirs.objects]), workers)
            n = len(mine.rows)
            rows = np.concatenate([user_rows(mine, vectors[:n], len(left)), user_rows(theirs, vectors[n:], len(right))])
            mean = mean_row(rows)
            rows = without_mean(rows, mean)
            lefts, rights = rows[: len(left)], rows[len(left) :]
            ranking = rank_sure_pairs(lefts, rights, sure, seed)
            worth = Worth(left_predicate, right_predicate, ranking.weight, ranking.reason)
            yield Channel(worth, lefts, rights, encoder, mean)


def _picture_channel(predicates: tuple[str, str], rows: tuple[Floats, Floats], sure: Pairs, seed: int) -> Channel:
    """Same pictures or nothing: worth how well they rank the sure pairs that have one, times √ of how many do."""
    lefts, rights = rows
    same = vector_products(lefts, rights, sure.lefts, sure.rights) >= SAME_PICTURE
    ranking = rank_sure_pairs(lefts, rights, Pairs(sure.lefts[same], sure.rights[same]), seed)
    share = float(same.mean()) if len(sure) else 0.0
    reason = f"{ranking.reason}, of the {share:.0%} that have the same picture"
    return Channel(Worth(*predicates, ranking.weight * share**0.5, reason), lefts, rights, least=SAME_PICTURE)


def learn(encoder: Encoder, objects: pl.Series, workers: Workers = HERE) -> tuple[Encoder, Floats]:
    """The vectors of all objects, and what encodes further ones like them."""
    if isinstance(encoder, Learner):
        return encoder.learn(objects, workers)
    return encoder, join(workers.map(encode_part, cut(objects, len(objects), workers.parts), encoder))


def encode_part(objects: pl.Series, encoder: Encoder) -> Floats:
    """Some objects, by an encoder to which each is a world of its own."""
    return encoder.encode(objects.to_list())


def encoder_of(left: Kind, right: Kind, seed: int) -> Encoder | None:
    """What compares two kinds; None for kinds that cannot be compared."""
    words = {Kind.TEXT, Kind.LOCATION, Kind.CATEGORY}
    if Kind.TEXT in (left, right) and {left, right} <= words:
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


def user_rows(attribute: Attribute, vectors: Floats, n_users: int) -> Floats:
    """The direction of the sum of each user's objects."""
    shape = (n_users, len(attribute.rows))
    holders = csr_matrix((np.ones(shape[1], np.float32), (attribute.rows, np.arange(shape[1]))), shape=shape)
    return unit_rows(holders @ vectors)
