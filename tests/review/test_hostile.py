"""Hostile data and hostile sites: the page stays intact, and answers nobody else."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from PIL import Image
from starlette.testclient import TestClient

from factlink.review.pictures import find_picture, picture_roots, thumbnail
from tests.review.conftest import DOOR, HOME, SCRIPT, TOKEN, WRITE, World, draw, draw_header, make_run_folder

FORM = {**WRITE, "Content-Type": "application/x-www-form-urlencoded"}
PAGES = ["/queue", "/pair?left=b&right=w", "/user?side=left&user=b&all=1", "/search?q=ben"]


@pytest.mark.parametrize("page", PAGES)
def test_scripts_in_names_and_bios_stay_text(world: World, page: str) -> None:
    text = world.client.get(page).text
    assert SCRIPT not in text
    assert "onerror=alert" not in re.sub(r"&[#\w]+;[^<>]*", "", text)
    assert text.count("<script") == 1  # our own file
    assert text.count("<img") == text.count(f'<img src="{DOOR.place}/picture?')


def test_what_people_type_stays_text(world: World) -> None:
    world.judge("a", "w", "match", note=SCRIPT)
    world.client.post("/reviewer", data={"reviewer": SCRIPT}, headers=WRITE)
    world.judge("a", "w", "non-match", note=SCRIPT)
    for page in (
        "/pair?left=a&right=w",
        f"/search?q={SCRIPT}",
        "/progress",
        "/agreement",
        f"/pair?left=a&right={SCRIPT}",
    ):
        assert SCRIPT not in world.client.get(page).text


def test_ids_with_every_sign_lead_somewhere(world: World) -> None:
    page = world.client.get("/user", params={"side": "right", "user": "x/?&#%"}).text
    addresses = re.findall(rf'href="{DOOR.place}(/[^"]+)"', page)
    assert len(addresses) >= 8
    for address in addresses:
        assert world.client.get(address.replace("&amp;", "&")).status_code == 200, address


def test_right_to_left_text_and_joined_emoji_are_kept_whole_and_apart(world: World) -> None:
    page = world.client.get("/pair?left=c&right=y").text
    assert "🧑‍🚀" in page
    assert '<p class="name" dir="auto">' in page
    assert "<bdi>🧑‍🚀 شاكر محمود</bdi>" in page


def test_a_long_bio_is_cut_and_can_be_shown_whole(world: World) -> None:
    short = world.client.get("/pair?left=d&right=z").text
    assert len(short) < 20_000
    assert f'<a href="{DOOR.place}/user?side=left&amp;user=d&amp;all=1">show all</a>' in short
    assert len(world.client.get("/user?side=left&user=d&all=1").text) > 100_000


def test_a_sound_picture_is_shown_small(world: World, tmp_path: Path) -> None:
    answer = world.client.get("/picture?side=left&user=a&n=0")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/jpeg")
    (tmp_path / "got.jpg").write_bytes(answer.content)
    with Image.open(tmp_path / "got.jpg") as picture:
        assert (picture.format, picture.size) == ("JPEG", (320, 256))


@pytest.mark.parametrize(
    ("side", "user"),
    [("left", "b"), ("left", "c"), ("left", "d"), ("right", "x/?&#%"), ("right", "y"), ("right", "z")],
    ids=["outside", "30,000 pixels a side", "none", "link to outside", "svg", "web address"],
)
def test_other_pictures_are_not(world: World, side: str, user: str) -> None:
    answer = world.client.get("/picture", params={"side": side, "user": user, "n": "0"})
    assert answer.status_code == 404
    assert world.client.get("/picture", params={"side": side, "user": user, "n": "9"}).status_code == 404
    assert "<img" not in world.client.get("/user", params={"side": side, "user": user}).text


def test_only_listed_pictures_can_be_asked_for(world: World) -> None:
    for n in ("../secret.png", "-1", "1e3", "９"):
        assert world.client.get("/picture", params={"side": "left", "user": "a", "n": n}).status_code == 400
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd"):
        assert world.client.get(path).status_code == 404


@pytest.mark.parametrize(
    "listed", ["/etc/passwd", "../x.png", "a\0b.png", "file:///etc/passwd", "a" * 5000, ".", "loop"]
)
def test_paths_out_of_the_folder_lead_nowhere(tmp_path: Path, listed: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    draw(tmp_path / "x.png")
    (home / "loop").symlink_to(home / "loop")
    assert find_picture(listed, home, [home]) is None


def test_a_picture_is_found_where_the_network_was_read_from(tmp_path: Path) -> None:
    run = make_run_folder(tmp_path)
    network = (tmp_path / "chirper").resolve()
    copy = (run / "left").resolve()
    assert picture_roots(run / "left", str(network)) == [copy, network]
    assert picture_roots(run / "left", "chirper") == [copy, network]
    assert picture_roots(run / "left", "nowhere") == [copy]
    assert picture_roots(tmp_path / "again" / "left", str(run / "left"))[-1] == network
    (tmp_path / "fb_user_names.txt").write_text("")
    assert picture_roots(run / "left", str(tmp_path / "fb")) == [copy, tmp_path.resolve()]


@pytest.mark.parametrize("content", [b"", b"GIF89a", b"<html>", b"\x89PNG\r\n\x1a\n" + b"\0" * 64])
def test_broken_files_give_no_thumbnail(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.png").write_bytes(content)
    assert thumbnail(tmp_path / "broken.png") is None


@pytest.mark.parametrize("side", [5_001, 10_000, 30_000, 2_000_000_000])
def test_a_large_header_is_not_decoded(tmp_path: Path, side: int) -> None:
    draw_header(tmp_path / "huge.png", side)
    assert thumbnail(tmp_path / "huge.png") is None


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "I;16"])
def test_pictures_of_every_mode_are_shown(tmp_path: Path, mode: str) -> None:
    suffix = "tiff" if mode == "CMYK" else "png"
    Image.new(mode, (40, 30)).save(tmp_path / f"picture.{suffix}")
    assert (thumbnail(tmp_path / f"picture.{suffix}") or b"")[:2] == b"\xff\xd8"


def outsider(world: World) -> TestClient:
    return TestClient(world.client.app, base_url=HOME)


@pytest.mark.parametrize("page", ["/queue", "/queue.json", "/picture?side=left&user=a", "/static/review.js"])
def test_without_the_token_nothing_is_told(world: World, page: str) -> None:
    for client in (outsider(world), TestClient(world.client.app, base_url=HOME, cookies={DOOR.cookie: "wrong"})):
        assert client.get(page).status_code == 403
    assert outsider(world).get("/queue?token=wrong").status_code == 403
    assert outsider(world).get("/queue?token=%C3%A9").status_code == 403


def test_the_token_becomes_a_cookie_that_scripts_and_sites_cannot_use(world: World) -> None:
    answer = outsider(world).get("/queue", params={"token": TOKEN, "outcome": "link"})
    cookie = answer.headers["set-cookie"]
    assert set(cookie.split("; ")[1:]) == {"HttpOnly", "SameSite=strict", f"Path={DOOR.place}"}
    assert f'content="0;url={DOOR.place}/queue?outcome=link"' in answer.text
    assert TOKEN not in answer.text
    for path in ("//evil.example/x", "/%5Cevil.example/x", f"{DOOR.place}//evil.example/x"):
        evil = outsider(world).get(f"{HOME}{path}", params={"token": TOKEN, "a": '"><script>'})
        assert f"url={DOOR.place}/" in evil.text
        assert 'evil.example/x?a=%22%3E%3Cscript%3E"' in evil.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1:9", "127.0.0.1", ""])
def test_other_names_for_this_machine_are_refused(world: World, host: str) -> None:
    assert world.client.get("/queue", headers={"Host": host}).status_code == 421
    assert world.client.get("/queue", headers={"Host": "localhost:8000"}).status_code == 200


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1", "https://127.0.0.1:8000"])
def test_other_sites_cannot_write(world: World, origin: str | None) -> None:
    headers = {} if origin is None else {"Origin": origin}
    form = {"left": "a", "right": "w", "verdict": "match"}
    for path in ("/judge", "/undo", "/reviewer"):
        assert world.client.post(path, data=form, headers=headers).status_code == 403
    assert world.judgements.overall().height == 0


def test_writing_takes_post_and_a_body_of_sane_size(world: World) -> None:
    assert world.client.get("/judge?left=a&right=w&verdict=match").status_code == 405
    assert world.client.post("/judge", content=b"x" * 300_000, headers=WRITE).status_code == 413
    lines = iter([b"left=a&right=w&verdict=match&note=", *[b"x" * 1000] * 300])
    assert world.client.post("/judge", content=lines, headers=FORM).status_code == 413
    assert world.judgements.overall().height == 0
    lines = iter([b"left=a&right=w", b"&verdict=match"])
    assert world.client.post("/judge", content=lines, headers=FORM).status_code == 200
    assert world.judgements.overall().height == 1


def test_the_longest_note_of_the_longest_characters_fits(world: World) -> None:
    note = "\N{PILE OF POO}" * 10_000
    for form in ({"note": note}, {"note.quoted": quote(note)}):
        answer = world.client.post(
            "/judge", data={"left": "a", "right": "w", "verdict": "match", **form}, headers=WRITE
        )
        assert answer.status_code == 200
        assert [said.note for said in world.judgements.of_pair("a", "w")] == [note]
        world.client.post("/undo", headers=WRITE)
    form = {"left": "a", "right": "w", "verdict": "match", "note": note + "x"}
    answer = world.client.post("/judge", data=form, headers=WRITE)
    assert (answer.status_code, "at most 10,000 characters" in answer.text) == (400, True)


@pytest.mark.parametrize("page", ["/queue", "/queue.json", "/nothing-here", "/static/review.css"])
def test_every_answer_keeps_the_page_to_itself(world: World, page: str) -> None:
    headers = world.client.get(page).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"


def test_pages_hold_no_inline_code(world: World) -> None:
    for page in PAGES:
        text = world.client.get(page).text
        assert not re.search(r"<[^>]+\s(on\w+|style)=", text)
        assert not re.search(r"(src|href)=\"(?!/|#)", text)
