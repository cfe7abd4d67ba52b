"""What a run is worth against the truth, by hand."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.decision.decisions import DecisionRule
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.scoring import evaluate_declared, evaluate_run

NAMES = ["amelia tanaka", "bartholomew lee", "cressida hoffmann", "dmitri volkov", "esperanza quintero"]


@pytest.fixture
def asked(tmp_path: Path) -> LinkRequest:
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        users = pl.DataFrame({"id": [f"{side}{row}" for row in range(5)], "name": NAMES})
        users.write_csv(tmp_path / side / "users.csv")
    return LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run")


def write_truth(asked: LinkRequest, *pairs: tuple[int, int]) -> Path:
    truth = asked.out.with_name("truth.csv")
    rows = [(f"left{left}", f"right{right}") for left, right in pairs]
    pl.DataFrame(rows, schema=["left", "right"], orient="row").write_csv(truth)
    return truth


def test_false_links_are_counted_among_links_and_found_partners_among_people(asked: LinkRequest) -> None:
    make_run(asked, NameLinker(), rule=DecisionRule(precision=0.5))
    scores = evaluate_run(asked.out, write_truth(asked, (0, 0), (1, 1), (2, 2), (3, 4)))
    assert (scores.links, scores.metrics.n) == (4, 4)  # nobody knows of the fifth user
    assert scores.coverage == 0.75
    assert scores.false_links == 0.25
    links = pl.read_parquet(asked.out / "links.parquet").filter(pl.col("left") != "left4")
    assert scores.expected_false_links == pytest.approx(1 - links["probability"].mean())


def test_where_nothing_is_linked_no_link_is_false(asked: LinkRequest) -> None:
    make_run(asked, NameLinker(), rule=DecisionRule(min_probability=1.0))
    scores = evaluate_run(asked.out, write_truth(asked, (0, 0), (1, 1)))
    assert (scores.links, scores.coverage, scores.false_links, scores.expected_false_links) == (0, 0, 0, 0)


def test_a_run_is_tested_on_declared_links_that_it_was_not_shown(tmp_path: Path) -> None:
    letters = np.random.default_rng(0).integers(97, 123, (40, 10)).astype(np.uint8)
    names = [row.tobytes().decode() for row in letters]
    left, right = [f"l{i}" for i in range(40)], [f"r{i}" for i in range(40)]
    bios = [f"cats. right: @{name}" if i < 12 else "dogs and long walks" for i, name in enumerate(names)]
    fresh = [names[1], names[0], *names[2:]]  # the first two have each other's name on the left
    for name, users in (("left", {"id": left, "name": fresh, "bio": bios}), ("right", {"id": right, "name": names})):
        (tmp_path / name).mkdir()
        pl.DataFrame(users).write_csv(tmp_path / name / "users.csv")
    make_run(LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run"), FactoidLinker(), lambda _: None)
    scores = evaluate_declared(tmp_path / "run")
    assert (scores.metrics.n, scores.mutual) == (12, 0)
    assert scores.metrics.hits[1] == pytest.approx(10 / 12)
