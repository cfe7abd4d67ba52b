"""The objects of a table of factoids as vectors, and what a factoid of each counts."""

from collections.abc import Mapping
from importlib import import_module

import numpy as np
import polars as pl

from factlink.encoders.ngrams.encoder import GramEncoder
from factlink.encoders.sentences import SentenceEncoder
from factlink.execution.workers import HERE, Workers
from factlink.protocols import Encoder
from factlink.types import FactoidTable, Floats, Kind

ENCODERS = {
    Kind.NAME: ("names", "NameEncoder"),
    Kind.TEXT: ("texts", "TextEncoder"),
    Kind.CATEGORY: ("categories", "CategoryEncoder"),
    Kind.DATE: ("categories", "DateEncoder"),
    Kind.NUMBER: ("categories", "NumberEncoder"),
    Kind.LOCATION: ("categories", "LocationEncoder"),
    Kind.IMAGE: ("pictures.images", "ImageEncoder"),
}
"""Module of `factlink.encoders` and class that give a kind its vectors."""

SAME_DIM = (Kind.NAME, Kind.TEXT)  # kinds that are encoded in the dimension of users, so that W starts as identity

SLIGHT = 0.05
"""Pictures that count less, held by more than twenty beyond one in each network, count nothing."""


def encode_objects(
    table: FactoidTable, dim: int, seed: int, text_model: str = "", workers: Workers = HERE
) -> Mapping[str, Floats]:
    """Vectors of all objects by predicate; predicates of one kind are encoded together, in one space.

    Texts are read by the model in a folder, if one is named.
    """
    vectors: dict[str, Floats] = {}
    for kind in {objects.kind: None for objects in table.objects.values()}:
        predicates = [p for p, objects in table.objects.items() if objects.kind is kind]
        values = pl.concat([table.objects[p].values for p in predicates])
        encoder = SentenceEncoder(text_model) if kind is Kind.TEXT and text_model else _encoder(kind, dim, seed)
        vectors |= _by_predicate(table, predicates, _encode(encoder, values, workers))
    return vectors


def _encode(encoder: Encoder, values: pl.Series, workers: Workers) -> Floats:
    return encoder.learn(values, workers)[1] if isinstance(encoder, GramEncoder) else encoder.encode(values.to_list())


def _encoder(kind: Kind, dim: int, seed: int) -> Encoder:
    module, name = ENCODERS[kind]
    encoder_class = getattr(import_module(f"factlink.encoders.{module}"), name)
    chosen = {"dim": dim, "seed": seed} if kind in SAME_DIM else {"seed": seed}
    encoder: Encoder = encoder_class() if kind is Kind.IMAGE else encoder_class(**chosen)
    return encoder


def weigh_pictures(table: FactoidTable, vectors: Mapping[str, Floats]) -> Mapping[str, Floats]:
    """What a factoid of each picture counts, by predicate: less the more users hold it, nothing if many do."""
    predicates = [p for p, objects in table.objects.items() if objects.kind is Kind.IMAGE]
    if not predicates:
        return {}
    from factlink.encoders.pictures.duplicates import picture_groups, picture_weights

    groups = picture_groups(np.concatenate([vectors[p] for p in predicates]))
    holders = [np.bincount(table.has[p].objects, minlength=len(table.objects[p])) for p in predicates]
    weights = picture_weights(groups, np.concatenate(holders), expected=len(table.rows))
    weights[weights < SLIGHT] = 0
    return _by_predicate(table, predicates, weights)


def _by_predicate(table: FactoidTable, predicates: list[str], rows: Floats) -> dict[str, Floats]:
    """Rows of the objects of several predicates, one after another, taken apart."""
    ends = np.cumsum([len(table.objects[p]) for p in predicates])
    return dict(zip(predicates, np.split(rows, ends[:-1]), strict=True))
