"""The friends of a run's pairs: how many are linked, and how many of those to each other."""

from pathlib import Path

import polars as pl

from factlink.explanations.friends import COUNTS, LinkedFriends, add_linked_friends
from factlink.runs.folder.store import LINKS
from factlink.types import Decision


def with_linked_friends(run: Path, pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs of ids (left, right) with columns COUNTS, by the links and the networks that the run keeps."""
    links = pl.scan_parquet(run / LINKS).filter(pl.col("decision") == Decision.LINK.value)
    linked = links.select("left", "right").collect()
    return add_linked_friends(pairs, linked, _link_table(run / "left"), _link_table(run / "right"))


def linked_friends(run: Path, pairs: pl.DataFrame) -> list[LinkedFriends]:
    """The same as records."""
    return [LinkedFriends(*row) for row in with_linked_friends(run, pairs).select(COUNTS).rows()]


def _link_table(folder: Path) -> pl.LazyFrame:
    path = folder / "links.parquet"
    if not path.exists():
        return pl.LazyFrame(schema={"source": pl.String, "target": pl.String})
    return pl.scan_parquet(path).select("source", "target")
