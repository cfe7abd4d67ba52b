"""Who to follow on the new network."""

import json
from pathlib import Path

import pytest

from factlink.errors import FactlinkError
from factlink.export.exporting import export_follows


def test_mastodon_gets_addresses_and_never_mail(run: Path, tmp_path: Path) -> None:
    exported = export_follows(run, tmp_path / "following_accounts.csv", "mastodon")
    assert (tmp_path / "following_accounts.csv").read_text("utf-8") == (
        "Account address,Show boosts,Notify on new posts,Languages\n"
        "ann@one.example,true,false,\n"
        "bob@two.example,true,false,\n"
    )
    assert (exported.rows, exported.unaddressed) == (2, 1)


def test_only_whom_one_user_follows(run: Path, tmp_path: Path) -> None:
    export_follows(run, tmp_path / "f.csv", "mastodon", follower="a")
    assert (tmp_path / "f.csv").read_text("utf-8").splitlines()[1:] == ["bob@two.example,true,false,"]


def test_bluesky_gets_follow_records(run: Path, tmp_path: Path) -> None:
    export_follows(run, tmp_path / "f.jsonl", "bluesky")
    records = [json.loads(line) for line in (tmp_path / "f.jsonl").read_text("utf-8").splitlines()]
    assert [record["subject"] for record in records] == ["did:plc:abc", "did:web:cid.example"]
    assert {record["$type"] for record in records} == {"app.bsky.graph.follow"}


@pytest.mark.parametrize(
    ("service", "user", "message"),
    [
        ("threads", "", "follows cannot be written for 'threads'; there are: bluesky, mastodon"),
        ("mastodon", "zed", "network 'old' has no user 'zed'"),
        ("mastodon", "c", "user 'c' of network 'old' follows nobody; leave out --user"),
        ("bluesky", "a", r"none of the 1 linked accounts of 'new' has a DID \(did:plc:…\)"),
    ],
)
def test_a_mistake_is_one_sentence(run: Path, tmp_path: Path, service: str, user: str, message: str) -> None:
    with pytest.raises(FactlinkError, match=message):
        export_follows(run, tmp_path / "f", service, follower=user)
