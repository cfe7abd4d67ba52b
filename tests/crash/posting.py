"""Accounts posted to the service of a run, one request after another."""

from pathlib import Path

import polars as pl
from starlette.testclient import TestClient

from factlink.serve.app import Service, make_app
from factlink.serve.guard import Entry
from factlink.serve.measures import Measures
from factlink.serve.serving import ServeSettings, open_service
from factlink.serve.warm.holding import Held

TOKEN = "a-token-of-some-length"
ACKNOWLEDGED = "acknowledged"


def post(run: Path, new: Path, beside: Path) -> int:
    """Posts each new account that the run does not hold; who was acknowledged is noted in a file of `beside`."""
    opened = open_service(run, ServeSettings(token=TOKEN, write=True))
    opened.listener.close()
    held = Held(run, opened.folder)
    entry = Entry(TOKEN, ("testserver",))
    service = Service(held, entry, Measures(), opened.folder, write=True)
    client = TestClient(make_app(service, entry, Measures()), headers={"Authorization": f"Bearer {TOKEN}"})
    for user in pl.read_parquet(new / "users.parquet").to_dicts():
        if user["id"] not in users_of(run):
            attributes = {name: held for name, held in user.items() if name != "id" and held is not None}
            answer = client.post("/v1/accounts", json={"account": {"id": user["id"], "attributes": attributes}})
            if answer.status_code != 201:
                return 1
            with (beside / ACKNOWLEDGED).open("a") as file:
                file.write(f"{user['id']}\n")
    return 0


def users_of(run: Path) -> set[str]:
    """The ids of the left users of a run."""
    return set(pl.read_parquet(run / "left" / "users.parquet", columns=["id"])["id"])
