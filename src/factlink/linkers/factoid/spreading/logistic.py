"""Logistic regression with slopes that do not fall."""

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
