"""All names and pictures of a user as one object, as the published program has them."""

from dataclasses import replace

import polars as pl

from factlink.encoders.tfidf import ascii_spelling
from factlink.types import FactoidTable, Has, Kind, Objects

PREDICATE = "profile"
BETWEEN = " · "
"""Between the names and the picture of a profile; spelled names have no spaces."""


def join_profiles(table: FactoidTable) -> FactoidTable:
    """The table with one user-object factoid per user: its names one after another, and its first picture."""
    names = _joined(table, Kind.NAME)
    pictures = _joined(table, Kind.IMAGE).unique("user", keep="first")
    profiles = names.join(pictures, on="user", how="full", coalesce=True, suffix="_picture").fill_null("")
    profiles = profiles.sort("user").filter((pl.col("text") != "") | (pl.col("text_picture") != ""))
    texts = (profiles["text"] + BETWEEN + profiles["text_picture"]).rename("object")
    distinct = texts.unique().sort()
    has = Has(profiles["user"].to_numpy(), distinct.search_sorted(texts).to_numpy())
    return replace(table, objects={PREDICATE: Objects(Kind.NAME, distinct)}, has={PREDICATE: has})


def split_profiles(values: pl.Series) -> tuple[pl.Series, pl.Series]:
    """The names and the pictures of profiles; empty where there is none."""
    parts = values.str.splitn(BETWEEN, 2).struct.unnest()
    return parts["field_0"], parts["field_1"].fill_null("")


def _joined(table: FactoidTable, kind: Kind) -> pl.DataFrame:
    """user, text: the objects of one kind, in the order of predicates; names one after another without a gap."""
    parts = [
        pl.DataFrame(
            {"user": table.has[p].users, "text": objects.values.gather(table.has[p].objects)},
            schema={"user": pl.Int64, "text": pl.String},
        )
        for p, objects in table.objects.items()
        if objects.kind is kind
    ]
    if not parts:
        return pl.DataFrame(schema={"user": pl.Int64, "text": pl.String})
    listed = pl.concat(parts)
    if kind is not Kind.NAME:
        return listed
    spelled = listed.with_columns(text=ascii_spelling(listed["text"]))
    return spelled.group_by("user", maintain_order=True).agg(pl.col("text").str.join(""))
