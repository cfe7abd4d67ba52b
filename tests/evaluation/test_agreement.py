"""Cohen's kappa by hand."""

import polars as pl
import pytest

from factlink.evaluation.agreement import agreements, cohens_kappa


def test_kappa_of_the_textbook_example() -> None:
    """Cohen's grant example: 20 both yes, 15 both no, 5 and 10 apart: (0.7 − 0.5) / (1 − 0.5)."""
    first = pl.Series(["yes"] * 25 + ["no"] * 25)
    second = pl.Series(["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15)
    assert cohens_kappa(first, second) == pytest.approx(0.4)


def test_kappa_of_extremes() -> None:
    assert cohens_kappa(pl.Series(["a", "b"]), pl.Series(["a", "b"])) == 1.0
    assert cohens_kappa(pl.Series(["a", "b"]), pl.Series(["b", "a"])) == -1.0
    assert cohens_kappa(pl.Series(["a", "a"]), pl.Series(["a", "a"])) is None
    assert cohens_kappa(pl.Series([], dtype=pl.String), pl.Series([], dtype=pl.String)) is None


def test_only_pairs_that_both_judged_count() -> None:
    rows = [
        ("a", "x", "ann", "match"),
        ("b", "y", "ann", "non-match"),
        ("c", "z", "ann", "match"),
        ("a", "x", "bob", "match"),
        ("b", "y", "bob", "non-match"),
        ("a", "x", "cid", "unknown"),
    ]
    frame = pl.DataFrame(rows, ["left", "right", "reviewer", "verdict"], orient="row")
    found = {(each.first, each.second): (each.pairs, each.agreed, each.kappa) for each in agreements(frame)}
    assert found == {("ann", "bob"): (2, 2, 1.0), ("ann", "cid"): (1, 0, 0.0), ("bob", "cid"): (1, 0, 0.0)}
