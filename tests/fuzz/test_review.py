"""Mutated requests to the review: whatever is sent, the answer is a sentence, and only sound judgements are kept.

FACTLINK_FUZZ_CASES sets how many requests are sent (400 unless set). Request n is the same every time:
`Asked(...)` in a failure's message is all that it takes to send it again.
"""

import asyncio
import json
import os
import random
import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote

import pytest

from factlink.legible import legible
from factlink.review.answers import ReviewSettings
from factlink.review.app import make_app
from factlink.review.desk import Desk
from factlink.review.guard import HEADERS
from factlink.runs.judgement_file import JUDGEMENTS
from tests.review.conftest import DOOR, HOME, TOKEN, make_run_folder, rename_user

CASES = int(os.environ.get("FACTLINK_FUZZ_CASES", "400"))
SECONDS = 20.0
"""After which a request counts as hanging."""

Header = tuple[bytes, bytes]
COOKIE = (b"cookie", f"{DOOR.cookie}={TOKEN}".encode())
HOST, ORIGIN = (b"host", HOME.removeprefix("http://").encode()), (b"origin", HOME.encode())
FORM = (b"content-type", b"application/x-www-form-urlencoded")
JSON = (b"content-type", b"application/json")
BEARER = (b"authorization", f"Bearer {TOKEN}".encode())
LEFTS = ("a", "b\0\r\n", "\N{PILE OF POO} \U0010ffff\ufffe", "../d%00<script>'\"")
RIGHTS = ("w", "x/?&#%", "\u202ey\u2028", "z")


@dataclass(frozen=True)
class Asked:
    """One request as a server hands it to the application."""

    method: str
    target: bytes  # path and query, percent-encoded
    headers: tuple[Header, ...]
    chunks: tuple[bytes, ...] = ()
    is_cut: bool = False  # whether the client goes away before the last chunk


def seeds() -> list[Asked]:
    reading = (HOST, COOKIE)
    place = DOOR.place.encode()
    pages = [b"/queue?outcome=link&at_least=0.1&at_most=0.9&skip=1&predicate=bio&network=chirper", b"/queue.json"]
    pages += [b"/pair?left=a&right=z&undone=1", b"/user?side=left&user=a&all=1", b"/user.json?side=right&user=w", b"/"]
    pages += [b"/search?q=amy&network=chirper", b"/progress.json", b"/agreement", b"/picture?side=left&user=a&n=0"]
    pages += [b"/static/review.js", b"/pair.json?left.quoted=b%2500%250D%250A&right=w"]
    asked = [Asked("GET", place + page, reading) for page in pages]
    asked += [
        Asked("GET", f"/queue?token={TOKEN}&outcome=link".encode(), (HOST,)),
        Asked("GET", pages[1], (HOST, BEARER)),
    ]
    for left, right in zip(LEFTS, RIGHTS, strict=True):
        form = f"left.quoted={quote(quote(left))}&right={quote(right)}&verdict=match&note=NUMBER&filters=outcome%3Dlink"
        asked.append(Asked("POST", place + b"/judge", (*reading, ORIGIN, FORM), (form.encode(),)))
        body = json.dumps({"left": left, "right": right, "verdict": "non-match", "page": "pair", "note": "NUMBER"})
        headers = (HOST, BEARER, ORIGIN, JSON, (b"accept", b"application/json"))
        asked.append(Asked("POST", b"/judge", headers, (body.encode(),)))
    asked.append(Asked("POST", place + b"/undo", (*reading, ORIGIN, FORM)))
    asked.append(Asked("POST", place + b"/reviewer", (*reading, ORIGIN, FORM), (b"reviewer=%E2%98%83+bob",)))
    return asked


