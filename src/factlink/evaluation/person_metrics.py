"""How good persons are: pairs of accounts put together, and B-cubed (Bagga & Baldwin, 1998)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.types import Ints


@dataclass(frozen=True, slots=True)
class PersonMetrics:
    """Over accounts whose true person is known; pairs are any two of them."""

    accounts: int
    precision: float  # share of the pairs put together that are one person
    recall: float  # share of the pairs of one person that were put together
    f1: float
    bcubed_precision: float  # mean over accounts: share of their person's accounts that are right
    bcubed_recall: float  # mean over accounts: share of the right accounts that are with them
    bcubed_f1: float


def evaluate_persons(found: Ints, true: Ints) -> PersonMetrics:
    """Persons as numbers, found and true, one for each account."""
    cells = np.unique(np.stack([found, true]), axis=1, return_inverse=True)[1].ravel()
    together = np.bincount(cells)
    mine, theirs = (np.unique(numbers, return_inverse=True, return_counts=True)[1:] for numbers in (found, true))
    per_account = together[cells]
    precision, recall = _pairs(together) / max(1, _pairs(mine[1])), _pairs(together) / max(1, _pairs(theirs[1]))
    bcubed_precision = float(np.mean(per_account / mine[1][mine[0]]))
    bcubed_recall = float(np.mean(per_account / theirs[1][theirs[0]]))
    return PersonMetrics(
        len(found),
        precision,
        recall,
        _f1(precision, recall),
        bcubed_precision,
        bcubed_recall,
        _f1(bcubed_precision, bcubed_recall),
    )


def _pairs(sizes: npt.NDArray[np.int64]) -> float:
    return float((sizes * (sizes - 1) / 2).sum())


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
