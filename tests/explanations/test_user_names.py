"""One answer to what a user is called."""

import numpy as np
import polars as pl

from factlink.explanations.user_names import best_name, best_names, user_names
from factlink.types import Attribute, Kind, Network

PEOPLE = Network(
    "left",
    pl.Series(["u1", "u2", "u3"]),
    {
        "handle": Attribute(Kind.NAME, np.array([0, 1]), pl.Series(["amytan88", "u2"])),
        "name": Attribute(Kind.NAME, np.array([0, 0, 0]), pl.Series(["Amy", "Amy Tan", "Amy Sun"])),
    },
    {},
)


def test_users_are_called_by_their_best_name_and_id() -> None:
    assert user_names(PEOPLE, np.array([2, 0, 1, 0])).to_list() == ["u3", "Amy Sun (u1)", "u2", "Amy Sun (u1)"]


def test_one_user_is_called_the_same_as_many() -> None:
    assert best_names(PEOPLE, np.array([0, 2])).to_list() == ["Amy Sun", None]
    assert best_name(["amytan88", "Amy", "Amy Tan", "Amy Sun"], "u1") == "Amy Sun"
    assert best_name([], "u3") == "u3"
