"""Judgements: nothing that was acknowledged is ever lost, changed or forgotten."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.errors import InputError, RunError
from factlink.runs.folder.judgements import Judgements
from factlink.types import Verdict

MATCH, UNKNOWN, NON_MATCH = Verdict.MATCH, Verdict.UNKNOWN, Verdict.NON_MATCH


def verdicts(frame: pl.DataFrame) -> dict[tuple[str, str], str]:
    return {(left, right): verdict for left, right, verdict in frame.select("left", "right", "verdict").rows()}


def test_a_run_that_nobody_judged_has_none_and_gets_no_file(tmp_path: Path) -> None:
    store = Judgements(tmp_path)
    assert store.overall().height == 0
    assert store.of_pair("a", "x") == []
    assert store.changed_since(0) == (0, [])
    assert list(tmp_path.iterdir()) == []


def test_the_later_word_overrules_for_each_reviewer_and_over_all(tmp_path: Path) -> None:
    store = Judgements(tmp_path)
    store.add("a", "x", MATCH, "ann", "same dog")
    store.add("a", "x", NON_MATCH, "bob")
    store.add("a", "x", UNKNOWN, "ann")
    store.add("b", "y", MATCH, "bob")
    assert verdicts(store.overall()) == {("a", "x"): "unknown", ("b", "y"): "match"}
    assert [(said.reviewer, said.verdict) for said in store.of_pair("a", "x")] == [("bob", NON_MATCH), ("ann", UNKNOWN)]
    assert store.pairs(MATCH).rows() == [("b", "y")]


def test_taking_back_brings_the_earlier_word_back_and_deletes_nothing(tmp_path: Path) -> None:
    store = Judgements(tmp_path)
    store.add("a", "x", MATCH, "ann", "first")
    store.add("a", "x", NON_MATCH, "ann")
    store.add("b", "y", MATCH, "bob")
    undone = store.withdraw_last("ann")
    assert [(each.left, each.right, each.verdict) for each in undone] == [("a", "x", NON_MATCH)]
    assert [(said.verdict, said.note) for said in store.of_pair("a", "x")] == [(MATCH, "first")]
    store.withdraw_last("ann")
    assert store.of_pair("a", "x") == []
    assert store.withdraw_last("ann") == []
    with sqlite3.connect(store.path) as db:
        assert db.execute("SELECT count(*) FROM judgement").fetchone() == (5,)


def test_saying_the_same_again_adds_nothing(tmp_path: Path) -> None:
    store = Judgements(tmp_path)
    assert store.add("a", "x", MATCH, "ann") == store.add("a", "x", MATCH, "ann") == 1
    assert store.add("a", "x", MATCH, "ann", "now with a reason") == 2


def test_what_changed_since_a_row_names_each_pair_once(tmp_path: Path) -> None:
    store = Judgements(tmp_path)
    store.add("a", "x", MATCH, "ann")
    store.add("b", "y", MATCH, "ann")
    assert store.changed_since(1) == (2, [("b", "y")])
    store.withdraw_last("ann")
    assert store.changed_since(1) == (3, [("b", "y")])


@pytest.mark.parametrize("change", ["UPDATE judgement SET verdict = 'match'", "DELETE FROM judgement"])
def test_the_file_itself_refuses_change(tmp_path: Path, change: str) -> None:
    store = Judgements(tmp_path)
    store.add("a", "x", NON_MATCH, "ann")
    with sqlite3.connect(store.path) as db, pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        db.execute(change)


@pytest.mark.parametrize(
    ("reviewer", "note", "message"),
    [(" ", "", "a reviewer needs a name"), ("a" * 101, "", "found 101"), ("ann", "x" * 10_001, "found 10,001")],
)
def test_names_and_notes_have_bounds(tmp_path: Path, reviewer: str, note: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Judgements(tmp_path).add("a", "x", MATCH, reviewer, note)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "judgements.sqlite").write_text("these are not the judgements you look for" * 50)
    with pytest.raises(RunError, match=r"judgements.sqlite is damaged \(file is not a database\)"):
        Judgements(tmp_path).add("a", "x", MATCH, "ann")


def test_without_a_run_there_is_no_place_for_judgements(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is not a run folder"):
        Judgements(tmp_path / "gone").add("a", "x", MATCH, "ann")


def test_copying_keeps_what_the_other_run_already_has(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
    old, new = Judgements(tmp_path / "old"), Judgements(tmp_path / "new")
    old.add("a", "x", MATCH, "ann", "earlier")
    old.add("b", "y", NON_MATCH, "bob")
    new.add("a", "x", NON_MATCH, "ann")
    new.extend(old.by_reviewer())
    new.extend(old.by_reviewer())
    assert verdicts(new.overall()) == {("a", "x"): "non-match", ("b", "y"): "non-match"}
    assert new.changed_since(0)[0] == 2


PAIRS = st.tuples(st.sampled_from("ab"), st.sampled_from("xy"))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), PAIRS, st.sampled_from(list(Verdict)), st.sampled_from(["ann", "bób 🐶"])),
        st.tuples(st.just("undo"), PAIRS, st.just(MATCH), st.sampled_from(["ann", "bób 🐶"])),
    ),
    max_size=12,
)


@settings(deadline=None, max_examples=40)
@given(STEPS)
def test_the_store_says_what_a_list_of_what_was_said_would(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, tuple[str, str], Verdict, str]]
) -> None:
    store = Judgements(tmp_path_factory.mktemp("run"))
    spoken: list[tuple[tuple[str, str], str, Verdict]] = []
    for step, pair, verdict, reviewer in steps:
        mine = [place for place, said in enumerate(spoken) if said[1] == reviewer]
        if step == "undo":
            assert (store.withdraw_last(reviewer) == []) == (not mine)
            if mine:
                del spoken[mine[-1]]
            continue
        store.add(*pair, verdict, reviewer)
        latest = [said for said in spoken if said[:2] == (pair, reviewer)]
        if not latest or latest[-1][2] != verdict:
            spoken.append((pair, reviewer, verdict))
    assert verdicts(store.overall()) == {pair: verdict.value for pair, _, verdict in spoken}


def test_two_reviewers_at_once_lose_nothing(tmp_path: Path) -> None:
    def judge(reviewer: str) -> None:
        for number in range(25):
            Judgements(tmp_path).add(str(number), "x", MATCH, reviewer)

    threads = [threading.Thread(target=judge, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Judgements(tmp_path).by_reviewer().height == 50


def test_reviewers_who_start_the_file_at_the_same_moment_wait_for_each_other(tmp_path: Path) -> None:
    for round_ in range(40):
        run = tmp_path / str(round_)
        run.mkdir()
        start = threading.Barrier(6)

        def judge(reviewer: str, run: Path = run, start: threading.Barrier = start) -> None:
            start.wait()
            Judgements(run).add("1", "x", MATCH, reviewer)

        threads = [threading.Thread(target=judge, args=(str(number),)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Judgements(run).by_reviewer().height == 6


WRITER = """
import sys
from pathlib import Path
from factlink.runs.folder.judgements import Judgements
from factlink.types import Verdict
store = Judgements(Path(sys.argv[1]))
for number in range(10**6):
    store.add(f"left {number}", "right", Verdict.MATCH, "ann", "n" * 3000)
    print(number, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 17])
