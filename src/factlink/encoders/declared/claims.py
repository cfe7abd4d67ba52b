"""Handles and addresses that objects name, each as strongly as it is said."""

import re

import polars as pl

from factlink.encoders.declared.addresses import HANDLE, LABELS, MASTODON, NOBODY, profiles_for
from factlink.encoders.declared.mails import MAIL

FIELD, MENTION, POST = 1.0, 0.5, 0.25
"""How strongly speaks a field of an account's own, a label or an address; a name in a text; and one in a post."""

OTHER_HOST = "e-mail"
"""The network of name@host without a label, which is an account only if there is one on that host."""

CLAIMS = pl.Schema(
    {"row": pl.Int64, "handle": pl.String, "host": pl.String, "network": pl.String, "strength": pl.Float64}
)
"""Who names which handle, on which host and of which common network (empty if it is not said), and how strongly."""

_HOST = r"[a-z0-9\-]+(?:\.[a-z0-9\-]+)+"
_ADDRESS = rf"(?i)(?:(?:https?://|www\.){_HOST}(?::\d+)?(?:/[^\s\"'<>()\[\],;|]*)?|{_HOST}/[^\s\"'<>()\[\],;|]*)"
_AT = r"(?:^|[^\p{L}\p{N}_@./])@" + HANDLE + r"(?:@[\w.\-]+\.\w+)?"
_OWN_PAGE = r"""(?is)<a\b[^>]*\brel\s*=\s*["'](?:[^"'>]*\s)?me(?:\s[^"'>]*)?["'][^>]*>"""
_ENDS = ".-_/"


def claims_of_texts(rows: pl.Series, texts: pl.Series, other: str, posts: bool = False) -> pl.DataFrame:
    """CLAIMS of bios: addresses of profiles, labelled handles and names after @; `other` is the other network.

    In posts people write of others, so everything but a link with rel=me says less there.
    """
    said = pl.DataFrame({"row": rows, "text": texts}).cast({"row": pl.Int64})
    plain, weak = (MENTION, POST) if posts else (FIELD, MENTION)
    own = said.with_columns(text=pl.col("text").str.extract_all(_OWN_PAGE).list.join(" "))
    return _distinct(
        [
            _profiles(said, other, plain),
            _profiles(own, other, FIELD),
            _labelled(said, other, plain),
            _named(said, weak),
            _mailed(said, weak),
        ]
    )


def claims_of_fields(rows: pl.Series, objects: pl.Series, network: str, other: str = "") -> pl.DataFrame:
    """CLAIMS of a column that holds handles or addresses of other accounts."""
    said = pl.DataFrame({"row": rows, "text": objects}).cast({"row": pl.Int64})
    bare = said.filter(~pl.col("text").str.contains(r"[/\s]|.@")).with_columns(
        handle="text", host=pl.lit(""), network=pl.lit(network), strength=pl.lit(FIELD)
    )
    return _distinct([_profiles(said, other, FIELD), bare, _named(said, FIELD), _mailed(said, FIELD)])


def addresses_of(rows: pl.Series, texts: pl.Series, own: bool) -> pl.DataFrame:
    """Columns row and site: all addresses in texts, or those that the text calls the user's own by rel=me."""
    said = pl.DataFrame({"row": rows, "text": texts}).cast({"row": pl.Int64})
    if own:
        said = said.with_columns(text=pl.col("text").str.extract_all(_OWN_PAGE).list.join(" "))
    found = said.select("row", site=pl.col("text").str.extract_all(_ADDRESS)).explode("site").drop_nulls("site")
    return found.with_columns(site=plain_addresses(pl.col("site")))


def plain_handles(handles: pl.Expr) -> pl.Expr:
    """Handles as they are compared: small letters, no @, no host."""
    return handles.str.to_lowercase().str.strip_chars("@ ").str.replace(r"@.*$", "").str.strip_chars_end(_ENDS)


def hosts_of(handles: pl.Expr) -> pl.Expr:
    """The host of name@host; empty where there is none."""
    host = handles.str.to_lowercase().str.extract(rf"^@?[^@\s]+@({_HOST})$", 1)
    return host.fill_null("").str.strip_chars_end(_ENDS)


