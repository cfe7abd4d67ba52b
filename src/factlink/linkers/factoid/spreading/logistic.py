"""Logistic regression with slopes that do not fall: of labels, and of choices among candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

_RIDGE = 1e-3  # of squared slopes, per unit of spread: keeps them finite where classes are apart
_GENTLEST = 0.05  # the smallest slope


def fit_logistic(
    rows: npt.NDArray[np.floating], labels: npt.NDArray[np.bool_], weights: Doubles
) -> tuple[float, tuple[float, ...]]:
    """Intercept and slopes of the log odds of a label, in the units of the columns."""
    from scipy.optimize import minimize

    columns = np.asarray(rows, np.float64)
    units = np.maximum(columns.std(axis=0), 1e-6)
    design, signs = np.column_stack([np.ones(len(columns)), columns / units]), np.where(labels, 1.0, -1.0)

    def loss(solution: Doubles) -> tuple[float, Doubles]:
        margins = signs * (design @ solution)
        pull = -signs * weights / (1 + np.exp(np.clip(margins, -500, 500)))
        ridge = _RIDGE * np.append(0, solution[1:])
        value = (weights * np.logaddexp(0, -margins)).sum() + ridge @ solution
        return value / len(weights), (design.T @ pull + 2 * ridge) / len(weights)

    bounds = [(None, None)] + [(_GENTLEST * unit, None) for unit in units]
    start = np.append(0.0, np.maximum(1.0, _GENTLEST * units))
    solution = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    return float(solution[0]), tuple((solution[1:] / units).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Candidates of some users, one of which may be the right one."""

    rows: npt.NDArray[np.floating]  # (n, n_columns)
    users: npt.NDArray[np.int64]  # (n,) 0 … n_users − 1
    right: npt.NDArray[np.bool_]  # (n,)

    def totals(self, slopes: Sequence[float]) -> Doubles:
        """(n_users,): the logarithm of what the wrong candidates of each user weigh together."""
        scores = np.where(self.right, -np.inf, self.rows.astype(np.float64) @ np.asarray(slopes))
        totals = np.full(int(self.users.max()) + 1, -np.inf)
        np.logaddexp.at(totals, self.users, scores)
        return totals


def fit_choices(among: Choices) -> tuple[float, ...]:
    """Slopes, at least 0, that make the right candidates most likely among all of their users."""
    from scipy.optimize import minimize

    columns = among.rows.astype(np.float64)
    units = np.maximum(columns.std(axis=0), 1e-6)
    design, n_users = columns / units, int(among.users.max()) + 1
    chosen = np.bincount(among.users, among.right, n_users)

    def loss(slopes: Doubles) -> tuple[float, Doubles]:
        scores = design @ slopes
        tops = np.full(n_users, -np.inf)
        np.maximum.at(tops, among.users, scores)
        odds = np.exp(scores - tops[among.users])
        totals = np.bincount(among.users, odds, n_users)
        surprise = chosen @ (np.log(totals) + tops) - scores[among.right].sum()
        pull = design.T @ (chosen[among.users] * odds / totals[among.users] - among.right)
        return (surprise + _RIDGE * slopes @ slopes) / n_users, (pull + 2 * _RIDGE * slopes) / n_users

    start = np.ones(columns.shape[1])
    slopes = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0.0, None)] * len(start)).x
    return tuple((slopes / units).tolist())
