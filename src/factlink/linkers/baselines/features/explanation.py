"""Scores that are sums over pair features, taken apart: each feature with the two objects that made it."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from factlink.evidence import FRIENDS, REST
from factlink.explanations.frames import Met, both_predicates, join_parts, part_frame, predicates_of, rest_of
from factlink.linkers.baselines.features.best_pairs import BestPairScorer
from factlink.linkers.baselines.features.candidate_pairs import Breakdown
from factlink.linkers.baselines.features.pair_features import BestPair, Feature
from factlink.types import Floats, Ints, Kind, Pairs

SHOWN = 200
"""Characters of an object that are kept."""


def object_parts(scorer: BestPairScorer, pairs: Pairs, weights: Floats | None = None) -> pl.DataFrame:
    """One part per pair: the most similar objects, weighing their similarity unless told."""
    met, kind = scorer.meetings(pairs), kind_of(scorer)
    places = np.flatnonzero(met.lefts >= 0)
    lefts, rights = (
        owned.objects.gather(at[places])
        for owned, at in ((scorer.left_owned, met.lefts), (scorer.right_owned, met.rights))
    )
    told = both_predicates(
        predicates_of(scorer.left, kind, pairs.lefts[places], lefts).fill_null("profile"),
        predicates_of(scorer.right, kind, pairs.rights[places], rights).fill_null("profile"),
    )
    shown = Met(lefts.str.slice(0, SHOWN), rights.str.slice(0, SHOWN), _similar(met.similarities[places]))
    return part_frame(places, (met.similarities if weights is None else weights)[places], kind.value, told, shown)


def kind_of(scorer: BestPairScorer) -> Kind:
    """Names, or pictures if the objects are files that the network lists as pictures; joined texts are texts."""
    objects = scorer.left_owned.objects.head(1)
    for kind in (Kind.NAME, Kind.IMAGE):
        attributes = [a for a in scorer.left.attributes.values() if a.kind is kind]
        if any(a.objects.is_in(objects.implode()).any() for a in attributes):
            return kind
    return Kind.TEXT


def feature_parts(features: Sequence[Feature], weights: Floats, pairs: Pairs) -> pl.DataFrame:
    """Columns PARTS: weights (n_pairs, n_columns) of the features' columns; further columns are shared friends."""
    parts, column, places = [], 0, np.arange(len(pairs))
    for feature in features:
        if isinstance(feature, BestPair):
            objects = object_parts(feature.scorer, pairs, weights[:, column])
            missing = ~np.isin(places, objects["pair"].to_numpy())
            parts += [objects, part_frame(places[missing], weights[missing, column], REST, f"{feature.name}: missing")]
            column += 1
            continue
        for name in feature.columns:
            parts.append(part_frame(places, weights[:, column], FRIENDS, f"standing: {name}"))
            column += 1
    for name in ("rare shared friends", "shared friends")[: weights.shape[1] - column]:
        parts.append(part_frame(places, weights[:, column], FRIENDS, name))
        column += 1
    return join_parts(parts)


def candidate_parts(
    breakdown: Breakdown | None, others: BestPairScorer, pairs: Pairs, places: Ints, scores: Floats
) -> pl.DataFrame:
    """Columns PARTS for a scorer of candidate pairs; `places` among its pairs are −1 for what is no candidate."""
    listed = np.flatnonzero(places >= 0)
    asked = Pairs(pairs.lefts[listed], pairs.rights[listed])
    found = feature_parts(breakdown.features, breakdown.weights[places[listed]], asked) if breakdown else join_parts([])
    found = found.with_columns(pair=pl.Series(listed, dtype=pl.Int64).gather(found["pair"]))
    unlisted = np.flatnonzero(places < 0)
    rest = object_parts(others, Pairs(pairs.lefts[unlisted], pairs.rights[unlisted]))
    rest = rest.with_columns(pair=pl.Series(unlisted, dtype=pl.Int64).gather(rest["pair"]))
    parts = join_parts([found, rest])
    left_over = rest_of(scores, parts, breakdown.others if breakdown else "all else")
    said = pl.when(pl.col("pair").is_in(unlisted)).then(pl.lit("not among the candidates"))
    return join_parts([parts, left_over.with_columns(predicate=said.otherwise("predicate"))])


def _similar(similarities: Floats) -> pl.Series:
    frame = pl.DataFrame({"similarity": pl.Series(similarities, dtype=pl.Float64).round(3)})
    return frame.select(note=pl.format("similarity {}", "similarity"))["note"]
