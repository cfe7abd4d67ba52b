"""Which features two networks allow: made from what both of them have."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
import polars as pl

from factlink.errors import InputError, SettingError
from factlink.linkers.baselines.features.best_pairs import BestPairScorer, Similarity
from factlink.linkers.baselines.features.owned_objects import Owned, owned_objects
from factlink.linkers.baselines.features.pair_features import BestPair, SocialStatus
from factlink.linkers.baselines.features.similarities import JaroWinkler, SparseCosine, VectorCosine
from factlink.linkers.baselines.features.status import status_of
from factlink.types import Kind, Network, Pairs

NamesBy = Literal["ngrams", "jaro-winkler"]
"""What the names of two users are compared by: cosine of n-grams, or Jaro-Winkler alone, as published."""

Measure = Callable[[pl.Series, pl.Series], Similarity]
SMALLEST_GRAM = 3  # shorter ones are in nearly every name: comparing by them costs eight times as much
PROFILE_KINDS = (Kind.TEXT, Kind.LOCATION)


def jaro_winkler_names(left: Network, right: Network) -> list[BestPair]:
    """Jaro-Winkler similarity of every name predicate that both networks have."""
    return _by_predicate(left, right, _jaro_winkler)


def names_by_predicate(left: Network, right: Network, names: NamesBy = "ngrams") -> list[BestPair]:
    """Similarity of every name predicate that both networks have, unless it is the only one of both."""
    n_names = [sum(a.kind is Kind.NAME for a in network.attributes.values()) for network in (left, right)]
    return [] if n_names == [1, 1] else _by_predicate(left, right, _MEASURES[names])


def best_names(left: Network, right: Network, names: NamesBy = "ngrams") -> list[BestPair]:
    """The best similarity over all names, over all columns."""
    return _of_kind("names", left, right, Kind.NAME, _MEASURES[names])


def rare_names(left: Network, right: Network) -> list[BestPair]:
    """Jaro-Winkler similarity over all names, weighed by how rare the two names are."""
    return _of_kind("rare names", left, right, Kind.NAME, _rare_jaro_winkler)


def best_pictures(left: Network, right: Network) -> list[BestPair]:
    """The best cosine over all pictures."""
    return _of_kind("pictures", left, right, Kind.IMAGE, _picture_cosine)


def profiles(left: Network, right: Network) -> list[BestPair]:
    """Tf-idf cosine of all words of a user's texts, places and names, where both networks have texts or places."""
    if not all(_has_kind(network, PROFILE_KINDS) for network in (left, right)):
        return []
    lefts, rights = _documents(left), _documents(right)
    scorer = BestPairScorer(left, right, lefts, rights, _word_cosine(lefts.objects, rights.objects))
    return [BestPair("profile", scorer)]


def social_status(left: Network, right: Network) -> list[SocialStatus]:
    """Status features, where both networks have links."""
    if not all(any(map(len, network.links.values())) for network in (left, right)):
        return []
    return [SocialStatus(status_of(left), status_of(right))]


def check_comparable(linker: str, left: Network, right: Network, features: Sequence[object]) -> None:
    """An error that names the linker if the networks share neither names nor pictures."""
    if not features:
        raise InputError(
            f"linker '{linker}' compares names or pictures, and '{left.name}' and '{right.name}' do not both have "
            "either; set a column's kind (--kind COLUMN=name)"
        )


def check_names(names: str) -> None:
    """An error that names what names can be compared by."""
    if names not in get_args(NamesBy):
        raise SettingError(f"names cannot be compared by '{names}'; there are: {', '.join(get_args(NamesBy))}")


def check_known(linker: str, known: Pairs) -> None:
    """An error that names the linker if there is nothing to learn from."""
    if not len(known):
        raise InputError(f"linker '{linker}' needs known pairs and got none; give them with --known PAIRS")


def _by_predicate(left: Network, right: Network, measure: Measure) -> list[BestPair]:
    features = []
    for predicate in left.attributes:
        if predicate in right.attributes:
            one, other = (replace(n, attributes={predicate: n.attributes[predicate]}) for n in (left, right))
            features += _of_kind(predicate, one, other, Kind.NAME, measure)
    return features


def _of_kind(name: str, left: Network, right: Network, kind: Kind, measure: Measure) -> list[BestPair]:
    """One feature, or none if a network has no objects of the kind."""
    if not all(_has_kind(network, (kind,)) for network in (left, right)):
        return []
    lefts, rights = owned_objects(left, kind), owned_objects(right, kind)
    return [BestPair(name, BestPairScorer(left, right, lefts, rights, measure(lefts.objects, rights.objects)))]


def _has_kind(network: Network, kinds: Sequence[Kind]) -> bool:
    return any(a.kind in kinds and len(a.rows) for a in network.attributes.values())


def _documents(network: Network) -> Owned:
    """All words of each user as one object."""
    kinds = (*PROFILE_KINDS, Kind.NAME)
    parts = [
        pl.DataFrame({"owner": a.rows, "object": a.objects}, schema_overrides={"owner": pl.Int32})
        for a in network.attributes.values()
        if a.kind in kinds
    ]
    by_user = pl.concat(parts).group_by("owner").agg(pl.col("object").sort().str.join(" ")).sort("owner")
    return Owned(by_user["object"], by_user["owner"].to_numpy(), np.arange(len(by_user)))


def _jaro_winkler(left: pl.Series, right: pl.Series) -> Similarity:
    return JaroWinkler(left.to_list(), right.to_list())


def _rare_jaro_winkler(left: pl.Series, right: pl.Series) -> Similarity:
    from factlink.linkers.baselines.features.rarity import RareJaroWinkler, name_bits

    bits = name_bits(pl.concat([left, right]).to_list())
    return RareJaroWinkler(JaroWinkler(left.to_list(), right.to_list()), bits[: len(left)], bits[len(left) :])


def _ngram_cosine(left: pl.Series, right: pl.Series) -> Similarity:
    from factlink.encoders.ngrams.rows import Grams, ngram_matrix

    matrix = ngram_matrix(pl.concat([left, right]), Grams(smallest=SMALLEST_GRAM))
    return SparseCosine(matrix[: len(left)], matrix[len(left) :])


def _picture_cosine(left: pl.Series, right: pl.Series) -> Similarity:
    from factlink.encoders.pictures.images import ImageEncoder

    vectors = ImageEncoder().encode(pl.concat([left, right]).to_list())
    return VectorCosine(vectors[: len(left)], vectors[len(left) :])


def _word_cosine(left: pl.Series, right: pl.Series) -> Similarity:
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectoriser = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b", sublinear_tf=True, dtype=np.float32)
    matrix = vectoriser.fit_transform(pl.concat([left, right]).to_list()).tocsr()
    return SparseCosine(matrix[: len(left)], matrix[len(left) :])


_MEASURES: dict[str, Measure] = {"ngrams": _ngram_cosine, "jaro-winkler": _jaro_winkler}
