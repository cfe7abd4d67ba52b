"""Users of two networks who have the same site or the same e-mail address, which few have."""

from collections.abc import Callable

import numpy as np
import polars as pl

from factlink.encoders.declared.claims import addresses_of, plain_addresses
from factlink.encoders.declared.mails import HASHES, hashed, hashes_of, mails_of
from factlink.types import Kind, Network

Find = Callable[[pl.Series, pl.Series], pl.DataFrame]
"""What is found in the objects of some rows."""

Mails = tuple[pl.DataFrame, pl.DataFrame]
"""Columns row and mail: e-mail addresses, and hashes of such."""

_SHARED = 3  # users of a network who may have the same
_MAILED = (Kind.NAME, Kind.TEXT, Kind.HANDLE, Kind.URL)
_HASHED = (Kind.HANDLE, Kind.URL)
_NO_SITES = pl.Schema({"row": pl.Int64, "site": pl.String, "own": pl.Boolean})
_NO_MAILS = pl.Schema({"row": pl.Int64, "mail": pl.String})


def same_sites(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """Columns row, other, share, said and own: pairs with the same address; own if both give it as theirs."""
    met = _met(left, right, "site").with_columns(own=pl.col("own") & pl.col("own_right"))
    met = met.sort("row", "other", "own", "share", "site", descending=[False, False, True, True, False])
    met = met.unique(["row", "other"], keep="first", maintain_order=True)
    return met.select("row", "other", "share", said=pl.format("both have {}", "site"), own="own")


def same_mails(left: Mails, right: Mails) -> pl.DataFrame:
    """Columns row, other, share and said: pairs with the same e-mail address, or the same hash of one."""
    (mine, my_hashes), (theirs, their_hashes) = left, right
    met = [_met(mine, theirs, "mail"), _met(my_hashes, their_hashes, "mail")]
    for digits in HASHES:
        long = pl.col("mail").str.len_chars() == digits
        if len(some := their_hashes.filter(long)):
            met.append(_met(hashed(mine, digits), some, "mail"))
        if len(some := my_hashes.filter(long)):
            met.append(_met(some, hashed(theirs, digits), "mail"))
    found = pl.concat(part.select("row", "other", "share") for part in met)
    found = found.sort("row", "other", "share", descending=[False, False, True])
    found = found.unique(["row", "other"], keep="first", maintain_order=True)
    return found.with_columns(said=pl.lit("both have the same e-mail address"))


def post_columns(network: Network) -> frozenset[str]:
    """Columns of texts that are posts and not bios: somebody has several."""
    texts = ((predicate, a.rows) for predicate, a in network.attributes.items() if a.kind is Kind.TEXT)
    return frozenset(predicate for predicate, rows in texts if len(np.unique(rows)) < len(rows))


def _met(left: pl.DataFrame, right: pl.DataFrame, key: str) -> pl.DataFrame:
    """Users of both sides with the same key; each is as likely as few users of its side have it."""
    sides = [
        side.filter(pl.col(key) != "").with_columns(n=pl.len().over(key)).filter(pl.col("n") <= _SHARED)
        for side in (left, right)
    ]
    met = sides[0].join(sides[1].rename({"row": "other"}), on=key)
    share = 1.0 / pl.max_horizontal("n", "n_right")
    return met.with_columns(share=share).sort("row", "other", key)


def sites_in(network: Network, posts: frozenset[str]) -> pl.DataFrame:
    """Columns row, site and own: addresses in columns of addresses and in bios; in posts only those with rel=me."""
    parts = [pl.DataFrame(schema=_NO_SITES)]
    for predicate, attribute in network.attributes.items():
        rows = pl.Series(attribute.rows, dtype=pl.Int64)
        if attribute.kind is Kind.URL:
            sites = pl.DataFrame({"row": rows, "site": attribute.objects}).with_columns(plain_addresses(pl.col("site")))
            parts.append(sites.with_columns(own=pl.lit(True)))
        elif attribute.kind is Kind.TEXT:
            kept = (True,) if predicate in posts else (True, False)
            parts += [addresses_of(rows, attribute.objects, own).with_columns(own=pl.lit(own)) for own in kept]
    return pl.concat(parts).group_by("row", "site").agg(pl.col("own").any()).sort("row", "site")


def mails_in(network: Network, posts: frozenset[str]) -> pl.DataFrame:
    """Columns row and mail: e-mail addresses, but for those in posts."""
    return _gathered(network, mails_of, _MAILED, posts)


def hashes_in(network: Network) -> pl.DataFrame:
    """Columns row and mail: hashes of e-mail addresses."""
    return _gathered(network, hashes_of, _HASHED, frozenset())


def _gathered(network: Network, find: Find, kinds: tuple[Kind, ...], without: frozenset[str]) -> pl.DataFrame:
    held = [a for predicate, a in network.attributes.items() if a.kind in kinds and predicate not in without]
    found = [find(pl.Series(a.rows, dtype=pl.Int64), a.objects) for a in held]
    return pl.concat([pl.DataFrame(schema=_NO_MAILS), *found]).unique().sort("row", "mail")
