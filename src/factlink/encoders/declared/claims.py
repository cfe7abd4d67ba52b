"""Handles and addresses that objects name, each as strongly as it is said."""

import re

import polars as pl

from factlink.encoders.declared.addresses import HANDLE, LABELS, NOBODY, PROFILES

FIELD, MENTION = 1.0, 0.5
"""How strongly a field of an account's own, or a label in a text, speaks; and a name in a text."""

CLAIMS = pl.Schema({"row": pl.Int64, "handle": pl.String, "network": pl.String, "strength": pl.Float64})
"""Who names which handle, of which common network (empty if it is not said), and how strongly."""

_ADDRESS = r"(?i)(?:https?://)?(?:www\.)?[a-z0-9\-]+(?:\.[a-z0-9\-]+)+/[^\s\"'<>()\[\],;|]*"
_AT = r"(?:^|[^\p{L}\p{N}_@./])@" + HANDLE + r"(?:@[\w.\-]+\.\w+)?"
_ENDS = ".-_/"


def claims_of_texts(rows: pl.Series, texts: pl.Series, other: str) -> pl.DataFrame:
    """CLAIMS of bios: addresses of profiles, labelled handles and names after @; `other` is the other network."""
    said = pl.DataFrame({"row": rows, "text": texts}).cast({"row": pl.Int64})
    return _distinct([_profiles(said), _labelled(said, other), _named(said)])


def claims_of_fields(rows: pl.Series, objects: pl.Series, network: str) -> pl.DataFrame:
    """CLAIMS of a column that holds handles or addresses of other accounts."""
    said = pl.DataFrame({"row": rows, "text": objects}).cast({"row": pl.Int64})
    bare = said.filter(~pl.col("text").str.contains(r"[/\s]")).with_columns(
        handle="text", network=pl.lit(network), strength=pl.lit(FIELD)
    )
    return _distinct([_profiles(said), bare, _named(said).with_columns(strength=pl.lit(FIELD))])


def plain_handles(handles: pl.Expr) -> pl.Expr:
    """Handles as they are compared: small letters, no @, no host."""
    return handles.str.to_lowercase().str.strip_chars("@ ").str.replace(r"@.*$", "").str.strip_chars_end(_ENDS)


def plain_addresses(addresses: pl.Expr) -> pl.Expr:
    """Addresses as they are compared: without scheme, www and what follows a question mark."""
    plain = addresses.str.to_lowercase().str.strip_chars().str.replace(r"^(?:https?://)?(?:www\.)?", "")
    return plain.str.replace(r"[?#].*$", "").str.strip_chars_end("/")


def _distinct(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """The strongest of each; a named network comes before none."""
    claims = pl.concat([part.select(pl.col(name).cast(dtype) for name, dtype in CLAIMS.items()) for part in parts])
    claims = claims.with_columns(handle=plain_handles(pl.col("handle")))
    claims = claims.filter((pl.col("handle").str.len_chars() > 1) & ~pl.col("handle").is_in(NOBODY))
    ordered = claims.sort("row", "handle", "strength", "network", descending=[False, False, True, True])
    return ordered.unique(["row", "handle"], keep="first", maintain_order=True)


def _profiles(said: pl.DataFrame) -> pl.DataFrame:
    found = said.with_columns(address=pl.col("text").str.extract_all(_ADDRESS)).explode("address").drop_nulls("address")
    parts = []
    for network, pattern in PROFILES.items():
        fit = r"(?i)(?:^|//|\.|^www\.)" + pattern.format(h=HANDLE)
        part = found.with_columns(handle=pl.col("address").str.extract(fit, 1)).drop_nulls("handle")
        parts.append(part.with_columns(network=pl.lit(network), strength=pl.lit(FIELD)))
        found = found.join(part.select("row", "address"), on=["row", "address"], how="anti", maintain_order="left")
    return pl.concat(parts)


def _labelled(said: pl.DataFrame, other: str) -> pl.DataFrame:
    """IG: name; and the other network's own name before a handle."""
    labels = {**LABELS, **({other.lower(): ""} if other.strip() else {})}
    words = "|".join(re.escape(label) for label in sorted(labels, key=lambda label: (-len(label), label)))
    pattern = r"(?i)(?:^|[^\p{L}\p{N}])(" + words + r")\s*[:：=]\s*@?(" + HANDLE + ")"
    found = said.with_columns(part=pl.col("text").str.extract_all(pattern)).explode("part").drop_nulls("part")
    label = pl.col("part").str.extract(pattern, 1).str.to_lowercase()
    return found.with_columns(
        handle=pl.col("part").str.extract(pattern, 2),
        network=label.replace_strict(labels, default=""),
        strength=pl.lit(FIELD),
    ).filter(~pl.col("handle").str.contains("^(?i)https?$"))


def _named(said: pl.DataFrame) -> pl.DataFrame:
    found = said.with_columns(part=pl.col("text").str.extract_all(_AT)).explode("part").drop_nulls("part")
    handle = pl.col("part").str.replace(r"^[^@]*@", "")
    return found.with_columns(handle=handle, network=pl.lit(""), strength=pl.lit(MENTION))


def no_claims() -> pl.DataFrame:
    """CLAIMS of nobody."""
    return pl.DataFrame(schema=CLAIMS)
