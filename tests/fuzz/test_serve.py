"""Mutated requests to the service: whatever is sent, the answer is no 500, and a refusal is a problem in JSON.

FACTLINK_FUZZ_CASES sets how many requests are sent (200 unless set). Request n is the same every time.
"""

import json
import os
import random
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.fuzz.test_review import mutated_bytes
from tests.serve.conftest import BEARER, ENTRY, World, client, world

CASES = int(os.environ.get("FACTLINK_FUZZ_CASES", "200"))
ODD: list[Any] = [
    None, True, 0, -1, 1e308, "", " ", "\0", "\u202e\u2028", "🧑‍🚀" * 50, "a" * 30_000, [], {}, [[]], [None, 7],
    {"id": "left"}, "left", "right", "follows", ["x"] * 200, {"followee": "nobody"}, 10**30, "９" * 9,
]  # fmt: skip

__all__ = ["client", "world"]


def odd(rng: random.Random, said: Any) -> Any:
    """The same with one of its parts replaced, renamed or left out."""
    if isinstance(said, dict) and said and rng.random() < 0.8:
        name = rng.choice(list(said))
        ways = [odd(rng, said[name]), rng.choice(ODD)]
        changed = {key: held for key, held in said.items() if key != name}
        return changed | rng.choice([{}, {name: rng.choice(ways)}, {f"{name}s": said[name]}, {name: ways[0]}])
    if isinstance(said, list) and said and rng.random() < 0.8:
        at = rng.randrange(len(said))
        return [*said[:at], odd(rng, said[at]), *said[at + rng.randint(0, 1) :]]
    return rng.choice(ODD)


def test_whatever_is_sent_is_answered(world: World, client: TestClient) -> None:
    accounts = [world.account(0), {"attributes": world.account(1)["attributes"]}]
    queries = {"q": {"query": "amy", "type": "right", "limit": 2, "properties": [{"pid": "bio", "v": ["a"]}]}}
    extend = {"ids": ["a", "b"], "properties": [{"id": "bio"}]}
    for number in range(CASES):
        rng = random.Random(f"serve {number}")
        body = odd(rng, {"side": "left", "accounts": accounts, "together": rng.random() < 0.5, "candidates": 3})
        text = json.dumps(body).encode()
        asked = [
            ("POST", "/v1/lookup", text),
            ("POST", "/v1/lookup", mutated_bytes(rng, text)),
            ("POST", "/v1/accounts", text),
            ("POST", f"{ENTRY.place}/right", b"queries=" + json.dumps(odd(rng, queries)).encode()),
            ("POST", f"{ENTRY.place}/left", mutated_bytes(rng, b"extend=" + json.dumps(odd(rng, extend)).encode())),
            ("GET", "/v1/persons/" + "".join(rng.choices("a/%?#\u00e9 .\U0001f9d1", k=rng.randint(0, 9))), b""),
            ("GET", f"{ENTRY.place}/right/suggest/" + rng.choice(["entity?prefix=%00", "type", "x", "property"]), b""),
            ("GET", f"{ENTRY.place}/{rng.choice(['left', 'up', ''])}/preview?id={rng.choice(['%ff', 'a', ''])}", b""),
        ]
        method, path, content = rng.choice(asked)
        kind = "application/json" if path.startswith("/v1") else "application/x-www-form-urlencoded"
        answer = client.request(method, path, content=content, headers={**BEARER, "Content-Type": kind})
        if answer.status_code >= 500:
            pytest.fail(f"case {number}: {answer.status_code} to {method} {path} {content[:300]!r}")
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.json()["detail"]
