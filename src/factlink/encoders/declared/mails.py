"""E-mail addresses in what people write, and their hashes as Gravatar makes them: of the address in small letters."""

import hashlib

import polars as pl

MAIL = r"(?i)(?:^|[^\w.@%+\-/])[a-z0-9._%+\-]+@[a-z0-9\-]+(?:\.[a-z0-9\-]+)*\.[a-z]{2,}"
"""An e-mail address, with the character before it."""

HASHES = {32: hashlib.md5, 64: hashlib.sha256}
"""By the number of hexadecimal digits."""

_HASH = r"(?i)^\s*([0-9a-f]{64}|[0-9a-f]{32})\s*$"
_GRAVATAR = r"(?i)gravatar\.com/(?:avatar/)?([0-9a-f]{64}|[0-9a-f]{32})"


def mails_of(rows: pl.Series, objects: pl.Series) -> pl.DataFrame:
    """Columns row and mail: the addresses in objects, in small letters."""
    said = _said(rows, objects)
    said = said.filter(pl.col("text").str.contains("@", literal=True))
    found = said.select("row", mail=pl.col("text").str.extract_all(MAIL)).explode("mail").drop_nulls("mail")
    return (
        found.with_columns(pl.col("mail").str.to_lowercase().str.replace(r"^[^a-z0-9]+", ""))
        .unique()
        .sort("row", "mail")
    )


def hashes_of(rows: pl.Series, objects: pl.Series) -> pl.DataFrame:
    """Columns row and mail: hashes of addresses, on their own or in the address of a Gravatar."""
    said = _said(rows, objects)
    found = said.select("row", mail=pl.coalesce(pl.col("text").str.extract(p, 1) for p in (_HASH, _GRAVATAR)))
    return found.drop_nulls("mail").with_columns(pl.col("mail").str.to_lowercase()).unique().sort("row", "mail")


def hashed(mails: pl.DataFrame, digits: int) -> pl.DataFrame:
    """The same with hashes of so many digits in place of addresses."""
    distinct = mails["mail"].unique().sort()
    digests = [HASHES[digits](mail.encode(), usedforsecurity=False).hexdigest() for mail in distinct]
    table = {"mail": distinct, "hash": pl.Series(digests, dtype=pl.String)}
    return mails.join(pl.DataFrame(table), on="mail", maintain_order="left").select("row", mail="hash")


def _said(rows: pl.Series, objects: pl.Series) -> pl.DataFrame:
    return pl.DataFrame({"row": rows, "text": objects}).cast({"row": pl.Int64, "text": pl.String})
