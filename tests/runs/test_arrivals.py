"""Accounts added later, in the tables of a run."""

from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decisions import DecisionRule
from factlink.decision.incremental import Arrival, IncrementalAssignment
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.arrivals import add_rights, list_doubts, standing_of
from factlink.runs.folder.store import link_frame, load_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.types import DECISIONS, SOURCES, Candidates, Decision, Links, LinkSource, Network

AMY, BOB = ("amy tan", "amytan"), ("bob lee", "boblee")


def write_users(folder: Path, *users: tuple[str, str]) -> None:
    folder.mkdir()
    rows = {"id": [nick for _, nick in users], "name": [name for name, _ in users], "nick": [nick for _, nick in users]}
    pl.DataFrame(rows).write_csv(folder / "users.csv")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_users(tmp_path / "left", AMY, BOB)
    write_users(tmp_path / "right", BOB)
    write_users(tmp_path / "new", AMY)
    make_run(LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run"), FactoidLinker())
    return tmp_path / "run"


def test_whoever_gains_the_only_candidate_that_is_kept_has_no_runner_up(run: Path) -> None:
    before = load_run(run)
    assert before.candidates.rights.shape == (2, 1)
    add_users(AddRequest(run, run.with_name("new"), "right"), lambda stage: None)
    after = load_run(run)
    amy, bob = after.links.sort("left").rows(named=True)
    assert (amy["right"], amy["runner_up"], amy["margin"]) == ("amytan", None, float("inf"))
    assert amy["probability"] > 0.5
    assert after.candidates.rights.tolist() == [[1], [0]]
    assert bob == before.links.sort("left").row(1, named=True)


LINK, UNKNOWN, NO_ACCOUNT = (DECISIONS.index(each) for each in Decision)
NOBODY = -np.inf
NEW = pl.Series(["n0", "n1", "n2", "n3", "n4", "n5"])


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


@pytest.fixture
def table() -> SimpleNamespace:
    """Six left users: a is linked to x; b, c and d might be y; e is nobody; f is known to be z."""
    left, right = (Network("", pl.Series(list(users)), {}, {}) for users in ("abcdef", "xyz"))
    links = Links(
        np.arange(6),
        np.array([0, 1, 1, 1, -1, 2]),
        floats(-0.1, -1, -0.75, -0.5, NOBODY, 0),
        floats(0.75, 0.5, 0.5, 0.6, np.nan, 0.25),
        np.array([LINK, UNKNOWN, UNKNOWN, UNKNOWN, NO_ACCOUNT, LINK]),
        np.array([1, -1, -1, -1, -1, -1]),
        floats(2.9, *[np.inf] * 5),
        np.array([SOURCES.index(LinkSource.FOUND)] * 5 + [SOURCES.index(LinkSource.KNOWN)]),
    )
    rights = np.array([[0, 1], [1, -1], [1, -1], [1, -1], [-1, -1], [2, -1]])
    scores = floats(-0.1, -3, -1, NOBODY, -0.75, NOBODY, -0.5, NOBODY, NOBODY, NOBODY, 0, NOBODY).reshape(6, 2)
    manifest = SimpleNamespace(notes={"decision_rule": asdict(DecisionRule(precision=0.8))})
    frame = link_frame(links, left, right)
    return SimpleNamespace(
        left=left, right=right, links=frame, candidates=Candidates(rights, scores), manifest=manifest
    )


@pytest.fixture
def assigned() -> IncrementalAssignment:
    """Each new right user but the last has one candidate; rivals leave half of what b had."""
    probabilities = floats(0.95, 0.3, 0.5, 0.55, 0.8)
    pairs = gather_pairs(6, 6, [(np.arange(5), np.arange(5))])
    nothing, scores = np.zeros(6, np.float32), np.log(probabilities)
    shifts = floats(0, np.log(0.5), 0, 0, 0, 0)
    return IncrementalAssignment(pairs, np.zeros(5, np.float32), scores, probabilities, nothing, nothing, shifts)


@pytest.fixture
def arrival() -> Arrival:
    probabilities = floats(0.95, 0.3, 0.5, 0.55, 0.8, np.nan)
    decisions = np.array([UNKNOWN, UNKNOWN, UNKNOWN, LINK, LINK, NO_ACCOUNT])
    rights = np.array([0, 1, 2, 3, 4, -1])
    alone = np.full(6, -1), np.full(6, np.inf, np.float32)
    links = Links(np.arange(6), rights, np.log(probabilities), probabilities, decisions, *alone)
    return Arrival(links, np.array([0]), np.array([0]), floats(0.75), floats(0.95))


def test_new_right_users_are_among_the_candidates_of_those_they_may_be(
    table: SimpleNamespace, assigned: IncrementalAssignment, arrival: Arrival
) -> None:
    candidates, _ = add_rights(table, NEW, assigned, arrival)
    assert candidates.rights.tolist() == [[3, 0], [4, 1], [5, 1], [1, 6], [7, -1], [2, -1]]
    wanted = [[np.log(0.95), -0.1], [np.log(0.3), -1 + np.log(0.5)], [np.log(0.5), -0.75], [-0.5, np.log(0.55)]]
    assert_allclose(candidates.scores, [*wanted, [np.log(0.8), NOBODY], [0, NOBODY]], rtol=1e-6)


def test_only_who_has_no_link_gains_a_new_user_and_only_a_link_or_a_likelier_one(
    table: SimpleNamespace, assigned: IncrementalAssignment, arrival: Arrival
) -> None:
    before = table.links.rows()
    links = add_rights(table, NEW, assigned, arrival)[1]
    assert [links.row(place) for place in (0, 2, 5)] == [before[place] for place in (0, 2, 5)]
    gained = links[[1, 3, 4]]
    assert gained.select("left", "right", "decision", "runner_up").rows() == [
        ("b", "n1", "unknown", "y"),
        ("d", "n3", "link", "y"),
        ("e", "n4", "link", None),
    ]
    assert_allclose(gained["probability"], [0.3, 0.55, 0.8], rtol=1e-6)
    assert_allclose(gained["margin"], [np.log(0.3) + 1 - np.log(0.5), np.log(0.55) + 0.5, np.inf], rtol=1e-5)


def test_the_least_likely_link_that_was_found_is_the_bar_on_both_sides(table: SimpleNamespace) -> None:
    left, right = standing_of(table, 0), standing_of(table, 1)
    assert (left.threshold, left.precision, left.one_to_one) == (0.75, 0.8, True)
    assert (right.threshold, right.precision, right.one_to_one) == (0.75, 0.8, True)
    assert left.linked.tolist() == [True, False, False, False, False, True]
    assert_allclose(left.probabilities, floats(0.75, 0.5, 0.5, 0.6, 1, 0.25))
    assert right.linked.tolist() == [True, False, True]
    assert_allclose(right.probabilities, floats(0.75, 0, 0.25))


def test_a_doubt_names_the_earlier_link_on_either_side(table: SimpleNamespace) -> None:
    beaten = Arrival(None, np.array([0]), np.array([1]), floats(0.5), floats(0.75))
    for side in (0, 1):
        assert list_doubts(table, side, NEW, beaten).rows() == [("a", "x", 0.5, "n1", 0.75)]
