"""Users of two networks who have the same site or the same e-mail address, which few have."""

from collections.abc import Callable

import numpy as np
import polars as pl

from factlink.encoders.declared.claims import addresses_of, plain_addresses
from factlink.encoders.declared.mails import HASHES, hashed, hashes_of, mails_of
from factlink.types import Attribute, Kind, Network

Find = Callable[[pl.Series, pl.Series], pl.DataFrame]
"""What is found in the objects of some rows."""

_SHARED = 3  # users of a network who may have the same
_MAILED = (Kind.NAME, Kind.TEXT, Kind.HANDLE, Kind.URL)
_HASHED = (Kind.HANDLE, Kind.URL)
_NO_SITES = pl.Schema({"row": pl.Int64, "site": pl.String, "own": pl.Boolean})
_NO_MAILS = pl.Schema({"row": pl.Int64, "mail": pl.String})


def same_sites(left: Network, right: Network) -> pl.DataFrame:
    """Columns row, other, share, said and own: pairs with the same address; own if both give it as theirs."""
    met = _met(_sites(left), _sites(right), "site").with_columns(own=pl.col("own") & pl.col("own_right"))
    met = met.sort("own", "share", descending=True).unique(["row", "other"], keep="first", maintain_order=True)
    return met.select("row", "other", "share", said=pl.format("both have {}", "site"), own="own")


def same_mails(left: Network, right: Network) -> pl.DataFrame:
    """Columns row, other, share and said: pairs with the same e-mail address, or the same hash of one."""
    sides = [(_gathered(n, mails_of, _MAILED), _gathered(n, hashes_of, _HASHED)) for n in (left, right)]
    (mine, my_hashes), (theirs, their_hashes) = sides
    met = [_met(mine, theirs, "mail"), _met(my_hashes, their_hashes, "mail")]
    for digits in HASHES:
        long = pl.col("mail").str.len_chars() == digits
        if len(some := their_hashes.filter(long)):
            met.append(_met(hashed(mine, digits), some, "mail"))
        if len(some := my_hashes.filter(long)):
            met.append(_met(some, hashed(theirs, digits), "mail"))
    found = pl.concat(part.select("row", "other", "share") for part in met).sort("share", descending=True)
    found = found.unique(["row", "other"], keep="first", maintain_order=True)
    return found.with_columns(said=pl.lit("both have the same e-mail address"))


def are_posts(attribute: Attribute) -> bool:
    """Whether texts are posts and not bios: somebody has several."""
    return len(np.unique(attribute.rows)) < len(attribute.rows)


def _met(left: pl.DataFrame, right: pl.DataFrame, key: str) -> pl.DataFrame:
    """Users of both sides with the same key; each is as likely as few users of its side have it."""
    sides = [
        side.filter(pl.col(key) != "").with_columns(n=pl.len().over(key)).filter(pl.col("n") <= _SHARED)
        for side in (left, right)
    ]
    met = sides[0].join(sides[1].rename({"row": "other"}), on=key)
    share = 1.0 / pl.max_horizontal("n", "n_right")
    return met.with_columns(share=share).sort("row", "other", key)


def _sites(network: Network) -> pl.DataFrame:
    """Addresses in columns of addresses and in bios."""
    parts = [pl.DataFrame(schema=_NO_SITES)]
    for attribute in network.attributes.values():
        rows = pl.Series(attribute.rows, dtype=pl.Int64)
        if attribute.kind is Kind.URL:
            sites = pl.DataFrame({"row": rows, "site": attribute.objects}).with_columns(plain_addresses(pl.col("site")))
            parts.append(sites.with_columns(own=pl.lit(True)))
        elif attribute.kind is Kind.TEXT:
            kept = (True,) if are_posts(attribute) else (True, False)
            parts += [addresses_of(rows, attribute.objects, own).with_columns(own=pl.lit(own)) for own in kept]
    return pl.concat(parts).group_by("row", "site").agg(pl.col("own").any()).sort("row", "site")


def _gathered(network: Network, find: Find, kinds: tuple[Kind, ...]) -> pl.DataFrame:
    """What is found in columns of these kinds, posts left out."""
    held = [a for a in network.attributes.values() if a.kind in kinds and not (a.kind is Kind.TEXT and are_posts(a))]
    found = [find(pl.Series(a.rows, dtype=pl.Int64), a.objects) for a in held]
    return pl.concat([pl.DataFrame(schema=_NO_MAILS), *found]).unique().sort("row", "mail")
