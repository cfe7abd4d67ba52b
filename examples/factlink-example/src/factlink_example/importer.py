"""Reads address books: vCard files (.vcf), one user for each card."""

from pathlib import Path

import polars as pl

from factlink.data.frames import Tables
from factlink.data.protocol import Found, SourceOptions

FIELDS = {"FN": "name", "NICKNAME": "username", "NOTE": "bio", "EMAIL": "email"}


def recognises(source: object) -> bool:
    """Whether the source is a path that ends in .vcf: a quick look that opens nothing."""
    return isinstance(source, str | Path) and str(source).lower().endswith(".vcf")


def read(source: object, options: SourceOptions) -> Found:
    """A table of users, and a sentence on what was understood."""
    cards: list[dict[str, str | None]] = []
    for line in Path(str(source)).read_text("utf-8").splitlines():
        field, _, value = line.partition(":")
        field = field.partition(";")[0].upper()
        if field == "BEGIN":
            cards.append({"id": f"card{len(cards) + 1}"} | dict.fromkeys(FIELDS.values()))
        elif field in FIELDS and cards:
            cards[-1][FIELDS[field]] = value.strip()
    users = pl.DataFrame(cards, schema=dict.fromkeys(["id", *FIELDS.values()], pl.String))
    users = users.select("id", *(column for column in FIELDS.values() if users[column].null_count() < users.height))
    return Found(Tables(users, None, Path(str(source)).name), notes=(f"{len(cards)} cards were read.",))
