"""Scores that are sums over pair features, taken apart: each feature with the two objects that made it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.evidence import FRIENDS, REST
from factlink.explanations.frames import join_parts, part_frame, rest_of
from factlink.linkers.baselines.features.best_pairs import BestPairScorer
from factlink.linkers.baselines.features.pair_features import BestPair, Feature
from factlink.types import Floats, Ints, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Breakdown:
    """What each column of the features adds to the score of every candidate pair."""

    features: Sequence[Feature]
    weights: Floats  # (n_pairs, n_columns): columns of the features, and then of shared friends
    others: str  # what is not in the columns


def feature_parts(features: Sequence[Feature], weights: Floats, pairs: Pairs) -> pl.DataFrame:
    """Columns PARTS: weights (n_pairs, n_columns) of the features' columns; further columns are shared friends."""
    parts, column, places = [], 0, np.arange(len(pairs))
    for feature in features:
        if isinstance(feature, BestPair):
            objects = feature.scorer.object_parts(pairs, weights[:, column])
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
    """Columns PARTS for a scorer of candidate pairs; `places` are −1 for pairs that are not candidates."""
    listed = np.flatnonzero(places >= 0)
    asked = Pairs(pairs.lefts[listed], pairs.rights[listed])
    found = feature_parts(breakdown.features, breakdown.weights[places[listed]], asked) if breakdown else join_parts([])
    found = found.with_columns(pair=pl.Series(listed, dtype=pl.Int64).gather(found["pair"]))
    unlisted = np.flatnonzero(places < 0)
    rest = others.object_parts(Pairs(pairs.lefts[unlisted], pairs.rights[unlisted]))
    rest = rest.with_columns(pair=pl.Series(unlisted, dtype=pl.Int64).gather(rest["pair"]))
    parts = join_parts([found, rest])
    left_over = rest_of(scores, parts, breakdown.others if breakdown else "all else")
    said = pl.when(pl.col("pair").is_in(unlisted)).then(pl.lit("not among the candidates"))
    return join_parts([parts, left_over.with_columns(predicate=said.otherwise("predicate"))])
