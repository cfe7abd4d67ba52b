"""The pair model within one network: log odds as a sum of rising curves, one for each column of evidence."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from factlink.decision.pair_model import Curve, Doubles, PairEvidence, fit_pair_model
from factlink.linkers.factoid.within.evidence import Columns
from factlink.types import Floats


@dataclass(frozen=True, slots=True)
class CurveModel:
    """z of a pair: that of a pair whose columns are all 0, and the curves of all columns."""

    base: float
    curves: Mapping[str, Curve]  # by title of the column; 0 at 0

    def parts(self, columns: Columns) -> dict[str, Doubles]:
        """What each column adds, by title."""
        return {title: curve(columns.values[title]) for title, curve in self.curves.items()}

    def log_odds(self, columns: Columns) -> Floats:
        """(n,): z."""
        total = np.full(len(columns), self.base)
        for part in self.parts(columns).values():
            total += part
        return total.astype(np.float32)


def fit_curves(users: Columns, decoys: Columns, best: Mapping[str, Floats], weight: float) -> CurveModel:
    """The most likely model, as in `decision/pair_model.py`: each decoy pair counts `weight` times.

    `best` are the users' best values by title.
    """
    titles = list(users.values)
    mine, theirs, tops = (
        _as_evidence([values[title] for title in titles]) for values in (users.values, decoys.values, best)
    )
    model = fit_pair_model(mine, theirs, tops, weight)
    return CurveModel(model.intercept, dict(zip(titles, model.curves, strict=True)))


def _as_evidence(columns: list[Floats]) -> PairEvidence:
    """Columns as the pair model takes them; it treats all alike, whatever their names."""
    return PairEvidence(tuple(columns[:-1]), columns[-1])
