from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.errors import InputError
from factlink.evaluation.annotation import KEY, SHEET, count_verdicts, draw_lefts, tally, tally_by_truth, write_sheet
from factlink.types import Attribute, Kind, Network, Pairs


def network(name: str, *names: str) -> Network:
    users = pl.Series([f"{name}{row}" for row in range(len(names))])
    return Network(name, users, {"username": Attribute(Kind.NAME, np.arange(len(names)), pl.Series(names))}, {})


LEFT, RIGHT = network("l", "amy", "bob", "cem"), network("r", "amy_", "bobby", "zoe")
GIVEN = {
    "CNL": Pairs(np.array([0, 1]), np.array([0, 2])),
    "FE": Pairs(np.array([0, 1]), np.array([0, 1])),
}


def test_left_users_are_drawn_outside_the_truth() -> None:
    drawn = draw_lefts(network("l", *"abcdefgh"), Pairs(np.array([1, 3]), np.array([0, 1])), 4)
    assert len(drawn) == 4
    assert not set(drawn.tolist()) & {1, 3}


def test_the_sheet_is_blind_and_the_key_is_not(tmp_path: Path) -> None:
    write_sheet(tmp_path, LEFT, RIGHT, GIVEN)
    sheet = pl.read_csv(tmp_path / SHEET)
    assert sheet.columns == ["pair", "left id", "left username", "right id", "right username", "verdict"]
    assert sheet.height == 3
    assert "CNL" not in (tmp_path / SHEET).read_text()
    shown = sheet.filter(pl.col("right id") == "r2").row(0, named=True)
    assert (shown["left username"], shown["right username"]) == ("bob", "zoe")
    methods = pl.read_csv(tmp_path / KEY).group_by("pair").len()
    assert sorted(methods["len"].to_list()) == [1, 1, 2]


def judge(folder: Path, verdicts: dict[str, str]) -> None:
    sheet = pl.read_csv(folder / SHEET, infer_schema=False)
    judged = [verdicts.get(right) for right in sheet["right id"]]
    sheet.with_columns(verdict=pl.Series(judged, dtype=pl.String)).write_csv(folder / SHEET)


def test_verdicts_are_counted_by_method(tmp_path: Path) -> None:
    write_sheet(tmp_path, LEFT, RIGHT, GIVEN)
    assert tally(tmp_path).is_empty()
    judge(tmp_path, {"r0": "match", "r2": "non-match"})
    assert tally(tmp_path).sort("method", maintain_order=True).rows() == [
        ("CNL", "match", 1),
        ("CNL", "unknown", 0),
        ("CNL", "non-match", 1),
        ("FE", "match", 1),
        ("FE", "unknown", 0),
        ("FE", "non-match", 0),
    ]


def test_a_verdict_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    write_sheet(tmp_path, LEFT, RIGHT, GIVEN)
    judge(tmp_path, {"r0": "maybe"})
    with pytest.raises(InputError, match="no verdict is called 'maybe'; there are: match, unknown, non-match"):
        tally(tmp_path)


def test_the_made_up_truth_can_judge() -> None:
    counts = tally_by_truth(GIVEN, Pairs(np.array([0, 1]), np.array([0, 1])))
    assert counts.filter(method="CNL")["links"].to_list() == [1, 0, 1]
    assert counts.filter(method="FE")["links"].to_list() == [2, 0, 0]


def test_nothing_judged_counts_nothing() -> None:
    assert count_verdicts(pl.DataFrame(schema={"method": pl.String, "verdict": pl.String})).is_empty()
