"""One sentence of evidence for each pair: "same rare name; 4 linked friends; similar bio".

Names and linked friends are compared for every pair. Other predicates are named where the parts of the score are kept.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.encoders.transliteration import transliterate
from factlink.evidence import FRIENDS, REST, RIVALS
from factlink.types import Decision, Kind, LinkSource

NEARLY, ALIKE = 0.9, 0.8
"""Jaro-Winkler similarities from which two names are called nearly the same, and similar."""
NAMED = 2
"""Predicates, other than names, that a sentence lists."""
TELLING = 0.05
"""The least share of what speaks for a pair at which a predicate is listed."""
_CHUNK = 200_000  # pairs whose names are compared at a time
_ELSE = (Kind.NAME.value, FRIENDS, RIVALS, REST)


@dataclass(frozen=True, slots=True, eq=False)
class OwnedNames:
    """All names of some users, and how many users have each."""

    frame: pl.DataFrame  # user, name, spelled, bearers

    @classmethod
    def folded(cls, names: pl.DataFrame) -> "OwnedNames":
        """The words of each name in lower case and in the order of the alphabet, each name once; and as one word."""
        words = pl.col("name").str.to_lowercase().str.extract_all(r"[\p{L}\p{M}\p{N}]+")
        name, spelled = words.list.sort().list.join(" "), words.list.join("")
        owned = names.select("user", name, spelled=spelled).filter(pl.col("name") != "")
        owned = owned.unique(["user", "name"], keep="first", maintain_order=True)
        return cls(owned.with_columns(bearers=pl.len().over("name").cast(pl.Int64)))


def evidence_sentences(links: pl.DataFrame, left: OwnedNames, right: OwnedNames, evidence: pl.DataFrame) -> pl.Series:
    """One sentence for each link, in their order.

    `links` has left, right, decision, margin, source, left_friends, right_friends and shared; `evidence` has columns
    EVIDENCE for those pairs whose parts are kept.
    """
    pairs = links.with_row_index("place").with_columns(pl.col("place").cast(pl.Int64))
    paired = pairs.filter(pl.col("right").is_not_null())
    names = pl.concat([_name_phrases(part, left, right) for part in paired.iter_slices(_CHUNK)] or [_NO_PHRASES])
    others = _other_phrases(paired, evidence)
    pairs = pairs.join(names.rename({"phrase": "names"}), on="place", how="left", maintain_order="left")
    pairs = pairs.join(others.rename({"phrase": "others"}), on="place", how="left", maintain_order="left")
    said = pl.concat_str(
        [_given(), _tie(), pl.col("names"), _friends(), pl.col("others")], separator="; ", ignore_nulls=True
    )
    nobody = pl.when(pl.col("right").is_null()).then(pl.lit("no candidate is likely enough"))
    return (
        pairs.select(
            nobody.when(said == "").then(pl.lit("no single name, friend or attribute stands out")).otherwise(said)
        )
        .to_series()
        .alias("evidence")
    )


_NO_PHRASES = pl.DataFrame(schema={"place": pl.Int64, "phrase": pl.String})


def _given() -> pl.Expr:
    source = pl.col("source")
    known = pl.when(source == LinkSource.KNOWN.value).then(pl.lit("given as a known pair"))
    return known.when(source == LinkSource.JUDGED.value).then(pl.lit("judged a match"))


def _tie() -> pl.Expr:
    is_tie = (pl.col("margin") == 0) & (pl.col("decision") == Decision.UNKNOWN.value)
    return pl.when(is_tie).then(pl.lit("another account fits equally well"))


def _friends() -> pl.Expr:
    shared = pl.col("shared")
    some = pl.format("{} linked friend{}", shared, pl.when(shared == 1).then(pl.lit("")).otherwise(pl.lit("s")))
    both_have = (pl.col("left_friends") > 0) & (pl.col("right_friends") > 0)
    return pl.when(shared > 0).then(some).when(both_have).then(pl.lit("no linked friends in common"))


def _name_phrases(pairs: pl.DataFrame, left: OwnedNames, right: OwnedNames) -> pl.DataFrame:
    """place and phrase: the best that two names of a pair have in common; no row where one of the two has no name."""
    met = (
        pairs.select("place", "left", "right")
        .join(left.frame.rename({"name": "a"}), left_on="left", right_on="user", maintain_order="left")
        .join(right.frame.rename({"name": "b"}), left_on="right", right_on="user", maintain_order="left")
        .drop("left", "right")
    )
    same = met.filter(pl.col("a") == pl.col("b"))
    others = pl.col("bearers") + pl.col("bearers_right") - 2
    rarest = same.group_by("place", maintain_order=True).agg(others=others.min())
    found = rarest.select("place", phrase=_same_name())
    rest = met.join(found, on="place", how="anti", maintain_order="left")
    return pl.concat([found, _like_names(rest)])


def _same_name() -> pl.Expr:
    others = pl.col("others")
    rare = pl.when(others == 0).then(pl.lit("same rare name"))
    return (
        rare.when(others == 1)
        .then(pl.lit("same name, which 1 other account has"))
        .otherwise(pl.format("same name, which {} other accounts have", others))
    )


def _like_names(met: pl.DataFrame) -> pl.DataFrame:
    """place and phrase by the most similar two names: as written, in Latin letters, and as one word like a handle."""
    from rapidfuzz.distance import JaroWinkler
    from rapidfuzz.process import cpdist

    if not met.height:
        return _NO_PHRASES
    as_one = met.select(_in_latin("spelled"), _in_latin("spelled_right"))
    ways = [met.select("a", "b"), met.select(_in_latin("a"), _in_latin("b")), as_one]
    similarity = np.maximum.reduce(
        [
            cpdist(*(side.to_list() for side in way), scorer=JaroWinkler.normalized_similarity, dtype=np.float32)
            for way in ways
        ]
    )
    best = met.select("place", similarity=pl.Series(similarity)).group_by("place", maintain_order=True).max()
    nearly = pl.when(pl.col("similarity") >= NEARLY).then(pl.lit("nearly the same name"))
    phrase = (
        nearly.when(pl.col("similarity") >= ALIKE).then(pl.lit("similar names")).otherwise(pl.lit("different names"))
    )
    return best.select("place", phrase=phrase)


def _in_latin(column: str) -> pl.Expr:
    """Names in ASCII letters, their words in the order of the alphabet again."""
    words = pl.col(column).map_batches(transliterate, pl.String).str.to_lowercase().str.extract_all(r"\w+")
    return words.list.sort().list.join(" ")


def _other_phrases(pairs: pl.DataFrame, evidence: pl.DataFrame) -> pl.DataFrame:
    """place and phrase: the predicates, other than names, that speak most for a pair."""
    positive = evidence.filter(pl.col("weight") > 0, ~pl.col("kind").is_in([RIVALS, REST]))
    mine = pairs.select("place", "left", "right").join(positive, on=["left", "right"], maintain_order="left")
    mine = mine.with_columns(total=pl.col("weight").sum().over("place"))
    is_same = pl.col("left_object").str.to_lowercase() == pl.col("right_object").str.to_lowercase()
    objects = mine.filter(~pl.col("kind").is_in(_ELSE), pl.col("left_object").is_not_null())
    weighed = objects.group_by("place", "predicate", maintain_order=True).agg(
        pl.col("weight").sum(),
        pl.col("total").first(),
        word=pl.when(is_same.all() & (pl.col("kind") != Kind.TEXT.value).all())
        .then(pl.lit("same"))
        .otherwise(pl.lit("similar")),
    )
    telling = weighed.filter(pl.col("weight") >= TELLING * pl.col("total"))
    ranked = telling.sort("place", -pl.col("weight"), "predicate", maintain_order=True)
    listed = ranked.group_by("place", maintain_order=True).head(NAMED)
    phrases = listed.with_columns(phrase=pl.format("{} {}", "word", "predicate"))
    return phrases.group_by("place", maintain_order=True).agg(pl.col("phrase").str.join("; "))
