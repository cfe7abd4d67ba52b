"""What fails while people review: nothing is lost without a word, and no traceback reaches anybody."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from factlink.review import view_models
from factlink.review.app import make_app
from factlink.runs.folder.judgement_file import JUDGEMENTS
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import MANIFEST
from tests.review.conftest import DOOR, HOME, TOKEN, WRITE, World, make_run_folder, open_world, rename_user

AS_JSON = {**WRITE, "Accept": "application/json", "Content-Type": "application/json"}
ODD_IDS = [
    "nul\0",
    "line\r\nend\n",
    "\x7f\x9f\x1b[31m",
    "\ufdd0\U0010fffe",
    "</script>'\"><img src=x onerror=alert(1)>",
]
ODD_IDS += ["%00%25", " ", "\N{PILE OF POO}\u200d\u202e", "a+b&c=d;e#f?g/../h\\i"]


@contextmanager
def another_writer(run: Path) -> Iterator[None]:
    """Inside, another process is writing judgements and does not end."""
    Judgements(run).by_reviewer()
    with closing(sqlite3.connect(run / JUDGEMENTS, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield
        db.execute("ROLLBACK")


@pytest.fixture
def impatient(run: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A review that waits for no other writer; it has judged one pair."""
    assert view_models.PATIENCE <= 5
    monkeypatch.setattr(view_models, "PATIENCE", 0.05)
    world = open_world(run)
    assert world.judge("a", "w", "unknown") == 303
    return world


def form_of(page: str) -> tuple[str, dict[str, str]]:
    """Where the form with the button that tries again leads, and what it sends."""
    form = re.search(
        rf'<form method="post" action="{DOOR.place}(/judge|/undo)" class="row">(.*?)</form>', page, re.DOTALL
    )
    assert form is not None
    assert "Try again" in form[2]
    fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form[2])
    return form[1], {unescape(name): unescape(text) for name, text in fields}


def test_a_locked_database_says_that_nothing_was_kept_and_lets_one_try_again(impatient: World) -> None:
    note = "same\u2028cat & <b>dog</b>"
    with another_writer(impatient.run):
        form = {"left": "c", "right": "y", "verdict": "match", "note": note, "page": "pair"}
        answer = impatient.client.post("/judge", data=form, headers=WRITE)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "<h1>Your judgement was NOT kept.</h1>" in answer.text
    assert "is being written by another process; try again" in unescape(answer.text)
    assert "<strong><bdi>match</bdi></strong>" in answer.text
    assert impatient.judgements.overall().height == 1
    path, fields = form_of(answer.text)
    assert impatient.client.post(path, data=fields, headers=WRITE).status_code == 200
    assert [(said.verdict, said.note) for said in impatient.judgements.of_pair("c", "y")] == [("match", note)]


def test_undo_of_a_locked_database_can_be_tried_again(impatient: World) -> None:
    with another_writer(impatient.run):
        answer = impatient.client.post("/undo", headers=WRITE)
    assert answer.status_code == 503
    assert "<h1>Nothing was taken back.</h1>" in answer.text
    path, fields = form_of(answer.text)
    assert (path, fields) == ("/undo", {})
    impatient.client.post(path, data=fields, headers=WRITE)
    assert impatient.judgements.overall().height == 0


def test_pages_of_a_locked_database_can_be_asked_for_again(impatient: World) -> None:
    with another_writer(impatient.run):
        page = impatient.client.get("/queue?outcome=link")
        machine = impatient.client.post(
            "/judge", content=b'{"left":"a","right":"w","verdict":"match"}', headers=AS_JSON
        )
    assert page.status_code == machine.status_code == 503
    assert f'<a class="button" href="{DOOR.place}/queue?outcome=link"' in page.text
    assert machine.json()["kept"] is False
    assert "try again" in machine.json()["error"]