METHODS = ["GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "get", "PO\xffST", "X" * 300]
TOKENS = [
    b"%", b"%0", b"%00", b"%ff", b"%ED%A0%80", b"%F4%90%80%80", b"%2e%2e/", b"../", b"//", b"\\", b"%5C", b"#", b"?",
    b"&", b"=", b"&&", b";", b"+", b"[", b"]", b"*", b"{{7*7}}", b"<script>", b"%3Cscript%3E", b"'\"", b"\0", b"\r\n",
    b"\xff\xfe", b"\xc3", b"nan", b"NaN", b"inf", b"-1", b"-0", b"1e400", b"0x10", b"9" * 30, b"1_0", b"\xc2\xb2",
    b"true", b"null", b"left", b"right", b".quoted", b".json", b"token=", b"skip=999999999", b"at_least=nan",
    b"n=99999999999", b"side=top", b"A" * 5_000, b"%41" * 2_000, b"\\ud800", b'"\\ud83d"', b"\\u0000", b"match",
    b"[" * 3_000, b'{"a":' * 3_000, b"&a=b" * 300, DOOR.place.encode(), b"/judge", b"/static/", b"/static/../app.py",
    b"z" * 270_000,
]  # fmt: skip
FIELD_VALUES = [
    b"", b"%00", b"%ff", b"%ED%A0%80", b"%2500", b"%0D%0A", b"a", b"w", b"match", b"unknown", b"link", b"nan", b"0.5",
    b"-1", b"1", b"skip%3D-1%26at_least%3Dnan", b"chirper", b"name",
]  # fmt: skip
JSON_VALUES = [
    b"null", b"1e400", b"NaN", b"9" * 5_000, b"[]", b"{}", b'""', b'" "', b'"\\ud800"', b'"x\\udfff\\ud800"',
    b'"\\u0000"',
    b'"\\u001b[31m"', b'"\xff"', b'"' + b"n" * 20_000 + b'"', b"[" * 5_000, b'{"a":' * 5_000, b'"<script>"', b'"match"',
    b'"unknown"', b'"a"', b'"w"', b'"skip=-1"', b'"at_least=nan"', b'"outcome=%00&predicate=%ED%A0%80"', b'"pair"',
]  # fmt: skip
HEADERS_TRIED: list[Header] = [
    (b"content-length", b"5"), (b"content-length", b"-1"), (b"content-length", b"\xb2"),
    (b"content-length", b"9" * 40), (b"content-length", b"99999999"), (b"content-length", b""),
    (b"transfer-encoding", b"chunked"), (b"host", b"evil.example"), (b"host", b"[::1"), (b"host", b""),
    (b"origin", b"null"), (b"origin", b"http://evil.example"), (b"content-type", b"multipart/form-data; boundary=x"),
    (b"content-type", b"text/plain"), (b"content-type", b""), (b"content-type", b"application/json; charset=utf-16"),
    (b"accept", b"application/json"), (b"accept", b"text/html"), (b"accept", b"\xff" * 9_000),
    (b"cookie", b"=;;=" * 99), (b"cookie", DOOR.cookie.encode() + b"=\xff"),
    (b"cookie", DOOR.cookie.encode() + b'="\\777\\"'),
    (b"cookie", DOOR.cookie.encode() + b"-reviewer=%00%ED%A0%80%FF"),
    (b"cookie", DOOR.cookie.encode() + b"-reviewer=" + b"%F0%9F%92%A9" * 500), (b"authorization", b"Bearer"),
    (b"authorization", b"Bearer \xff"), (b"sec-fetch-site", b"cross-site"), (b"sec-fetch-site", b"same-site"),
    (b"range", b"bytes=0-1,5-"), (b"if-none-match", b"*"), (b"expect", b"100-continue"), (b"upgrade", b"websocket"),
    (b"x", b"y" * 60_000), COOKIE, ORIGIN, BEARER,
]  # fmt: skip


def mutated_bytes(rng: random.Random, text: bytes) -> bytes:
    """Flipped, cut, doubled or with a token thrown in."""
    at, to = sorted((rng.randint(0, len(text)), rng.randint(0, len(text))))
    ways = [
        lambda: text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :],
        lambda: text[:at] + rng.choice(TOKENS) + text[at:],
        lambda: text[:at] + rng.choice(TOKENS) + text[to:],
        lambda: text[:at] + text[to:],
        lambda: text[:to] + text[at:],
        lambda: text[:at],
    ]
    return rng.choice(ways)()


def mutated_field(rng: random.Random, text: bytes) -> bytes:
    """A form, a query or a JSON object, in which one value has become another thing."""
    if text.startswith(b"{"):
        fields = re.findall(rb'"[^"]*": "(?:[^"\\\\]|\\\\.)*"', text)
        if not fields:
            return text
        name = rng.choice(fields).partition(b":")[0]
        kept = [field for field in fields if not field.startswith(name + b":")]
        return b"{" + b", ".join([*kept, name + b": " + rng.choice(JSON_VALUES)]) + b"}"
    fields = text.split(b"&")
    at = rng.randrange(len(fields))
    fields[at] = fields[at].partition(b"=")[0] + b"=" + rng.choice(rng.choice([FIELD_VALUES, TOKENS]))
    return b"&".join(fields)


