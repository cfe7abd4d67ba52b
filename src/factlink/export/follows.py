"""Accounts to follow on the new network: a person who moves takes the follows along."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import polars as pl

from factlink.errors import InputError, RunError, SettingError
from factlink.runs.folder.manifest import Manifest

_ADDRESS = r"^@?([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)$"
_PROFILE = r"^https?://(?:www\.)?([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/(?:@|users/)([A-Za-z0-9_.-]+?)/?$"
_DID = r"^(did:(?:plc|web):[A-Za-z0-9._:%-]+)$"


@dataclass(frozen=True, slots=True)
class Service:
    """A network that people move to: how it calls an account, and what it reads."""

    wanted: str  # what an account must have, in words
    find: Callable[[str], pl.Expr]  # from a column, null where it holds no such thing
    write: Callable[[pl.Series, str, IO[bytes]], None]  # the accounts, and when the run was made


@dataclass(frozen=True, slots=True)
class Follows:
    """Who to follow, and how many accounts have no address there."""

    addresses: pl.Series
    unaddressed: int


def find_follows(run: Path, manifest: Manifest, links: pl.DataFrame, service: str, follower: str = "") -> Follows:
    """The linked right accounts, or those whose left account one left user follows, each once and sorted."""
    if service not in SERVICES:
        raise SettingError(f"follows cannot be written for '{service}'; there are: {', '.join(SERVICES)}")
    wanted = links.select(id="right", left="left").unique("id", maintain_order=True)
    if follower:
        wanted = wanted.join(_followees(run, manifest, follower), on="left", how="semi", maintain_order="left")
    table = pl.read_parquet(run / "right" / "users.parquet").join(wanted.select("id"), on="id", how="semi")
    columns = [name for name, dtype in table.schema.items() if dtype == pl.String and "mail" not in name.lower()]
    found = table.select(pl.coalesce([SERVICES[service].find(name) for name in columns]).alias("address")).to_series()
    if not found.drop_nulls().len():
        raise InputError(
            f"none of the {table.height:,} linked accounts of '{manifest.right.name}' has {SERVICES[service].wanted}; "
            "add a column with it and link again"
        )
    return Follows(found.drop_nulls().unique().sort(), found.null_count())


def _followees(run: Path, manifest: Manifest, follower: str) -> pl.DataFrame:
    """Column left: whom a left user follows."""
    users = pl.read_parquet(run / "left" / "users.parquet", columns=["id"])["id"]
    if not (users == follower).any():
        raise InputError(f"network '{manifest.left.name}' has no user '{follower}'; ids are matched exactly")
    path = run / "left" / "links.parquet"
    links = pl.read_parquet(path) if path.exists() else pl.DataFrame(schema={"source": pl.String, "target": pl.String})
    followees = links.filter(pl.col("source") == follower).select(left="target").unique()
    if not followees.height:
        raise RunError(f"user '{follower}' of network '{manifest.left.name}' follows nobody; leave out --user")
    return followees


def _mastodon_address(column: str) -> pl.Expr:
    text = pl.col(column).str.strip_chars()
    host, user = text.str.extract(_PROFILE, 1), text.str.extract(_PROFILE, 2)
    return pl.coalesce(text.str.extract(_ADDRESS, 1), user + "@" + host)


def _did(column: str) -> pl.Expr:
    return pl.col(column).str.strip_chars().str.extract(_DID, 1)


def _write_mastodon(addresses: pl.Series, _created: str, file: IO[bytes]) -> None:
    """The file that Mastodon exports, and imports under Preferences, Import: the following list."""
    file.write(b"Account address,Show boosts,Notify on new posts,Languages\n")
    file.writelines(f"{address},true,false,\n".encode() for address in addresses)


def _write_bluesky(addresses: pl.Series, created: str, file: IO[bytes]) -> None:
    """Records of the AT protocol, one on each line, for com.atproto.repo.createRecord."""
    for address in addresses:
        record = {"$type": "app.bsky.graph.follow", "subject": address, "createdAt": created}
        file.write(json.dumps(record).encode() + b"\n")


SERVICES = {
    "bluesky": Service("a DID (did:plc:…)", _did, _write_bluesky),
    "mastodon": Service("an address (name@server) or a profile URL", _mastodon_address, _write_mastodon),
}