def test_a_full_disk_keeps_nothing_and_says_so(impatient: World) -> None:
    with closing(sqlite3.connect(impatient.run / JUDGEMENTS)) as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
    real = sqlite3.connect

    def connect(*arguments: Any, **settings: Any) -> sqlite3.Connection:
        db = real(*arguments, **settings)
        db.execute(f"PRAGMA max_page_count = {pages}")
        return db

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect)
        form = {"left": "c", "right": "y", "verdict": "match", "note": "n" * 9_000, "page": "pair"}
        answer = impatient.client.post("/judge", data=form, headers=WRITE)
    assert answer.status_code == 409
    assert "database or disk is full" in answer.text
    assert "Your judgement was NOT kept." in answer.text
    assert (
        impatient.client.post(*form_of(answer.text)[:1], data=form_of(answer.text)[1], headers=WRITE).status_code == 200
    )
    assert impatient.judgements.overall().height == 2


PAGES = ["/queue", "/pair?left=a&right=w", "/user?side=left&user=a", "/progress", "/agreement", "/queue.json"]


@pytest.mark.parametrize("page", PAGES)
def test_a_run_that_is_gone_is_one_sentence(world: World, page: str, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(world.run)
    answer = world.client.get(page)
    assert answer.status_code == 409
    assert "is gone since this review began; stop the review with Ctrl+C and start it again" in answer.text
    assert world.judge("a", "w", "match") == 409
    assert not world.run.exists()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("page", PAGES)
def test_a_run_that_was_replaced_is_not_mistaken_for_the_old_one(world: World, tmp_path: Path, page: str) -> None:
    (tmp_path / "new").mkdir()
    make_run_folder(tmp_path / "new")
    world.run.rename(tmp_path / "old")
    (tmp_path / "new" / "run").rename(world.run)
    answer = world.client.get(page)
    assert answer.status_code == 409
    assert "was changed or replaced since this review began" in answer.text
    answer = world.client.post("/judge", data={"left": "a", "right": "w", "verdict": "match"}, headers=WRITE)
    assert (answer.status_code, "Your judgement was NOT kept." in answer.text) == (409, True)
    assert Judgements(world.run).overall().height == 0


def test_files_that_vanish_or_break_meanwhile_are_one_sentence(world: World) -> None:
    (world.run / "candidates.parquet").write_bytes(b"PAR1 no more")
    for _ in range(2):
        answer = world.client.get("/pair?left=a&right=w")
        assert answer.status_code == 409
        assert "cannot be read any more; stop the review" in answer.text
        (world.run / "candidates.parquet").unlink(missing_ok=True)
    assert (world.run / MANIFEST).exists()
    assert world.judge("a", "w", "match") == 303


def test_a_judgements_file_that_is_none_is_one_sentence(run: Path) -> None:
    world = open_world(run)
    (run / JUDGEMENTS).write_bytes(b"no database, but a hundred bytes or more of something else" * 20)
    answer = world.client.post("/judge", data={"left": "a", "right": "w", "verdict": "match"}, headers=WRITE)
    assert answer.status_code == 409
    assert "file is not a database" in answer.text


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b'{"left": "\\ud800", "right": "w", "verdict": "match"}', "half of a surrogate pair"),
        (b'{"left": "a", "right": "w", "verdict": "match", "\\udfff": ""}', "half of a surrogate pair"),
        (b'{"left": "a", "right": "w", "verdict": "\\ud83d"}', "half of a surrogate pair"),
        (b'{"a":' * 12_000, "neither a form nor JSON"),
        (b"[" * 60_000, "neither a form nor JSON"),
        (b"9" * 60_000, "neither a form nor JSON"),
        (b'{"left": NaN}', "not a JSON object of strings"),
        (b"\xff\xfe{", "neither a form nor JSON"),
        (b'{"left": "a", "right": "w", "verdict": "match", "note": "\\u0000"}', "the note holds U+0000"),
        (b'{"left": "a", "right": "w", "verdict": "match", "filters": "skip=x"}', "'skip' is 'x'"),
        (
            b'{"left": "a", "right": "w", "verdict": "' + b"m" * 9_000 + b'"}',
            "no verdict is called 'mmmmmmmmmmmmmmmmmmmm'",
        ),
    ],
)
def test_a_body_of_garbage_is_refused_and_nothing_kept(world: World, body: bytes, sentence: str) -> None:
    answer = world.client.post("/judge", content=body, headers=AS_JSON)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]
    assert len(answer.json()["error"]) < 200
    assert answer.json()["kept"] is False
    assert world.judgements.overall().height == 0


