"""Small runs, made by hand: no linker runs here."""

import json
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from PIL import Image
from starlette.testclient import TestClient

from factlink.data.files import write_network
from factlink.data.sources.networks import read_network
from factlink.review.answers import ReviewSettings
from factlink.review.app import make_app
from factlink.review.security import Door
from factlink.review.view_models import ViewModels
from factlink.runs.folder.judgement_file import create_judgements
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.manifest import Input, Manifest
from factlink.runs.folder.store import save_candidates, save_links, save_manifest
from factlink.types import Candidates, Links, Network
from tests.sealing import reseal

TOKEN = "open-sesame"
DOOR = Door(8000, TOKEN)
HOME = "http://127.0.0.1:8000"
WRITE = {"Origin": HOME}
KINDS = {"name": "name", "bio": "text", "picture": "image", "city": "category"}
SCRIPT = "<script>alert('owned')</script>"
LEFT = {
    "id": ["a", "b", "c", "d"],
    "name": ["Amy Tan", f"Ben {SCRIPT}", "🧑‍🚀 شاكر محمود", "Dee"],
    "bio": ["cats & code", f'"><img src=x onerror=alert(1)>{SCRIPT}', "أحب القطط " * 3, "long " * 20_000],
    "picture": ["amy.png", "../secret.png", "huge.png", None],
    "city": [None, "Oslo", None, None],
}
RIGHT = {
    "id": ["w", "x/?&#%", "y", "z"],
    "name": ["Amy T.", "Benny", "شاكر", "Dee Dee"],
    "bio": ["cats", None, None, None],
    "picture": ["amy.png", "link.png", "page.svg", "http://example.org/a.png"],
}
PROBABILITIES = (0.5, 0.9, 0.75, 0.2)  # doubt 1, 0.2, 0.5, 0.4; b, c, d follow each other


@dataclass(frozen=True)
class World:
    """A run, and a browser that is let in."""

    run: Path
    client: TestClient
    judgements: Judgements

    def get(self, path: str, **query: str) -> Mapping[str, object]:
        answer = self.client.get(f"{path}.json", params=query)
        assert answer.status_code == 200, answer.text
        found: Mapping[str, object] = answer.json()
        return found

    def judge(self, left: str, right: str, verdict: str, **fields: str) -> int:
        form = {"left": left, "right": right, "verdict": verdict, "page": "queue", **fields}
        return self.client.post("/judge", data=form, headers=WRITE, follow_redirects=False).status_code


def draw(path: Path, colour: str = "red") -> None:
    Image.new("RGB", (500, 400), colour).save(path)


def draw_header(path: Path, side: int) -> None:
    """A PNG whose header claims side × side pixels, and which has hardly any."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")
    )


def make_networks(folder: Path) -> tuple[Network, Network]:
    links = pl.DataFrame({"source": ["b", "c", "d"], "target": ["c", "d", "b"]})
    mirrored = pl.DataFrame({"source": ["x/?&#%", "y"], "target": ["y", "z"]})
    for name, users, follows in (("chirper", LEFT, links), ("facepage", RIGHT, mirrored)):
        (folder / name).mkdir()
        pl.DataFrame(users).write_parquet(folder / name / "users.parquet")
        follows.write_parquet(folder / name / "links.parquet")
        (folder / name / "kinds.json").write_text(json.dumps(KINDS))
        draw(folder / name / "amy.png")
    draw(folder / "secret.png", "black")
    draw_header(folder / "chirper" / "huge.png", 30_000)
    (folder / "facepage" / "link.png").symlink_to(folder / "secret.png")
    (folder / "facepage" / "page.svg").write_text(f"<svg xmlns='http://www.w3.org/2000/svg'>{SCRIPT}</svg>")
    return read_network(folder / "chirper"), read_network(folder / "facepage")


def make_run_folder(folder: Path, probabilities: Sequence[float | None] = PROBABILITIES) -> Path:
    left, right = make_networks(folder)
    run = folder / "run"
    write_network(left, run / "left")
    write_network(right, run / "right")
    rights = np.array([[0, 1, 3], [1, 0, -1], [2, 3, -1], [-1, -1, -1]], np.int32)
    rights[3, 0] = 3
    scores = np.where(rights < 0, -np.inf, np.array([[0.9, 0.5, 0.1]] * 4)).astype(np.float32)
    found = np.array([np.nan if p is None else p for p in probabilities], np.float32)
    linked = np.array([0, 1, 2, -1])  # d has no account, its best candidate is z
    margins = np.array([0.4, 0.4, 0.2, np.inf], np.float32)
    links = Links(np.arange(4), linked, scores[:, 0], found, np.array([0, 0, 1, 2]), rights[:, 1], margins)
    save_candidates(run, Candidates(rights, scores))
    save_links(run, links, left, right)
    sides = [Input(n.name, str(folder / n.name), len(n), 0, {}, {}) for n in (left, right)]
    save_manifest(run, Manifest("name", {"seed": 0}, *sides, 0, {}, 0, "2026-01-01T00:00:00+00:00"))
    create_judgements(run)
    return run


def rename_user(run: Path, side: str, old: str, new: str) -> None:
    """Gives a user of a run another id, of any characters, wherever the run speaks of it."""
    columns = {
        f"{side}/users.parquet": ["id"],
        f"{side}/links.parquet": ["source", "target"],
        "links.parquet": ["left"] if side == "left" else ["right", "runner_up"],
    }
    for name, named in columns.items():
        frame = pl.read_parquet(run / name)
        frame.with_columns(pl.col(named).replace(old, new)).write_parquet(run / name)
    reseal(run)


def open_world(run: Path, reviewer: str = "ann", *, blind: bool = False) -> World:
    reseal(run)
    client = TestClient(make_app(ViewModels(run), ReviewSettings(reviewer, blind), DOOR), base_url=DOOR.home)
    assert client.get("/queue", params={"token": TOKEN}).status_code == 200
    return World(run, client, Judgements(run))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return make_run_folder(tmp_path)


@pytest.fixture
def world(run: Path) -> World:
    return open_world(run)
