"""The reconciliation service: what its specification demands, and what a client of the package index gets."""

import json
from html import escape

import polars as pl
import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from tests.serve import schemas
from tests.serve.conftest import ENTRY, World

HOME = f"{ENTRY.place}/right"
NO_TOKEN = {"Authorization": ""}


def checked(schema: schemas.Json, found: schemas.Json) -> schemas.Json:
    Draft202012Validator(schema).validate(found)
    return found


def right_users(world: World) -> pl.DataFrame:
    return pl.read_parquet(world.run / "right" / "users.parquet")


def test_the_manifest_needs_no_header_but_the_place(client: TestClient) -> None:
    found = checked(schemas.MANIFEST, client.get(HOME, headers=NO_TOKEN).json())
    assert found["suggest"]["entity"]["service_url"] == f"http://testserver{HOME}"
    assert client.get("/reconcile/guess/right", headers=NO_TOKEN).status_code == 401
    assert client.get(HOME).headers["access-control-allow-origin"] == "*"
    assert client.get(f"{ENTRY.place}/up").status_code == 404


def test_queries_find_the_user_of_that_name(world: World, client: TestClient) -> None:
    account = world.account(0)["attributes"]
    account = {name: held for name, held in account.items() if name != "username"}
    queries = {
        "q0": {"limit": 3, "properties": [{"pid": name, "v": held} for name, held in account.items()]},
        "q1": {"query": account["screen_name"], "type": "right"},
        "q2": {"query": account["screen_name"], "type": "planet"},
    }
    found = checked(schemas.RESULTS, client.post(HOME, data={"queries": json.dumps(queries)}, headers=NO_TOKEN).json())
    [asked] = client.post("/v1/lookup", json={"account": {"attributes": account}}).json()["answers"]
    assert found["q0"]["result"][0]["id"] == asked["candidates"][0]["user"]
    assert found["q0"]["result"][0]["score"] == pytest.approx(100 * asked["candidates"][0]["probability"], abs=1e-3)
    assert len(found["q0"]["result"]) <= 3
    assert found["q2"]["result"] == []
    by_get = client.get(HOME, params={"queries": json.dumps({"q1": queries["q1"]})}).json()
    assert by_get["q1"] == found["q1"]


def test_suggestions(world: World, client: TestClient) -> None:
    name = right_users(world)["screen_name"].drop_nulls()[0]
    found = checked(schemas.SUGGESTED, client.get(f"{HOME}/suggest/entity", params={"prefix": name[:4]}).json())
    assert name in [each["name"] for each in found["result"]]
    found = checked(schemas.SUGGESTED, client.get(f"{HOME}/suggest/property", params={"prefix": "BI"}).json())
    assert found["result"] == [{"id": "bio", "name": "bio"}]
    found = checked(schemas.SUGGESTED, client.get(f"{HOME}/suggest/type", params={"prefix": ""}).json())
    assert [each["id"] for each in found["result"]] == ["right"]
    assert client.get(f"{HOME}/suggest/colour").status_code == 404


def test_extension_fetches_columns(world: World, client: TestClient) -> None:
    proposed = checked(schemas.PROPOSED, client.get(f"{HOME}/properties", params={"type": "right"}).json())
    assert "bio" in [each["id"] for each in proposed["properties"]]
    user = right_users(world).drop_nulls("bio").row(0, named=True)
    asked = {"ids": [user["id"], "nobody"], "properties": [{"id": "bio"}, {"id": "no such"}]}
    found = checked(schemas.EXTENDED, client.post(HOME, data={"extend": json.dumps(asked)}).json())
    assert found["meta"] == [{"id": "bio", "name": "bio"}]
    assert found["rows"] == {user["id"]: {"bio": [{"str": user["bio"]}]}, "nobody": {"bio": []}}


def test_a_preview_is_a_small_page_without_scripts(world: World, client: TestClient) -> None:
    user = right_users(world).drop_nulls("bio").row(0, named=True)
    page = client.get(f"{HOME}/preview", params={"id": user["id"]}, headers=NO_TOKEN)
    assert escape(user["bio"]) in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert client.get(f"{HOME}/preview", params={"id": "nobody"}).status_code == 400


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "[]",
        "{}",
        '{"q": 1}',
        '{"q": {"properties": true}}',
        *(f'{{"q": {{"properties": [{it}]}}}}' for it in ("1", "{}", '{"pid": ["bio"]}')),
    ],
)
def test_wrong_queries_are_problems(client: TestClient, asked: str) -> None:
    answer = client.get(HOME, params={"queries": asked})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