@pytest.mark.parametrize(
    "body", [b"left=%ff&right=w&verdict=match", b"left=a&right=w&verdict=match&note=\xff", b"a&" * 200]
)
def test_a_form_that_is_not_text_is_refused_rather_than_changed(world: World, body: bytes) -> None:
    headers = {**WRITE, "Content-Type": "application/x-www-form-urlencoded"}
    answer = world.client.post("/judge", content=body, headers=headers)
    assert answer.status_code == 400
    assert world.judgements.overall().height == 0


def test_a_body_of_another_kind_is_refused(world: World) -> None:
    body = b"left=a&right=w&verdict=match"
    for kind in ("text/plain", "multipart/form-data; boundary=x", ""):
        answer = world.client.post("/judge", content=body, headers={**WRITE, "Content-Type": kind})
        assert answer.status_code == 415
        assert "application/x-www-form-urlencoded" in answer.text
    assert world.judgements.overall().height == 0


@pytest.mark.parametrize("user", ODD_IDS)
def test_users_of_any_id_can_be_looked_at_and_judged(run: Path, user: str) -> None:
    rename_user(run, "left", "a", user)
    world = open_world(run)
    page = world.client.get("/queue").text
    assert not re.search("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0\U0010fffe]", page)
    form = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page))
    assert world.client.post("/judge", data={**form, "verdict": "match"}, headers=WRITE).status_code == 200
    assert world.judgements.overall().rows()[0][:3] == (user, "w", "match")
    shown: Any = world.get("/user", side="left", user=user)["account"]
    assert shown["user"] == user
    again = re.search(
        r'name="left.quoted" value="([^"]*)"', world.client.get("/user", params={"side": "left", "user": user}).text
    )
    assert again is not None
    other: Any = world.get("/pair", **{"left.quoted": unescape(again[1]), "right": "z"})["pair"]
    assert other["left"]["user"] == user


def test_names_that_no_page_can_hold_are_shown_with_replacements(run: Path) -> None:
    path = run / "left" / "users.parquet"
    users = pl.read_parquet(path)
    users.with_columns(name=pl.lit("Am\0y </script><script>alert(1)</script> \x1b \ufffe")).write_parquet(path)
    world = open_world(run)
    for page in ("/queue", "/pair?left=b&right=w", "/user?side=left&user=a", "/search?q=am"):
        text = world.client.get(page).text
        assert "\0" not in text
        assert "\ufffe" not in text
        assert "Am\ufffdy" in text
        assert text.count("<script") == 1
    found: Any = world.get("/search", q="am\0y")["found"]
    assert found[0]["users"][0]["name"].startswith("Am\0y")


def test_infinite_scores_and_weights_have_a_json_twin(run: Path) -> None:
    frame = pl.read_parquet(run / "candidates.parquet")
    infinite = pl.Series([[float("inf"), 0.5, float("nan")]] * 4, dtype=pl.Array(pl.Float32, 3))
    frame.with_columns(scores=infinite).write_parquet(run / "candidates.parquet")
    rows = [("a", "w", "name", "Amy", "Amy", float("nan")), ("a", "w", "bio", "cats", "cats", 0.5)]
    columns = ["left", "right", "predicate", "left_object", "right_object", "weight"]
    pl.DataFrame(rows, columns, orient="row").write_parquet(run / "evidence.parquet")
    world = open_world(run)
    mine: Any = world.get("/user", side="left", user="a")["candidates"]
    assert [each["score"] for each in mine] == [None, 0.5, None]
    pair: Any = world.get("/pair", left="a", right="w")["pair"]
    assert [part["predicate"] for part in pair["evidence"]] == ["bio"]
    for page in ("/pair?left=a&right=w", "/user?side=left&user=a"):
        assert world.client.get(page).status_code == 200


