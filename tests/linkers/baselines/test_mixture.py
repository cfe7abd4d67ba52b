"""The mixture of matches and non-matches, on pairs whose side we drew ourselves."""

import numpy as np
import pytest

from factlink.linkers.baselines.mixture import Bins, Mixture, even_bins, fit_mixture, quantile_bins
from factlink.types import Floats


def drawn(n_matches: int, n_others: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Two columns: 8 in 10 matches are above .8 in each, 1 in 10 of the others; and random pairs like the others."""
    rng = np.random.default_rng(seed)

    def draw(n: int, share: float) -> Floats:
        high = rng.random((n, 2)) < share
        return np.where(high, rng.uniform(0.8, 1, (n, 2)), rng.uniform(0, 0.8, (n, 2))).astype(np.float32)

    return np.concatenate([draw(n_matches, 0.8), draw(n_others, 0.1)]), draw(5000, 0.1)


def fitted(values: Floats, random_pairs: Floats) -> Mixture:
    bins = tuple(even_bins(values[:, c], 10) for c in range(values.shape[1]))
    return fit_mixture(values, random_pairs, (values.min(axis=1) > 0.95).astype(np.float32), bins, 0.5)


def test_bins_by_hand() -> None:
    bins = even_bins(np.array([0.0, 0.05, 0.31, 0.39, 1.0, np.nan], np.float32), 10)
    assert bins.of(np.array([0.0, 0.35, 1.0, np.nan], np.float32)).tolist() == [0, 3, 9, 10]
    assert bins.middles[[0, 3, 9]].tolist() == pytest.approx([0.025, 0.35, 1.0])
    assert bins.middles[5] == pytest.approx(0.55)


def test_amounts_have_a_bin_for_nought() -> None:
    bins = quantile_bins(np.array([0, 0, 0, 1, 2, 3, 4], np.float32), 3)
    assert bins.of(np.array([0, 1, 2, 3, 4], np.float32)).tolist() == [0, 1, 1, 2, 2]
    assert quantile_bins(np.zeros(4, np.float32), 3).of(np.zeros(2, np.float32)).tolist() == [0, 0]


def test_em_recovers_the_share_of_matches_and_the_ratios() -> None:
    """True: π = .1, log-ratio ln(.8/.1) above .8 and ln(.2/.9) below."""
    mixture = fitted(*drawn(2000, 18_000))
    assert 1 / (1 + np.exp(-mixture.prior)) == pytest.approx(0.1, abs=0.02)
    for ratios in mixture.ratios:
        assert ratios[9] == pytest.approx(np.log(8), abs=0.25)
        assert ratios[2] == pytest.approx(np.log(0.2 / 0.9), abs=0.25)


def test_more_similar_is_never_less_likely() -> None:
    mixture = fitted(*drawn(300, 3000, seed=1))
    for ratios in mixture.ratios:
        assert (np.diff(ratios) >= 0).all()
    rising = np.linspace(0, 1, 50, dtype=np.float32)[:, None].repeat(2, axis=1)
    assert (np.diff(mixture.log_odds(rising)) >= -1e-6).all()


def test_what_is_missing_says_nothing() -> None:
    bins = Bins(np.array([0.5], np.float32), np.array([0.25, 0.75], np.float32))
    mixture = Mixture((bins, bins), (np.array([-1, 1], np.float32), np.array([-2, 2], np.float32)), prior=0.5)
    values = np.array([[0.75, 0.75], [0.75, np.nan], [np.nan, np.nan], [0.5, 0.25]], np.float32)
    assert mixture.log_odds(values).tolist() == pytest.approx([3.5 + 0.0015, 1.5 + 0.00075, 0.5, -1.5 + 0.00075])


def test_matches_are_never_held_to_be_more_than_there_can_be() -> None:
    values, random_pairs = drawn(2000, 2000)
    bins = tuple(even_bins(values[:, c], 10) for c in range(2))
    mixture = fit_mixture(values, random_pairs, np.ones(4000, np.float32), bins, 0.05)
    assert mixture.prior == pytest.approx(np.log(0.05 / 0.95))
