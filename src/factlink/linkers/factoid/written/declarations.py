"""What the users of one network declare: whom they name, what they are called, their sites and e-mail addresses."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl

from factlink.encoders.declared.addresses import network_called
from factlink.encoders.declared.claims import (
    claims_of_fields,
    claims_of_texts,
    hosts_of,
    no_claims,
    plain_handles,
)
from factlink.encoders.declared.mails import HASHES, hashed
from factlink.linkers.factoid.written.keyed import Keyed
from factlink.linkers.factoid.written.same import hashes_in, mails_in, post_columns, sites_in
from factlink.types import Kind, Network


@dataclass(frozen=True, slots=True, eq=False)
class Declarations:
    """Frames with a column `row`, the user."""

    name: str  # of the network
    posts: frozenset[str]  # columns of texts that are posts
    claims: pl.DataFrame  # CLAIMS and the predicate
    handles: pl.DataFrame  # what users are called: handle, host
    sites: pl.DataFrame  # site, own
    mails: pl.DataFrame  # mail
    hashes: pl.DataFrame  # mail

    def shifted(self, rows: int) -> Self:
        """The same users, so many rows later."""
        later = pl.col("row") + rows
        return replace(
            self,
            claims=self.claims.with_columns(later),
            handles=self.handles.with_columns(later),
            sites=self.sites.with_columns(later),
            mails=self.mails.with_columns(later),
            hashes=self.hashes.with_columns(later),
        )

    def beside(self, others: Self) -> Self:
        """Those of other users of the network too."""
        return replace(
            self,
            claims=pl.concat([self.claims, others.claims]),
            handles=pl.concat([self.handles, others.handles]),
            sites=pl.concat([self.sites, others.sites]),
            mails=pl.concat([self.mails, others.mails]),
            hashes=pl.concat([self.hashes, others.hashes]),
        )


def read_declarations(network: Network, other: str, posts: frozenset[str] = frozenset()) -> Declarations:
    """What users say of themselves and of the other network, which is called `other`.

    `posts` are columns known to hold posts, beside those that show it here.
    """
    posts = posts | post_columns(network)
    return Declarations(
        network.name,
        posts,
        _claims(network, other, posts),
        _handles(network),
        sites_in(network, posts),
        mails_in(network, posts),
        hashes_in(network),
    )


@dataclass(frozen=True, slots=True, eq=False)
class KnownDeclarations:
    """What the users of a run declare, of which a few rows bear on somebody who joins."""

    whole: Declarations
    claims: Keyed
    handles: Keyed
    sites: Keyed
    mails: Keyed
    hashes: Keyed

    @classmethod
    def of(cls, whole: Declarations) -> "KnownDeclarations":
        """All that they declare."""
        tables = (whole.claims, whole.handles, whole.sites, whole.mails, whole.hashes)
        return cls(whole, *(Keyed(table) for table in tables))

    def hashed_as(self, hashes: pl.Series) -> pl.Series:
        """The e-mail addresses that have one of some hashes."""
        if not len(hashes):
            return pl.Series("mail", [], dtype=pl.String)
        every = self.mails.frame.select("mail").unique().with_row_index("row").cast({"row": pl.Int64})
        rows = [
            hashed(every, digits).filter(pl.col("mail").is_in(hashes.implode()))["row"]
            for digits in HASHES
            if (hashes.str.len_chars() == digits).any()
        ]
        return every["mail"].gather(pl.concat([pl.Series("row", [], dtype=pl.Int64), *rows]))


def bearing_on(
    new: Declarations, mine: KnownDeclarations, other: KnownDeclarations
) -> tuple[Declarations, Declarations]:
    """Of old users of both networks what bears on claims by new users or about them: few rows for few new users."""
    about = other.claims.having("handle", [new.handles["handle"]])
    theirs = other.claims.having("row", [about["row"]])
    named = other.handles.having("handle", [new.claims["handle"]])
    called = other.handles.having("row", [named["row"]])
    mails, hashes = new.mails["mail"], new.hashes["mail"]
    digests = [hashed(new.mails, digits)["mail"] for digits in HASHES]
    return (
        replace(
            mine.whole,
            claims=mine.claims.having("handle", [called["handle"]]),
            handles=mine.handles.having("handle", [theirs["handle"]]),
            sites=mine.sites.having("site", [new.sites["site"]]),
            mails=mine.mails.having("mail", [mails]),
            hashes=mine.hashes.having("mail", [hashes]),
        ),
        replace(
            other.whole,
            claims=theirs,
            handles=other.handles.having("handle", [called["handle"], new.claims["handle"]]),
            sites=other.sites.having("site", [new.sites["site"]]),
            mails=other.mails.having("mail", [mails, other.hashed_as(hashes)]),
            hashes=other.hashes.having("mail", [hashes, *digests]),
        ),
    )


def _claims(network: Network, other: str, posts: frozenset[str]) -> pl.DataFrame:
    parts = [no_claims().with_columns(predicate=pl.lit("", pl.String))]
    for predicate, attribute in network.attributes.items():
        rows = pl.Series(attribute.rows, dtype=pl.Int64)
        if attribute.kind is Kind.TEXT:
            found = claims_of_texts(rows, attribute.objects, other, posts=predicate in posts)
        elif attribute.kind in (Kind.HANDLE, Kind.URL) or (attribute.kind is Kind.NAME and network_called(predicate)):
            found = claims_of_fields(rows, attribute.objects, network_called(predicate), other)
        else:
            continue
        parts.append(found.with_columns(predicate=pl.lit(predicate)))
    return pl.concat(parts)


def _handles(network: Network) -> pl.DataFrame:
    """What the users of a network are called there: ids, and names of one word."""
    named = [(a.rows, a.objects) for a in network.attributes.values() if a.kind is Kind.NAME]
    parts = [(np.arange(len(network)), network.users), *named]
    handles = pl.concat(pl.DataFrame({"row": rows, "handle": texts}).cast({"row": pl.Int64}) for rows, texts in parts)
    handles = handles.filter(~pl.col("handle").str.contains(r"\s"))
    handles = handles.with_columns(handle=plain_handles(pl.col("handle")), host=hosts_of(pl.col("handle"))).unique()
    return handles.filter(pl.col("handle") != "").sort("row", "handle", "host")