def test_many_judgements_at_once_are_all_kept(world: World) -> None:
    pairs = [(left, right) for left in "abcd" for right in ("w", "x/?&#%", "y", "z")]

    def judge(pair: tuple[str, str]) -> int:
        client = TestClient(world.client.app, base_url=HOME, headers={"Authorization": f"Bearer {TOKEN}"})
        return World(world.run, client, world.judgements).judge(*pair, "match")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(judge, pairs)) == [303] * 16
    assert sorted(row[:2] for row in world.judgements.overall().rows()) == sorted(pairs)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("OPTIONS", "/queue", 403),
        ("PUT", "/judge", 403), ("TRACE", "/", 403), ("HEAD", "/queue", 200), ("GET", "/judge", 405),
        ("GET", "/queue/", 404),
        ("GET", "/static/", 404), ("GET", "/static/%00", 404), ("GET", "/static/" + "a" * 5_000, 404),
        ("GET", "/queue%00", 404), ("GET", "/%ff", 404), ("GET", "/picture?side=left&user=a&n=" + "9" * 5_000, 400),
        ("GET", "/queue?" + "a=b&" * 5_000, 200), ("GET", "/queue?skip=%00", 400), ("GET", "/queue?at_most=1e999", 400),
    ],
)  # fmt: skip
def test_odd_addresses_get_a_sentence(world: World, method: str, path: str, status: int) -> None:
    answer = world.client.request(method, path)
    assert answer.status_code == status
    assert status == 200 or " " in answer.text


def test_a_machine_shows_the_token_in_a_header(world: World) -> None:
    machine = TestClient(world.client.app, base_url=HOME)
    for path in ("/queue.json", f"{DOOR.place}/queue.json"):
        assert machine.get(path, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        assert machine.get(path, headers={"Authorization": f"Basic {TOKEN}"}).status_code == 403
        assert machine.get(path, headers={"Authorization": "Bearer wrong"}).status_code == 403
    body = json.dumps({"left": "a", "right": "w", "verdict": "match"})
    headers = {**AS_JSON, "Authorization": f"Bearer {TOKEN}"}
    assert machine.post("/judge", content=body, headers=headers).json() == {"judgement": 1}
    del headers["Origin"]
    refused = machine.post("/judge", content=body, headers=headers)
    assert (refused.status_code, refused.text.endswith("Nothing was kept.\n")) == (403, True)


def test_another_servers_cookie_of_the_same_name_does_no_harm(world: World) -> None:
    client = TestClient(world.client.app, base_url=DOOR.home)
    mine, theirs = f"{DOOR.cookie}={TOKEN}", f"{DOOR.cookie}=theirs"
    for cookies in (f"{mine}; {theirs}", f"{theirs}; {mine}"):
        assert client.get("/queue", headers={"Cookie": cookies}).status_code == 200
    assert client.get("/queue", headers={"Cookie": theirs}).status_code == 403


@pytest.mark.parametrize(
    ("site", "status"), [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)]
)
def test_pages_of_other_ports_cannot_ask(world: World, site: str, status: int) -> None:
    assert world.client.get("/queue", headers={"Sec-Fetch-Site": site}).status_code == status


def test_whatever_else_fails_is_one_line_on_the_terminal(run: Path, capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(view_models.ViewModels):
        def judged_links(self) -> dict[str, int]:
            raise ZeroDivisionError

    from factlink.review.answers import ReviewSettings

    client = TestClient(make_app(Broken(run), ReviewSettings("ann"), DOOR), base_url=DOOR.home)
    answer = client.get("/progress", headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer.text) == (500, "factlink review failed at this; the fault is its own.\n")
    assert capfd.readouterr().err == f"factlink review: ZeroDivisionError in GET '{DOOR.place}/progress'\n"
