"""Calibration of probabilities on known pairs that the linker was not given."""

from collections.abc import Callable

import numpy as np

from factlink.candidates.reordered import in_order
from factlink.decision.likelihoods import estimate_likelihoods
from factlink.decision.platt import FEWEST, PlattScaling, fit_platt, split_users
from factlink.protocols import Scorer
from factlink.types import Network, Pairs


def calibrate(
    fit: Callable[[Network, Network, Pairs], Scorer], first: Scorer, known: Pairs, *, one_to_one: bool
) -> PlattScaling:
    """Platt scaling from a second fit with half of the known pairs; none if there are too few.

    Rows are those of the first fit: two users that differ only in a held-out pair keep their order.
    """
    if len(np.unique(known.lefts)) < 2 * FEWEST:
        return PlattScaling()
    given, withheld = split_users(known, np.random.default_rng(0))
    scorer, orders = in_order(fit(first.left, first.right, given))
    return fit_platt(estimate_likelihoods(scorer, one_to_one=one_to_one), orders.pairs(withheld))
