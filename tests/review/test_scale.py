"""What makes a review of a million links quick: nothing that is asked for one pair looks at all of them."""

import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.errors import InputError
from factlink.review.accounts import Accounts
from factlink.review.links import EvidenceFile, Pairings, doubts
from factlink.review.queue import Filters, Queue


@pytest.fixture
def accounts(run: Path) -> Accounts:
    return Accounts("right", "facepage", run / "right")


def test_rows_are_found_by_hash_and_non_matches_have_none(accounts: Accounts) -> None:
    asked = pl.Series(["z", "nobody", None, "w", "w", "x/?&#%", ""])
    assert accounts.rows_of(asked).tolist() == [3, -1, -1, 0, 0, 1, -1]
    with pytest.raises(InputError, match="network 'facepage' has no user 'W'; ids are matched exactly"):
        accounts.row_of("W")


def test_users_whose_hashes_collide_are_told_apart(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pl.Series, "hash", lambda series: pl.Series(np.zeros(len(series), np.uint64)))
    assert accounts.rows_of(pl.Series(["z", "nobody", "w", "y"])).tolist() == [3, -1, 0, 2]


def test_neighbours_count_once_whichever_way_and_however_often_they_are_linked(run: Path) -> None:
    links = pl.DataFrame({"source": ["w", "y", "w", "w"], "target": ["y", "w", "y", "z"]})
    links.write_parquet(run / "right" / "links.parquet")
    neighbours = Accounts("right", "facepage", run / "right").neighbours
    assert sorted(neighbours.of(0).tolist()) == [2, 3]
    assert neighbours.counts().tolist() == [2, 0, 1, 1]
    (run / "right" / "links.parquet").unlink()
    assert Accounts("right", "facepage", run / "right").neighbours.counts().tolist() == [0, 0, 0, 0]


def test_doubt_is_by_probability_else_by_margin() -> None:
    figures = pl.DataFrame(
        {"probability": [0.5, 0.9, 0.1, None, None, None], "margin": [9.0, 0.0, 0.2, 0.0, 0.2, float("inf")]},
        schema={"probability": pl.Float32, "margin": pl.Float32},
    )
    assert doubts(figures) == pytest.approx([1.0, 0.2, 0.2, 1.0, 0.5, 0.0], abs=1e-6)


def test_the_next_pair_is_found_fast_behind_a_million_decided_ones(run: Path) -> None:
    n = 1_000_000
    places = np.arange(n, dtype=np.int32)
    figures = pl.DataFrame({"decision": pl.repeat("link", n, eager=True), "probability": np.zeros(n, np.float32)})
    sides = Accounts("left", "chirper", run / "left"), Accounts("right", "facepage", run / "right")
    pairings = Pairings(np.zeros(n, np.int32), np.zeros(n, np.int32), places, figures, places, np.zeros(n, np.float32))
    queue = Queue(pairings, sides, EvidenceFile(run, sides[0]))
    decided = np.ones(n, np.bool_)
    decided[n - 1] = False
    queue.fitting(Filters())
    start = time.process_time()
    assert queue.next_place(Filters(), decided, "ann") == n - 1
    assert queue.next_place(Filters(), decided, "ann", skipped=1) is None
    assert time.process_time() - start < 0.2


def test_names_of_some_users_whether_they_have_one_or_several(run: Path) -> None:
    path = run / "right" / "users.parquet"
    users = pl.read_parquet(path)
    names = [["Amy", "AMY", "Tan"], None, ["Olga"], []]
    users.with_columns(name=pl.Series(names, dtype=pl.List(pl.String))).write_parquet(path)
    found = Accounts("right", "facepage", run / "right").names(np.array([0, 1, 2, 3]))
    assert found.rows() == [(0, "amy"), (0, "tan"), (2, "olga")]


def test_search_begins_with_words_that_begin_so(run: Path) -> None:
    path = run / "right" / "users.parquet"
    users = pl.read_parquet(path)
    users.with_columns(name=pl.Series(["vanilla", "maple.vanilla", "the_Anil", "Anil (work)"])).write_parquet(path)
    accounts = Accounts("right", "facepage", run / "right")
    assert accounts.search("anil", 9) == [2, 3, 0, 1]
    assert accounts.search("anil", 1) == [2]
    assert accounts.search("Anil (", 9) == [3]
    assert accounts.search(".*", 9) == []