def other_method(rng: random.Random, asked: Asked) -> Asked:
    return replace(asked, method=rng.choice(METHODS))


def other_target(rng: random.Random, asked: Asked) -> Asked:
    path, _, query = asked.target.partition(b"?")
    targets = [
        mutated_bytes(rng, asked.target),
        path + b"?" + mutated_bytes(rng, query),
        path + b"?" + mutated_field(rng, query),
        rng.choice(SEEDS).target,
    ]
    return replace(asked, target=rng.choice(targets))


def other_headers(rng: random.Random, asked: Asked) -> Asked:
    headers, way = list(asked.headers), rng.randrange(3)
    at = rng.randint(0, len(headers))
    if way == 0 or at == len(headers):
        headers.insert(at, rng.choice(HEADERS_TRIED))
    elif way == 1:
        headers.pop(at)
    else:
        headers[at] = headers[at][0], mutated_bytes(rng, headers[at][1])
    return replace(asked, headers=tuple(headers))


def other_fields(rng: random.Random, asked: Asked) -> Asked:
    return replace(asked, chunks=(mutated_field(rng, b"".join(asked.chunks)),))


def other_body(rng: random.Random, asked: Asked) -> Asked:
    return replace(asked, chunks=(mutated_bytes(rng, b"".join(asked.chunks)),))


def other_chunks(rng: random.Random, asked: Asked) -> Asked:
    body = b"".join(asked.chunks)
    ends = sorted(rng.randint(0, len(body)) for _ in range(rng.randint(0, 4)))
    chunks = tuple(body[start:end] for start, end in zip([0, *ends], [*ends, len(body)], strict=True))
    return replace(asked, chunks=chunks, is_cut=rng.random() < 0.2)


SEEDS = seeds()
MUTATIONS = [
    other_method,
    other_target,
    other_target,
    other_headers,
    other_fields,
    other_fields,
    other_body,
    other_chunks,
]


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


async def ask(app: Any, asked: Asked) -> Answer | None:
    """What the application answers; nothing to a client that went away."""
    raw, _, query = asked.target.partition(b"?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "root_path": "",
        "path": unquote(raw.decode("latin-1")),
        "raw_path": raw,
        "query_string": query,
        "headers": list(asked.headers),
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", DOOR.port),
        "state": {},
    }
    chunks = asked.chunks or (b"",)
    last = len(chunks) - 1
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": chunk, "more_body": n < last} for n, chunk in enumerate(chunks)
    ]
    messages[-1:] = [] if asked.is_cut else messages[-1:]
    incoming, sent = iter(messages), []

    async def receive() -> dict[str, Any]:
        return next(incoming, {"type": "http.disconnect"})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await asyncio.wait_for(app(scope, receive, send), SECONDS)
    if not sent and asked.is_cut:
        return None
    assert [message["type"] for message in sent[:1]] == ["http.response.start"]
    assert {message["type"] for message in sent[1:]} == {"http.response.body"}
    assert not sent[-1].get("more_body", False)
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:]))


def check_answer(answer: Answer) -> None:
    """A status of 2xx, 3xx or 4xx, the headers of every answer, and text that is text."""
    assert 200 <= answer.status < 500
    assert {name.lower() for name in HEADERS} <= set(answer.headers)
    kind = answer.headers.get("content-type", "")
    if kind == "application/json":
        json.loads(answer.body)
    elif kind.startswith("text/"):
        page = answer.body.decode("utf-8")
        assert legible(page) == page
        assert len(re.findall(r"<script", page)) <= 1 or "javascript" in kind
    if answer.status >= 400:
        assert b" " in answer.body, "no sentence"
        assert b"Traceback" not in answer.body
        assert len(answer.body) < 100_000


def sent_fields(asked: Asked) -> dict[str, str]:
    """What a body says, read in another way than the application's."""
    body = b"".join(asked.chunks)
    kinds = [value for name, value in asked.headers if name == b"content-type"]
    if kinds and kinds[0].strip().lower().startswith(b"application/json"):
        found: dict[str, str] = json.loads(body)
        return found
    fields = parse_qs(body.decode(), errors="strict")
    return {
        name.removesuffix(".quoted"): unquote(texts[-1], errors="strict") if name.endswith(".quoted") else texts[-1]
        for name, texts in fields.items()
    }


