"""Who may ask, how much and how often; persons, health, metrics, the description; adding."""

from pathlib import Path

import polars as pl
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from factlink.runs.folder.store import load_run
from factlink.serve.guard import LARGEST_BODY, Entry, Rate
from factlink.serve.persons import listed_person
from tests.serve.conftest import ENTRY, TOKEN, World, client_of


def test_without_the_token_nothing_is_answered_but_health(client: TestClient) -> None:
    for wrong in ("", "Bearer", "Bearer no", f"Basic {TOKEN}"):
        refused = client.post("/v1/lookup", json={"account": {}}, headers={"Authorization": wrong})
        assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert client.get("/v1/health", headers={"Authorization": ""}).json()["status"] == "ok"
    assert client.get("/metrics", headers={"Authorization": ""}).status_code == 401


def test_other_hosts_are_refused(client: TestClient) -> None:
    assert client.get("/v1/health", headers={"Host": "evil.example"}).status_code == 421


def test_addresses_and_methods_that_are_not_there_are_problems(client: TestClient) -> None:
    assert client.get("/v1/lookups").status_code == 404
    assert client.get("/v1/lookup").status_code == 405
    assert client.post("/v1/lookup", content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
    assert client.get("/v1/lookups").headers["content-type"] == "application/problem+json"


def test_a_body_that_is_too_long_is_refused(client: TestClient) -> None:
    answer = client.post("/v1/lookup", content=b" " * (LARGEST_BODY + 1), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_only_so_many_requests_a_second(world: World, tmp_path: Path) -> None:
    with client_of(world.run, tmp_path / "work", entry=Entry(TOKEN, ("testserver",), 1.0)) as client:
        statuses = [client.get("/metrics").status_code for _ in range(5)]
    assert statuses[:2] == [200, 200]
    assert statuses[-1] == 429


def test_a_rate_fills_up_with_time() -> None:
    times = iter([0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.6])
    rate = Rate(2.0, lambda: next(times))
    assert [rate.take() for _ in range(6)] == [True, True, True, True, False, True]


def test_health_and_metrics(client: TestClient) -> None:
    health = client.get("/v1/health").json()
    assert health["users"] == {"left": 75, "right": 80}
    assert (health["search_recall"], health["write"]) == (1.0, False)
    text = client.get("/metrics").text
    assert "# TYPE factlink_requests_total counter" in text
    assert 'factlink_requests_total{route="health",status="200"}' in text
    assert "factlink_left_users 75\n" in text


def test_the_description_describes_the_answers(world: World, client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"] == "3.1.0"
    schema = {"$ref": "#/components/schemas/Answer", "components": described["components"]}
    [answer] = client.post("/v1/lookup", json={"account": world.account(2)}).json()["answers"]
    Draft202012Validator(schema).validate(answer)
    asked = {"$ref": "#/components/schemas/Question", "components": described["components"]}
    Draft202012Validator(asked).validate({"account": world.account(2)})


def test_a_person_holds_both_users_of_a_link(world: World, client: TestClient) -> None:
    link = load_run(world.run).links.filter(pl.col("decision") == "link").row(0, named=True)
    by_left, by_right = (client.get(f"/v1/persons/{link[end]}").json() for end in ("left", "right"))
    assert by_left == by_right
    assert {account["user"] for account in by_left["accounts"]} >= {link["left"], link["right"]}
    assert client.get("/v1/persons/nobody").status_code == 404


def test_persons_that_a_run_lists_are_those(tmp_path: Path) -> None:
    users = ["u1", "u2", "u3"]
    rows = {"person": ["p", "p", "q"], "network": ["a", "b", "a"], "user": users, "probability": [0.9, 0.8, 1.0]}
    pl.DataFrame(rows).write_parquet(tmp_path / "persons.parquet")
    found = listed_person(tmp_path / "persons.parquet", "p")
    assert found is not None
    assert [account["user"] for account in found["accounts"]] == ["u1", "u2"]
    assert listed_person(tmp_path / "persons.parquet", "u2") == found
    assert listed_person(tmp_path / "persons.parquet", "nobody") is None


def test_a_read_only_service_adds_nobody(world: World, client: TestClient) -> None:
    answer = client.post("/v1/accounts", json={"account": world.account(0)})
    assert (answer.status_code, "--write" in answer.json()["detail"]) == (403, True)


def test_added_accounts_are_in_the_run_and_found_by_the_other_side(world: World, copy: Path, tmp_path: Path) -> None:
    with client_of(copy, tmp_path / "work", write=True) as client:
        account = world.account(0)
        assert client.post("/v1/accounts", json={"account": {"attributes": {}}}).status_code == 400
        answer = client.post("/v1/accounts", json={"account": account})
        assert (answer.status_code, answer.json()["added"][0]["id"]) == (201, account["id"])
        assert account["id"] in load_run(copy).left.users.to_list()
        assert client.get("/v1/health").json()["users"] == {"left": 76, "right": 80}
        body = {"side": "right", "account": {"attributes": account["attributes"]}, "candidates": 50}
        [found] = client.post("/v1/lookup", json=body).json()["answers"]
        assert account["id"] in [candidate["user"] for candidate in found["candidates"]]
        again = client.post("/v1/accounts", json={"account": account})
        assert (again.status_code, "is in the run already" in again.json()["detail"]) == (400, True)


def test_the_place_of_reconciliation_is_not_the_token() -> None:
    assert TOKEN not in ENTRY.place
