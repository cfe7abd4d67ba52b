"""A mixture of matches and non-matches over binned similarities, fitted by expectation maximisation.

    p(γ) = π Π_f p(γ_f | match) + (1 − π) Π_f p(γ_f | non-match),   f over the columns that are known

The log-ratio of every column is kept rising, so that more similar never means less likely a match; without this an
unsupervised fit may find popular and unpopular users instead.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.types import Floats

FIXED_ROUNDS = 5  # rounds in which non-matches keep the shape of random pairs
MOST_ROUNDS = 50
SLOPE = 1e-3  # log-odds per unit of similarity where bins do not differ: the more similar of two equal pairs is first
ENOUGH = 1e-4  # mean change of the probabilities at which to stop


@dataclass(frozen=True, slots=True, eq=False)
class Bins:
    """How values of one column fall into bins."""

    edges: Floats  # (n_bins − 1,) inner edges; a value on an edge falls above it
    middles: Floats  # (n_bins,) the mean value of each bin

    def of(self, values: Floats) -> npt.NDArray[np.intp]:
        """(n,): the bin of each value, n_bins for a missing one."""
        bins = np.searchsorted(self.edges, values, side="right")
        return np.where(np.isnan(values), len(self.middles), bins)


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """Log-ratios of match to non-match by bin, and the prior log-odds."""

    bins: tuple[Bins, ...]  # by column
    ratios: tuple[Floats, ...]  # (n_bins,) by column, rising
    prior: float

    def log_odds(self, values: Floats) -> Floats:
        """(n,): ratios interpolated between the middles of bins, rising a little within one, so that few tie."""
        total = np.full(len(values), self.prior)
        for column in self.parts(values).T:
            total += column
        return total.astype(np.float32)

    def parts(self, values: Floats) -> npt.NDArray[np.float64]:
        """(n, n_columns): what each column adds; 0 for what is missing."""
        parts = np.zeros(values.shape)
        for column, (bins, ratios) in enumerate(zip(self.bins, self.ratios, strict=True)):
            known = ~np.isnan(values[:, column])
            found = values[known, column]
            parts[known, column] = np.interp(found, bins.middles, ratios) + SLOPE * found
        return parts


def even_bins(values: Floats, n_bins: int) -> Bins:
    """Bins of one width over [0, 1], for similarities."""
    return _with_middles(np.linspace(0, 1, n_bins + 1)[1:-1], values)


def quantile_bins(values: Floats, n_bins: int) -> Bins:
    """Zero by itself and equally filled bins above it, for amounts."""
    above = values[values > 0]
    if not len(above):
        return _with_middles(np.array([np.finfo(np.float32).tiny]), values)
    inner = np.quantile(above, np.linspace(0, 1, n_bins)[1:-1])
    return _with_middles(np.unique([np.finfo(np.float32).tiny, *inner]), values)


def fit_mixture(
    values: Floats, random_pairs: Floats, matches: Floats, bins: tuple[Bins, ...], most_matches: float
) -> Mixture:
    """EM from the shape of random pairs (`random_pairs`) and first probabilities; π never above most_matches."""
    codes = [column_bins.of(values[:, c]) for c, column_bins in enumerate(bins)]
    sizes = [len(column_bins.middles) for column_bins in bins]
    others = [
        _shares(b.of(random_pairs[:, c]), np.ones(len(random_pairs)), n)
        for c, (b, n) in enumerate(zip(bins, sizes, strict=True))
    ]
    totals = [np.bincount(code, minlength=n + 1)[:n] + 1.0 for code, n in zip(codes, sizes, strict=True)]
    probabilities = matches.astype(np.float64)
    prior = 0.0
    for done in range(MOST_ROUNDS):
        if done >= FIXED_ROUNDS:
            others = [_shares(code, 1 - probabilities, n) for code, n in zip(codes, sizes, strict=True)]
        alike = [_shares(code, probabilities, n) for code, n in zip(codes, sizes, strict=True)]
        ratios = [_rising(np.log(a / o), total) for a, o, total in zip(alike, others, totals, strict=True)]
        share = np.clip(probabilities.mean(), 1e-9, most_matches)
        prior = float(np.log(share / (1 - share)))
        before, probabilities = probabilities, _posterior(codes, ratios, prior)
        if done > FIXED_ROUNDS and np.abs(probabilities - before).mean() < ENOUGH * share:
            break
    return Mixture(bins, tuple(r.astype(np.float32) for r in ratios), prior)


def _with_middles(edges: npt.NDArray[np.float64], values: Floats) -> Bins:
    known = values[~np.isnan(values)]
    codes = np.searchsorted(edges.astype(np.float32), known, side="right")
    counts = np.bincount(codes, minlength=len(edges) + 1)
    sums = np.bincount(codes, weights=known, minlength=len(edges) + 1)
    outer = np.concatenate([[0.0], edges, [max(1.0, float(edges[-1]))]])
    middles = np.where(counts > 0, sums / np.maximum(counts, 1), (outer[1:] + outer[:-1]) / 2)
    return Bins(edges.astype(np.float32), middles.astype(np.float32))


def _shares(codes: npt.NDArray[np.intp], weights: npt.NDArray[np.float64], n_bins: int) -> npt.NDArray[np.float64]:
    """The share of each bin, with one added to every bin."""
    counts = np.bincount(codes, weights=weights, minlength=n_bins + 1)[:n_bins] + 1
    return np.asarray(counts / counts.sum())


def _rising(ratios: npt.NDArray[np.float64], totals: npt.NDArray[np.floating[Any]]) -> npt.NDArray[np.float64]:
    from sklearn.isotonic import isotonic_regression

    return np.asarray(isotonic_regression(ratios, sample_weight=totals))


def _posterior(
    codes: list[npt.NDArray[np.intp]], ratios: list[npt.NDArray[np.float64]], prior: float
) -> npt.NDArray[np.float64]:
    log_odds = np.full(len(codes[0]), prior)
    for code, ratio in zip(codes, ratios, strict=True):
        log_odds += np.append(ratio, 0.0)[code]
    return np.asarray(1 / (1 + np.exp(-np.clip(log_odds, -50, 50))))
