"""Which pairs a linker may know, and which it is tested on."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.errors import InputError, SettingError
from factlink.types import NO_PAIRS, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """One way to divide the truth."""

    known: Pairs
    tested: Pairs


def make_folds(truth: Pairs, n_folds: int, seed: int = 0) -> list[Fold]:
    """The truth in parts of equal size, drawn at random; each part is tested once, with all others known.

    Pairs of one left user stay together. One fold tests everything and knows nothing.
    """
    lefts, user_of = np.unique(truth.lefts, return_inverse=True)
    if n_folds < 1:
        raise SettingError(f"folds is {n_folds}; there is at least 1")
    if n_folds > len(lefts):
        raise InputError(f"the truth names {len(lefts)} left users, too few for {n_folds} folds; lower folds")
    if n_folds == 1:
        return [Fold(NO_PAIRS, truth)]
    part_of_user = np.empty(len(lefts), np.int64)
    part_of_user[np.random.default_rng(seed).permutation(len(lefts))] = np.arange(len(lefts)) % n_folds
    parts = part_of_user[user_of]
    return [Fold(_chosen(truth, parts != part), _chosen(truth, parts == part)) for part in range(n_folds)]


def rest_of(truth: Pairs, known: Pairs) -> Fold:
    """Known pairs as given, tested on the pairs of the truth that share no user with them."""
    if not len(known):
        return Fold(known, truth)
    tested = _chosen(truth, ~(np.isin(truth.lefts, known.lefts) | np.isin(truth.rights, known.rights)))
    if not len(tested):
        raise InputError("the known pairs cover the whole truth; there is nothing left to test")
    return Fold(known, tested)


def _chosen(pairs: Pairs, chosen: npt.NDArray[np.bool_]) -> Pairs:
    return Pairs(pairs.lefts[chosen], pairs.rights[chosen])
