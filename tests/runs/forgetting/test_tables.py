"""Tables of a run without an account, by hand."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from factlink.runs.forgetting.accounts import Account
from factlink.runs.forgetting.tables import (
    FORGOTTEN,
    candidates_without,
    evidence_without,
    links_without,
    network_without,
    places_without,
    rows_without,
)
from factlink.types import Candidates

AMY = Account("left", "home", "amy", 1)
YAN = Account("right", "away", "yan", 1)
INF = np.inf


def links() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "left": ["ann", "amy", "bob"],
            "right": ["yan", "zoe", "zoe"],
            "score": [3.0, 2.0, 1.0],
            "probability": [0.9, 0.8, 0.7],
            "decision": ["link", "link", "unknown"],
            "runner_up": ["zoe", "yan", "yan"],
            "margin": [1.0, 1.5, 0.25],
            "source": ["found", "known", "found"],
        },
        schema_overrides={"score": pl.Float32, "probability": pl.Float32, "margin": pl.Float32},
    )


def test_users_and_links_between_users_lose_the_user() -> None:
    users = pl.DataFrame({"id": ["amy", "bob"], "name": ["bob", "amy"]})
    assert network_without(users, "amy").rows() == [("bob", "amy")]
    follows = pl.DataFrame({"source": ["amy", "bob", "bob"], "target": ["bob", "amy", "cay"]})
    assert network_without(follows, "amy").rows() == [("bob", "cay")]


def test_rows_that_name_the_account_in_its_own_network_go() -> None:
    persons = pl.DataFrame({"person": [1, 1, 2], "network": ["home", "away", None], "user": ["amy", "amy", "amy"]})
    assert rows_without(persons, AMY).rows() == [(1, "away", "amy"), (2, None, "amy")]
    splits = pl.DataFrame(
        {"network": ["away", "away"], "user": ["x", "x"], "other_network": ["home", "away"], "other_user": ["amy"] * 2}
    )
    assert rows_without(splits, AMY)["other_network"].to_list() == ["away"]


def test_rows_of_a_table_without_networks_go_if_any_text_is_the_id() -> None:
    pairs = pl.DataFrame({"left": ["amy", "bob", None], "right": ["x", "amy", "y"], "n": [1, 2, 3]})
    assert rows_without(pairs, AMY)["n"].to_list() == [3]
    numbers = pl.DataFrame({"n": [1, 2]})
    assert rows_without(numbers, AMY).equals(numbers)


def test_candidates_of_a_left_user_go_and_of_a_right_user_the_next_best_move_up() -> None:
    found = Candidates(np.array([[0, 1, 2], [1, 2, -1]], np.int32), np.array([[3, 2, 1], [5, 4, -INF]], np.float32))
    left = candidates_without(found, AMY)
    assert (left.rights.tolist(), left.scores.tolist()) == ([[0, 1, 2]], [[3, 2, 1]])
    right = candidates_without(found, YAN)
    assert right.rights.tolist() == [[0, 1, -1], [1, -1, -1]]
    assert right.scores.tolist() == [[3, 1, -INF], [4, -INF, -INF]]
    assert found.rights[0, 1] == 1  # what was given stays


def test_a_left_user_takes_its_link_along() -> None:
    nobody = Candidates(np.empty((2, 0), np.int32), np.empty((2, 0), np.float32))
    assert links_without(links(), AMY, nobody, (pl.Series(["ann", "bob"]), pl.Series(["zoe"])))["left"].to_list() == [
        "ann",
        "bob",
    ]


def test_who_was_linked_with_a_right_user_has_no_account_and_runners_up_move_up() -> None:
    candidates = Candidates(
        np.array([[0, -1], [0, 1], [0, -1]], np.int32), np.array([[2, -INF], [2, 0.5], [1, -INF]], np.float32)
    )
    users = pl.Series(["ann", "amy", "bob"]), pl.Series(["zoe", "pam"])
    found = links_without(links(), YAN, candidates, users)
    assert found.row(0) == ("ann", None, -INF, 0.0, "no account", "zoe", INF, None)
    assert found.row(1, named=True) == {
        **links().row(1, named=True),
        "probability": pytest.approx(0.8),
        "runner_up": "pam",
        "margin": 1.5,
    }
    assert found["runner_up"][2] is None  # nobody is left beside the one it is linked with
    assert found["margin"][2] == INF


def test_pairs_within_one_network_go_whichever_of_the_two_leaves() -> None:
    """Links are not one for each user there; the second pair of bob is with amy, who was cay's runner-up."""
    pairs = pl.DataFrame(
        {
            "left": ["ann", "bob", "cay"],
            "right": ["bob", "amy", "bob"],
            "score": [3.0, 2.0, 1.0],
            "probability": [0.9, 0.8, 0.7],
            "decision": ["link", "link", "unknown"],
            "runner_up": [None, "ann", "amy"],
            "margin": [INF, 1.0, 0.5],
            "source": ["found"] * 3,
        },
        schema_overrides={"score": pl.Float32, "probability": pl.Float32, "margin": pl.Float32},
    )
    everybody = pl.Series(["ann", "bob", "cay"])
    candidates = Candidates(
        np.array([[1, -1], [0, -1], [1, 0]], np.int32), np.array([[3, -INF], [1, -INF], [1, 0.25]], np.float32)
    )
    amy = Account("right", "home", "amy", 3, within=True)
    found = links_without(pairs, amy, candidates, (everybody, everybody))
    assert found["left"].to_list() == ["ann", "cay"]
    assert found["runner_up"].to_list() == [None, "ann"]
    assert found["margin"].to_list() == [INF, 0.75]
    stays, places = places_without(np.array([0, 1, 2]), pairs, amy)
    assert (stays.tolist(), places.tolist()) == ([0, 2], [0, 1])


def test_evidence_of_other_pairs_shows_nothing_of_the_account() -> None:
    evidence = pl.DataFrame(
        {
            "left": ["amy", "bob", "bob", "bob", "bob"],
            "right": ["x", "x", "x", "x", "x"],
            "left_object": ["a", "amy", "Amy T. (amy)", "likes Rare Name", "amyx"],
            "right_object": ["b", None, "b", "b", "b"],
            "note": ["n", "3 links", None, None, "by Rare Name"],
        }
    )
    found = evidence_without(evidence, AMY, ["Rare Name"])
    assert found["left"].to_list() == ["bob"] * 4
    assert found["left_object"].to_list() == [FORGOTTEN, FORGOTTEN, FORGOTTEN, "amyx"]
    assert found["right_object"].to_list() == [None, "b", "b", "b"]
    assert found["note"].to_list() == ["3 links", None, None, FORGOTTEN]


@pytest.mark.parametrize(
    ("account", "kept", "moved"), [(AMY, [0, 2], [0, 1]), (YAN, [1, 2], [1, 2])], ids=["left", "right"]
)
def test_places_among_links_move_with_a_left_user_and_stay_with_a_right_one(
    account: Account, kept: list[int], moved: list[int]
) -> None:
    stays, places = places_without(np.array([0, 1, 2]), links(), account)
    assert_array_equal(stays, kept)
    assert_array_equal(places, moved)
