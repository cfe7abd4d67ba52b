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


def bearing_on(new: Declarations, mine: Declarations, other: Declarations) -> tuple[Declarations, Declarations]:
    """Of old users of both networks what bears on claims by new users or about them: few rows for few new users."""
    about = other.claims.join(new.handles, on="handle", how="semi", maintain_order="left")
    theirs = other.claims.join(about, on="row", how="semi", maintain_order="left")
    named = other.handles.join(new.claims, on="handle", how="semi", maintain_order="left")
    called = other.handles.join(named, on="row", how="semi", maintain_order="left")
    handles = other.handles.join(
        pl.concat([called.select("handle"), new.claims.select("handle")]).unique(),
        on="handle",
        how="semi",
        maintain_order="left",
    )
    return (
        replace(
            mine,
            claims=mine.claims.join(called, on="handle", how="semi", maintain_order="left"),
            handles=mine.handles.join(theirs, on="handle", how="semi", maintain_order="left"),
            sites=mine.sites.join(new.sites, on="site", how="semi", maintain_order="left"),
        ),
        replace(
            other,
            claims=theirs,
            handles=handles,
            sites=other.sites.join(new.sites, on="site", how="semi", maintain_order="left"),
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
