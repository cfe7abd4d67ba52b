"""Curves of the columns of one network: each is learned for the column whose title it bears."""

import numpy as np
from numpy.testing import assert_allclose

from factlink.decision.pair_model import Curve
from factlink.linkers.factoid.within.curves import CurveModel, fit_curves
from factlink.linkers.factoid.within.evidence import Columns
from factlink.types import Floats


def column(*values: float) -> Floats:
    return np.array(values, np.float32)


def test_curves_add_up_by_title_whatever_the_order_of_the_columns() -> None:
    model = CurveModel(-2.0, {"names": Curve((0.0,), (3.0,)), "bio": Curve((0.0,), (10.0,))})
    columns = Columns({"bio": column(0, 0.5), "names": column(1, 1), "town": column(9, 9)})
    parts = model.parts(columns)
    assert {title: part.tolist() for title, part in parts.items()} == {"names": [3, 3], "bio": [0, 5]}
    assert_allclose(model.log_odds(columns), [1, 6])


def test_what_tells_partners_apart_gets_a_rising_curve_and_noise_does_not() -> None:
    """A tenth of the users' pairs is 4 higher in one column than all others are; the other column is noise in both."""
    rng = np.random.default_rng(0)
    decoys = rng.normal(0, 1, 8_000).astype(np.float32)
    users = np.concatenate([rng.normal(0, 1, 8_000), rng.normal(4, 1, 800)]).astype(np.float32)
    noise = [rng.uniform(0, 1, len(some)).astype(np.float32) for some in (users, decoys)]
    for titles in (("telling", "noise"), ("noise", "telling")):
        mine, theirs = ({"telling": told, "noise": said} for told, said in ((users, noise[0]), (decoys, noise[1])))
        best = {"telling": np.sort(users)[-1_600:], "noise": noise[0][:1_600]}
        some, others = (Columns({title: each[title] for title in titles}) for each in (mine, theirs))
        model = fit_curves(some, others, best, 1.0)
        assert list(model.curves) == list(titles)
        telling, said = (np.diff(model.curves[title](np.array(ends))) for title, ends in asked)
        assert telling[0] > 6  # 8 in log odds between 1 and 3, as far as a tenth shows
        assert abs(said[0]) < 1
        assert model.log_odds(Columns({"telling": column(4), "noise": column(0.5)}))[0] > 3


asked = (("telling", (1.0, 3.0)), ("noise", (0.2, 0.8)))
"""Columns, and two values of each."""
