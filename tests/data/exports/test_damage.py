"""Whatever happened to a file: it is read, or refused in one sentence."""

import random
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from factlink.data.exports import read, recognises
from factlink.data.frames import ReadOptions, reading_from_tables
from factlink.data.protocol import SourceOptions
from factlink.errors import InputError
from tests.data.exports import (
    test_bluesky,
    test_facebook,
    test_github,
    test_instagram,
    test_linkedin,
    test_mastodon,
    test_twitter,
)
from tests.data.exports.conftest import FORMS

SAMPLES: dict[str, Mapping[str, str | bytes]] = {
    "bluesky": {"repo.car": test_bluesky.CAR, "followers.json": str(test_bluesky.FOLLOWERS).replace("'", '"')},
    "facebook": test_facebook.FILES,
    "github": test_github.FILES,
    "instagram": test_instagram.FILES,
    "linkedin": test_linkedin.FILES,
    "mastodon": test_mastodon.FILES,
    "twitter": test_twitter.FILES,
}
TOKENS = (b"null", b"[]", b"{}", b'"', b"\xff", b"\0", b"1e999", b'"\\ud800"', b"[[[", b"}", b"-1", b"true", b"")


def damaged(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    way = chance.randrange(4)
    if way == 0:
        return data[:start]
    if way == 1:
        return data[:start] + chance.choice(TOKENS) + data[start:]
    if way == 2:
        return data[:start] + bytes([chance.randrange(256)]) + data[start + 1 :]
    words = [(at, at + len(word)) for word in data.split(b'"') if word and (at := data.find(word)) >= 0]
    begin, end = chance.choice(words or [(0, len(data))])
    return data[:begin] + chance.choice(TOKENS) + data[end:]


@pytest.mark.parametrize("form", ["folder", "zip"])
@pytest.mark.parametrize("sample", SAMPLES)
def test_damaged_exports_are_read_or_refused(sample: str, form: str, tmp_path: Path) -> None:
    chance = random.Random(f"{sample} {form}")
    files = {
        name: content.encode() if isinstance(content, str) else content for name, content in SAMPLES[sample].items()
    }
    n_read = 0
    for case in range(40):
        name = chance.choice(sorted(files))
        path = FORMS[form](tmp_path / str(case), {**files, name: damaged(files[name], chance)})
        if recognises(path):
            try:
                found = read(path, SourceOptions("mine"))
            except InputError:
                continue
            n_read += 1
            reading_from_tables("mine", found.tables, ReadOptions({}, False))
    assert n_read


def test_damaged_zips_are_read_or_refused(tmp_path: Path) -> None:
    chance = random.Random(0)
    data = FORMS["zip"](tmp_path / "whole", test_twitter.FILES).read_bytes()
    for case in range(60):
        path = tmp_path / f"{case}.zip"
        path.write_bytes(damaged(data, chance))
        if recognises(path):
            with suppress(InputError):
                assert read(path, SourceOptions("mine")).tables.users.height