def test_a_kill_during_writes_loses_nothing_acknowledged(tmp_path: Path, acknowledged: int) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    with writer.stdout as lines:
        said = [next(lines) for _ in range(acknowledged)]
        os.kill(writer.pid, signal.SIGKILL)
        said += [line for line in lines if line.endswith("\n")]
    writer.wait()
    store = Judgements(tmp_path)
    kept = set(store.overall()["left"])
    assert {f"left {int(number)}" for number in said} <= kept
    assert len(kept) <= len(said) + 1
    store.add("after", "right", MATCH, "bob")
    assert "after" in set(store.overall()["left"])
    with sqlite3.connect(store.path) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_was_judged_together_is_taken_back_together(tmp_path: Path) -> None:
    store = Judgements(tmp_path)
    store.add("a", "x", NON_MATCH, "ann")
    store.add("b", "y", MATCH, "bob")
    assert store.add_together([("a", "x"), ("b", "y"), ("c", "z"), ("c", "z")], MATCH, "ann", "probability 0.98") == 2
    assert store.of_pair("a", "x")[0].verdict == NON_MATCH  # said before, one by one
    assert store.of_pair("c", "z")[0].note == "judged together: probability 0.98"
    assert {(each.left, each.right) for each in store.withdraw_last("ann")} == {("b", "y"), ("c", "z")}
    assert [said.reviewer for said in store.of_pair("b", "y")] == ["bob"]
    assert [(each.left, each.right) for each in store.withdraw_last("ann")] == [("a", "x")]


def test_two_rounds_of_judging_together_are_taken_back_one_by_one(tmp_path: Path) -> None:
    store = Judgements(tmp_path)
    store.add_together([("a", "x")], MATCH, "ann", "probability 0.98")
    store.add_together([("b", "y")], MATCH, "ann", "probability 0.98")
    assert [each.left for each in store.withdraw_last("ann")] == ["b"]
    assert [each.left for each in store.withdraw_last("ann")] == ["a"]