def plain_addresses(addresses: pl.Expr) -> pl.Expr:
    """Addresses as they are compared: without scheme, www and what follows a question mark."""
    plain = addresses.str.to_lowercase().str.strip_chars().str.replace(r"^(?:https?://)?(?:www\.)?", "")
    return plain.str.replace(r"[?#].*$", "").str.strip_chars_end("/.,;:!")


def no_claims() -> pl.DataFrame:
    """CLAIMS of nobody."""
    return pl.DataFrame(schema=CLAIMS)


def _distinct(parts: list[pl.DataFrame]) -> pl.DataFrame:
    """The strongest of each; a named network comes before none."""
    claims = pl.concat([part.select(pl.col(name).cast(dtype) for name, dtype in CLAIMS.items()) for part in parts])
    claims = claims.with_columns(handle=plain_handles(pl.col("handle")))
    claims = claims.filter((pl.col("handle").str.len_chars() > 1) & ~pl.col("handle").is_in(NOBODY))
    order = ("row", "handle", "host", "strength", "network")
    ordered = claims.sort(order, descending=[False, False, False, True, True])
    return ordered.unique(["row", "handle", "host"], keep="first", maintain_order=True)


def _profiles(said: pl.DataFrame, other: str, strength: float) -> pl.DataFrame:
    found = said.with_columns(address=pl.col("text").str.extract_all(_ADDRESS)).explode("address").drop_nulls("address")
    parts = [no_claims()]
    for network, pattern in profiles_for(other):
        if found.is_empty():
            break
        fit = r"(?i)(?:^|//|\.|^www\.)" + pattern.format(h=HANDLE)
        part = found.with_columns(handle=pl.col("address").str.extract(fit, 1)).drop_nulls("handle")
        host = pl.col("address").str.to_lowercase().str.extract(rf"^(?:https?://)?(?:www\.)?({_HOST})", 1)
        part = part.with_columns(
            host=host if network == MASTODON else pl.lit(""), network=pl.lit(network), strength=pl.lit(strength)
        )
        parts.append(part.select(CLAIMS.names()))
        found = found.join(part.select("row", "address"), on=["row", "address"], how="anti", maintain_order="left")
    return pl.concat(parts)


def _labelled(said: pl.DataFrame, other: str, strength: float) -> pl.DataFrame:
    """IG: name; and the other network's own name before a handle."""
    labels = {**LABELS, **({other.lower(): ""} if other.strip() else {})}
    words = "|".join(re.escape(label) for label in sorted(labels, key=lambda label: (-len(label), label)))
    pattern = r"(?i)(?:^|[^\p{L}\p{N}])(" + words + r")\s*[:：=]\s*@?(" + HANDLE + rf"(?:@{_HOST})?)"
    found = said.with_columns(part=pl.col("text").str.extract_all(pattern)).explode("part").drop_nulls("part")
    label = pl.col("part").str.extract(pattern, 1).str.to_lowercase()
    handle = pl.col("part").str.extract(pattern, 2)
    return found.with_columns(
        handle=handle,
        host=hosts_of(handle),
        network=label.replace_strict(labels, default=""),
        strength=pl.lit(strength),
    ).filter(~pl.col("handle").str.contains("^(?i)https?$"))


def _named(said: pl.DataFrame, strength: float) -> pl.DataFrame:
    """@name, and @name@host."""
    found = said.with_columns(part=pl.col("text").str.extract_all(_AT)).explode("part").drop_nulls("part")
    handle = pl.col("part").str.replace(r"^[^@]*@", "")
    network = pl.when(hosts_of(handle) == "").then(pl.lit("")).otherwise(pl.lit(MASTODON))
    return found.with_columns(handle=handle, host=hosts_of(handle), network=network, strength=pl.lit(strength))


def _mailed(said: pl.DataFrame, strength: float) -> pl.DataFrame:
    """name@host, which is an address of mail unless there is such an account."""
    found = said.with_columns(handle=pl.col("text").str.extract_all(MAIL)).explode("handle").drop_nulls("handle")
    handle = pl.col("handle").str.replace(r"^[^a-zA-Z0-9]+", "")
    return found.with_columns(
        handle=handle, host=hosts_of(handle), network=pl.lit(OTHER_HOST), strength=pl.lit(strength)
    )
