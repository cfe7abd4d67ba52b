"""Accepting links together, and taking that back at once."""

from pathlib import Path

import pytest

from tests.review.conftest import WRITE, World, open_world


def post(world: World, path: str, **fields: str) -> tuple[int, dict[str, object]]:
    answer = world.client.post(path, json=fields, headers=WRITE | {"Accept": "application/json"})
    return answer.status_code, answer.json()


def test_how_many_links_would_be_accepted_is_shown_first(world: World) -> None:
    seen = world.get("/bulk", at_least="0.5")
    assert (seen["count"], seen["expected_false"]) == (2, 0.6)
    assert world.get("/bulk", at_least="0.99")["count"] == 0


def test_all_are_judged_and_one_undo_takes_them_back(world: World) -> None:
    assert post(world, "/bulk", at_least="0.5", count="2") == (200, {"judged": 2})
    assert {said["verdict"] for said in world.judgements.overall().to_dicts()} == {"match"}
    assert world.get("/bulk", at_least="0.5")["count"] == 0
    assert post(world, "/undo") == (200, {"undone": 2})
    assert world.judgements.overall().height == 0
    assert world.get("/bulk", at_least="0.5")["count"] == 2


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"at_least": "0.5", "count": "9"},
            "2 open links have a probability of 0.5 or more now, not 9; look at them again",
        ),
        ({"at_least": "0.5"}, "not an unknown number"),
        ({"at_least": "0.2", "count": "4"}, "links are accepted together from a probability of 0.5 to 1, not from 0.2"),
        ({"at_least": "high", "count": "4"}, "'high' is not a probability"),
    ],
)
def test_what_was_not_seen_is_not_judged(world: World, fields: dict[str, str], sentence: str) -> None:
    status, answer = post(world, "/bulk", **fields)
    assert (status, answer["kept"]) == (400, False)
    assert sentence in str(answer["error"])
    assert world.judgements.overall().height == 0


def test_pages_offer_it_and_say_what_was_done(world: World) -> None:
    assert "/bulk" in world.client.get("/queue").text
    assert "Judge all 2 a match" in world.client.get("/bulk", params={"at_least": "0.5"}).text
    assert "2 pairs were judged match." in world.client.get("/queue", params={"judged": "2"}).text
    assert "2 judgements were undone." in world.client.get("/queue", params={"undone": "2"}).text


def test_a_blind_reviewer_judges_one_pair_at_a_time(run: Path) -> None:
    blind = open_world(run, blind=True)
    assert "/bulk" not in blind.client.get("/queue").text
    status, answer = post(blind, "/bulk", at_least="0.5", count="2")
    assert status == 400
    assert "a blind review judges one pair at a time" in str(answer["error"])
