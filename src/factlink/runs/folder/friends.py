"""The friends of a run's pairs: how many are linked, and how many of those to each other."""

from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import coo_array, csr_array

from factlink.explanations.friends import COUNTS, LinkedFriends, add_linked_friends
from factlink.runs.folder.store import LINKS
from factlink.types import Decision, Network

_AT_ONCE = 2_000_000  # links that are read at a time


def with_linked_friends(run: Path, pairs: pl.DataFrame) -> pl.DataFrame:
    """Pairs of ids (left, right) with columns COUNTS, by the links and the networks that the run keeps."""
    links = pl.scan_parquet(run / LINKS).filter(pl.col("decision") == Decision.LINK.value)
    linked = links.select("left", "right").collect()
    return add_linked_friends(pairs, linked, _link_table(run / "left"), _link_table(run / "right"))


def linked_friends(run: Path, pairs: pl.DataFrame) -> list[LinkedFriends]:
    """The same as records."""
    return [LinkedFriends(*row) for row in with_linked_friends(run, pairs).select(COUNTS).rows()]


def count_linked_friends(run: Path, links: pl.DataFrame) -> pl.DataFrame:
    """All links of a run with columns COUNTS: the same in rows of the networks, as sparse products."""
    is_link = (links["decision"] == Decision.LINK.value).to_numpy()
    ends = [_met_links(run / side, links[side], is_link) for side in ("left", "right")]
    shared = ends[0].multiply(ends[1]).sum(axis=1)
    counts = (*(end.sum(axis=1) for end in ends), shared)
    columns = {name: np.asarray(count).ravel().astype(np.int64) for name, count in zip(COUNTS, counts, strict=True)}
    return links.with_columns(**{name: pl.Series(column) for name, column in columns.items()})


def _met_links(folder: Path, asked: pl.Series, is_link: npt.NDArray[np.bool_]) -> csr_array:
    """(n_pairs, n_links) 1 where a user has a neighbour in a link; an empty row for no user."""
    users = pl.read_parquet(folder / "users.parquet", columns=["id"])["id"]
    network = Network("", users, {}, {})
    rows = network.rows_of(asked)
    graph = _undirected(folder / "links.parquet", network)
    owners, places = np.flatnonzero(rows >= 0), rows[rows >= 0]
    n_pairs, entries = len(rows), np.ones(len(owners), np.int32)
    chosen = csr_array((entries, (owners, places)), shape=(n_pairs, len(users)))
    linked = np.flatnonzero(is_link)
    held = csr_array(
        (np.ones(len(linked), np.int32), (rows[linked], np.arange(len(linked)))), (len(users), len(linked))
    )
    return (chosen @ (graph @ held)).tocsr()


def _undirected(path: Path, network: Network) -> csr_array:
    """(n_users, n_users) 1 for users of whom one follows the other; read in parts."""
    n_users = len(network)
    height = int(pl.scan_parquet(path).select(pl.len()).collect().item()) if path.exists() else 0
    parts = [
        [network.rows_of(part[end]).astype(np.int32) for end in ("source", "target")]
        for start in range(0, height, _AT_ONCE)
        for part in [pl.scan_parquet(path).select("source", "target").slice(start, _AT_ONCE).collect()]
    ]
    ends = [np.concatenate([part[end] for part in parts] or [np.empty(0, np.int32)]) for end in (0, 1)]
    rows, columns = np.concatenate(ends), np.concatenate(ends[::-1])
    graph = coo_array((np.ones(len(rows), np.int32), (rows, columns)), shape=(n_users, n_users)).tocsr()
    graph.data[:] = 1
    return graph


def _link_table(folder: Path) -> pl.LazyFrame:
    path = folder / "links.parquet"
    if not path.exists():
        return pl.LazyFrame(schema={"source": pl.String, "target": pl.String})
    return pl.scan_parquet(path).select("source", "target")
