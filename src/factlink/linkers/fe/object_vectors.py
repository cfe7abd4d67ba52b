"""The objects of a table of factoids as vectors, and what a factoid of each counts."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np
import polars as pl

from factlink.encoders.ngrams.encoder import GramEncoder
from factlink.encoders.plugged import text_encoder
from factlink.errors import InputError, SettingError
from factlink.execution.workers import HERE, Workers
from factlink.linkers.fe.attributes import PROFILE, VGG16, Attributes
from factlink.linkers.fe.profiles import split_profiles
from factlink.protocols import Encoder
from factlink.types import FactoidTable, Floats, Kind

ENCODERS = {
    Kind.TEXT: ("texts", "TextEncoder"),
    Kind.CATEGORY: ("categories", "CategoryEncoder"),
    Kind.DATE: ("categories", "DateEncoder"),
    Kind.NUMBER: ("categories", "NumberEncoder"),
    Kind.LOCATION: ("categories", "LocationEncoder"),
}
"""Module of `factlink.encoders` and class that give a kind its vectors; names and pictures can be chosen."""

NAME_ENCODERS = {
    "ngrams": ("names", "NameEncoder"),
    "jaro-winkler": ("jaro_winkler", "JaroWinklerEncoder"),
    "tfidf": ("tfidf", "TfidfEncoder"),
}
PICTURE_ENCODERS = {"patches": "ImageEncoder", "efficientnet": "EfficientNetEncoder", "vgg16": "VGG16Encoder"}

SAME_DIM = (Kind.NAME, Kind.TEXT)  # kinds that are encoded in the dimension of users, so that W starts as identity

VGG16_DIM = 4096
"""Numbers to which the 25,088 of VGG16 are projected at random: cosines change by about .01."""

DRAWN = 50
"""Blocked pairs that each object keeps at random, beside the most similar: the paper has all of them."""

PICTURE_SHARE = np.float32(0.25)
"""How much a picture counts beside the names of a profile in the published program."""


def encode_objects(
    table: FactoidTable, attributes: Attributes, dim: int, seed: int, workers: Workers = HERE
) -> Mapping[str, Floats]:
    """Vectors of all objects by predicate; predicates of one kind are encoded together, unless each has its own space.

    Texts are read by the model in a folder, if one is named.
    """
    if attributes.spaces == PROFILE:
        return {p: _profile_vectors(objects.values, attributes, dim, seed) for p, objects in table.objects.items()}
    vectors: dict[str, Floats] = {}
    for predicates in _sharing_a_space(table, attributes):
        kind = table.objects[predicates[0]].kind
        values = pl.concat([table.objects[p].values for p in predicates])
        vectors |= by_predicate(table, predicates, _encode(_encoder(kind, attributes, dim, seed), values, workers))
    return vectors


def _sharing_a_space(table: FactoidTable, attributes: Attributes) -> list[list[str]]:
    if attributes.spaces == "predicate":
        return [[predicate] for predicate in table.objects]
    kinds = {objects.kind: None for objects in table.objects.values()}
    return [[p for p, objects in table.objects.items() if objects.kind is kind] for kind in kinds]


def _profile_vectors(values: pl.Series, attributes: Attributes, dim: int, seed: int) -> Floats:
    """Names beside pictures: four fifths of the numbers for names, one fifth for pictures, which count a quarter."""
    names, pictures = split_profiles(values)
    shown = pictures.filter(pictures != "").unique().sort()
    picture_dim = dim // 5 if len(shown) else 0
    vectors = _encoder(Kind.NAME, attributes, dim - picture_dim, seed).encode(names)
    if not picture_dim:
        return vectors
    seen = _encoder(Kind.IMAGE, attributes, picture_dim, seed).encode(shown.to_list())
    if seen.shape[1] != picture_dim:
        raise SettingError("pictures of a profile must be fitted to its dimensions; set attributes.fitted=yes")
    rows = np.where((pictures != "").to_numpy(), shown.search_sorted(pictures).to_numpy(), len(shown))
    return np.concatenate([vectors, PICTURE_SHARE * np.vstack([seen, np.zeros((1, picture_dim), np.float32)])[rows]], 1)


def _encode(encoder: Encoder, values: pl.Series, workers: Workers) -> Floats:
    return encoder.learn(values, workers)[1] if isinstance(encoder, GramEncoder) else encoder.encode(values.to_list())


def _encoder(kind: Kind, attributes: Attributes, dim: int, seed: int) -> Encoder:
    """The encoder of a kind, as the attributes are set."""
    if kind is Kind.TEXT and attributes.text_model:
        return text_encoder(attributes.text_model)
    if kind is Kind.IMAGE:
        return _picture_encoder(attributes, dim, seed)
    module, name = NAME_ENCODERS[attributes.names] if kind is Kind.NAME else ENCODERS[kind]
    chosen = {"dim": dim, "seed": seed} if kind in SAME_DIM else {"seed": seed}
    if attributes.names == "jaro-winkler" and kind is Kind.NAME:
        chosen |= {"apart": 0, "drawn": DRAWN}  # nothing but blocked pairs, as in the paper
    encoder: Encoder = _class(module, name)(**chosen)
    return encoder


def _picture_encoder(attributes: Attributes, dim: int, seed: int) -> Encoder:
    if attributes.pictures == VGG16 and not attributes.picture_model:
        raise InputError(
            "pictures are to be read by VGG16 but no file of its weights is named; give one with "
            "--set attributes.picture_model=FILE, or set attributes.pictures=efficientnet or patches"
        )
    encoder_class = _class("pictures.images", PICTURE_ENCODERS[attributes.pictures])
    features: Encoder
    if attributes.pictures == VGG16:
        features = encoder_class(attributes.picture_model, dim=VGG16_DIM, seed=seed)
    else:
        features = encoder_class()
    if not attributes.fitted:
        return features
    fitted: Encoder = _class("pictures.fitted", "FittedPictureEncoder")(
        features, dim=dim, apart=0, drawn=DRAWN, seed=seed
    )
    return fitted


def _class(module: str, name: str) -> Any:
    return getattr(import_module(f"factlink.encoders.{module}"), name)


def by_predicate(table: FactoidTable, predicates: list[str], rows: Floats) -> dict[str, Floats]:
    """Rows of the objects of several predicates, one after another, taken apart."""
    ends = np.cumsum([len(table.objects[p]) for p in predicates])
    return dict(zip(predicates, np.split(rows, ends[:-1]), strict=True))
