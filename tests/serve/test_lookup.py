"""Accounts that are asked about get the answers that `factlink add` gives them; and nothing is written."""

import json
import shutil
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from factlink.data.tables import read_table
from factlink.linkers.factoid.state.stored import SIDES
from factlink.runs.adding import AddRequest, add_users
from factlink.serve.accounts import question_of, tables_of
from tests.serve.conftest import World


def added(world: World, place: Path, accounts: list[dict[str, object]], side: str) -> list[dict[str, object]]:
    """What `factlink add` says of accounts in a copy of the run."""
    shutil.copytree(world.run, place / "run")
    (place / "new").mkdir()
    tables = tables_of(question_of({"side": side, "accounts": accounts}).accounts)
    tables.users.write_parquet(place / "new" / "users.parquet")
    if tables.links is not None:
        tables.links.write_parquet(place / "new" / "links.parquet")
    return add_users(AddRequest(place / "run", place / "new", side), lambda stage: None).outcomes.to_dicts()


def test_one_account_is_answered_as_added_alone(world: World, client: TestClient, tmp_path: Path) -> None:
    account = world.account(0)
    [answer] = client.post("/v1/lookup", json={"account": account}).json()["answers"]
    [outcome] = added(world, tmp_path, [account], "left")
    assert (answer["partner"], answer["decision"]) == (outcome["partner"], outcome["decision"])
    assert answer["probability"] == pytest.approx(outcome["probability"], abs=1e-6)
    best = answer["candidates"][0]
    assert best["user"] == answer["partner"]
    assert best["decision"] == answer["decision"]


@pytest.mark.parametrize("side", SIDES)
def test_accounts_asked_about_together_are_answered_as_added_together(
    world: World, client: TestClient, tmp_path: Path, side: str
) -> None:
    accounts = [world.account(at) for at in range(5)]
    if side == "right":
        accounts = [{"id": f"new {at}", "attributes": each["attributes"]} for at, each in enumerate(accounts)]
    body = {"side": side, "accounts": accounts, "together": True}
    answers = client.post("/v1/lookup", json=body).json()["answers"]
    outcomes = added(world, tmp_path, accounts, side)
    found = [(each["id"], each["partner"], each["decision"]) for each in answers]
    assert found == [(each["user"], each["partner"], each["decision"]) for each in outcomes]
    assert [each["probability"] for each in answers] == pytest.approx([each["probability"] for each in outcomes])


def test_accounts_of_a_batch_do_not_compete(world: World, client: TestClient) -> None:
    twice = [world.account(0), world.account(0) | {"id": "the same again"}]
    one, other = client.post("/v1/lookup", json={"accounts": twice}).json()["answers"]
    assert one["candidates"] == other["candidates"]


def test_evidence_adds_up_and_shows_what_met(world: World, client: TestClient) -> None:
    [answer] = client.post("/v1/lookup", json={"account": world.account(0), "candidates": 1}).json()["answers"]
    [best] = answer["candidates"]
    sources = {part["source"]: part for part in best["evidence"]}
    assert sources["names"]["theirs"] == best["name"]
    assert "friends" in sources["linked neighbours"]
    weights = [abs(part["weight"]) for part in best["evidence"]]
    assert weights == sorted(weights, reverse=True)


def test_asking_writes_nothing_into_the_run(world: World, client: TestClient) -> None:
    before = {file: file.stat().st_mtime_ns for file in world.run.rglob("*")}
    assert client.post("/v1/lookup", json={"account": world.account(1)}).status_code == 200
    assert {file: file.stat().st_mtime_ns for file in world.run.rglob("*")} == before


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "the body needs either 'account' or 'accounts'"),
        ([], "the body is not a JSON object"),
        ({"account": {}, "side": "up"}, "a run has no side 'up'; there are: left, right"),
        ({"accounts": []}, "'accounts' is not a list of 1 to 100 accounts"),
        ({"account": {"attributes": {"shoe_size": "9"}}}, "has a column 'shoe_size' that the run does not know"),
        ({"account": {"attributes": {"bio": 7}}}, "'bio' of account 1 is not a text of at most 20,000 letters"),
        ({"account": {"links": [{"followee": "nobody"}]}}, "'nobody' is not in"),
        ({"account": {"links": [{"follower": "a", "followee": "b"}]}}, "needs either 'follower' or 'followee'"),
        ({"account": {}, "candidates": 0}, "'candidates' is not a whole number from 1 to 50"),
        ({"account": {"id": "\ud800"}}, "half of a surrogate pair"),
    ],
)
def test_a_wrong_question_is_a_problem_in_one_sentence(client: TestClient, body: object, sentence: str) -> None:
    answer = client.post("/v1/lookup", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert sentence in answer.json()["detail"]


def test_an_account_that_is_in_the_run_is_named(world: World, client: TestClient) -> None:
    user = read_table(world.run / "left" / "users.parquet", "")["id"][0]
    answer = client.post("/v1/lookup", json={"account": {"id": user, "attributes": {}}})
    assert (answer.status_code, "is in the run already" in answer.json()["detail"]) == (400, True)


def test_an_account_without_anything_has_no_candidates(client: TestClient) -> None:
    [answer] = client.post("/v1/lookup", json={"account": {}}).json()["answers"]
    assert (answer["partner"], answer["candidates"]) == (None, [])
