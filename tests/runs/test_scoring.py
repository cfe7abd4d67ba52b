"""What a run is worth against the truth, by hand."""

from pathlib import Path

import polars as pl
import pytest

from factlink.linkers.name import NameLinker
from factlink.matching.links import DecisionRule
from factlink.runs.making import Order, make_run
from factlink.runs.scoring import evaluate_run

NAMES = ["amelia tanaka", "bartholomew lee", "cressida hoffmann", "dmitri volkov", "esperanza quintero"]


@pytest.fixture
def order(tmp_path: Path) -> Order:
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        users = pl.DataFrame({"id": [f"{side}{row}" for row in range(5)], "name": NAMES})
        users.write_csv(tmp_path / side / "users.csv")
    return Order(tmp_path / "left", tmp_path / "right", tmp_path / "run")


def write_truth(order: Order, *pairs: tuple[int, int]) -> Path:
    truth = order.out.with_name("truth.csv")
    rows = [(f"left{left}", f"right{right}") for left, right in pairs]
    pl.DataFrame(rows, schema=["left", "right"], orient="row").write_csv(truth)
    return truth


def test_false_links_are_counted_among_links_and_found_partners_among_people(order: Order) -> None:
    make_run(order, NameLinker(), bar=DecisionRule(precision=0.5))
    scores = evaluate_run(order.out, write_truth(order, (0, 0), (1, 1), (2, 2), (3, 4)))
    assert (scores.links, scores.metrics.n) == (4, 4)  # nobody knows of the fifth user
    assert scores.coverage == 0.75
    assert scores.false_links == 0.25
    links = pl.read_parquet(order.out / "links.parquet").filter(pl.col("left") != "left4")
    assert scores.expected_false_links == pytest.approx(1 - links["probability"].mean())


def test_where_nothing_is_linked_no_link_is_false(order: Order) -> None:
    make_run(order, NameLinker(), bar=DecisionRule(min_probability=1.0))
    scores = evaluate_run(order.out, write_truth(order, (0, 0), (1, 1)))
    assert (scores.links, scores.coverage, scores.false_links, scores.expected_false_links) == (0, 0, 0, 0)