def is_let_in(asked: Asked) -> bool:
    opened = any(
        (name == b"authorization" and value.split()[1:] == [TOKEN.encode()])
        or (name == b"cookie" and any(part.strip() == COOKIE[1] for part in value.split(b";")))
        for name, value in asked.headers
    )  # fmt: skip
    hosts = [value for name, value in asked.headers if name == b"host"]
    origins = [value for name, value in asked.headers if name == b"origin"]
    return opened and hosts == [HOST[1]] and origins == [ORIGIN[1]]


class Store:
    """The judgements on disk, read without the application's code."""

    def __init__(self, path: Path) -> None:
        self.path, self.rows = path, list[tuple[Any, ...]]()

    def read(self, after: int = 0) -> list[tuple[Any, ...]]:
        if not self.path.exists():
            return []
        with closing(sqlite3.connect(self.path)) as db:
            query = "SELECT id, left, right, verdict, withdraws FROM judgement WHERE id > ? ORDER BY id"
            return db.execute(query, (after,)).fetchall()

    def grown(self) -> list[tuple[Any, ...]]:
        """The new rows."""
        new = self.read(self.rows[-1][0] if self.rows else 0)
        self.rows += new
        return new


def check_kept(asked: Asked, answer: Answer | None, new: list[tuple[Any, ...]]) -> None:
    """Judgements grow by sound requests alone, by one at most, and by what was said."""
    path = unquote(asked.target.partition(b"?")[0].decode("latin-1")).removeprefix(DOOR.place)
    if not new:
        return
    assert answer is not None
    assert answer.status in (200, 303)
    assert (len(new), asked.method, is_let_in(asked)) == (1, "POST", True)
    _, left, right, verdict, withdraws = new[0]
    assert path in ("/judge", "/undo")
    if path == "/judge":
        fields = sent_fields(asked)
        assert (left, right, verdict, withdraws) == (fields["left"], fields["right"], fields["verdict"], None)
        assert left in LEFTS
        assert right in RIGHTS
        assert verdict in ("match", "unknown", "non-match")
    else:
        assert withdraws is not None


@pytest.fixture
def run(tmp_path: Path) -> Path:
    run = make_run_folder(tmp_path)
    for old, new in zip("abcd", LEFTS, strict=True):
        rename_user(run, "left", old, new)
    rename_user(run, "right", "y", RIGHTS[2])
    return run


def case(number: int) -> Asked:
    """A request made from its number alone; one in two of those that write is changed in its fields at least."""
    rng = random.Random(f"review {number}")
    seed = rng.choice(SEEDS)
    asked = replace(seed, chunks=tuple(chunk.replace(b"NUMBER", b"%d" % number) for chunk in seed.chunks))
    if asked.chunks and rng.random() < 0.5:
        asked = other_fields(rng, asked)
    for _ in range(rng.randint(0, 3)):
        asked = rng.choice(MUTATIONS)(rng, asked)
    return asked


def test_requests_before_they_are_mutated_are_answered(run: Path) -> None:
    app, store = make_app(Desk(run), ReviewSettings("ann"), DOOR), Store(run / JUDGEMENTS)
    with asyncio.Runner() as runner:
        for asked in SEEDS:
            answer = runner.run(ask(app, asked))
            assert answer is not None
            assert answer.status in (200, 303), asked
            check_answer(answer)
            check_kept(asked, answer, store.grown())
    assert [row[1:4] for row in store.rows[:8:2]] == [
        (left, right, "match") for left, right in zip(LEFTS, RIGHTS, strict=True)
    ]
    assert [row[3] for row in store.rows] == ["match", "non-match"] * 4 + ["non-match"]
    assert store.rows[-1][4] == 8


def test_mutated_requests_get_a_sentence_and_keep_nothing_unsound(run: Path, capfd: pytest.CaptureFixture[str]) -> None:
    apps = [make_app(Desk(run), ReviewSettings("ann", blind), DOOR) for blind in (False, True)]
    store, answers = Store(run / JUDGEMENTS), dict[int, int]()
    with asyncio.Runner() as runner:
        for number in range(CASES):
            asked = case(number)
            try:
                answer = runner.run(ask(apps[number % 2], asked))
                if answer is not None:
                    check_answer(answer)
                    answers[answer.status] = answers.get(answer.status, 0) + 1
                check_kept(asked, answer, store.grown())
            except BaseException as error:
                error.add_note(f"request {number}: {asked!r:.3000}")
                raise
    assert store.read() == store.rows
    assert capfd.readouterr() == ("", "")
    assert {200, 303, 400, 403} <= set(answers)
    assert store.rows
