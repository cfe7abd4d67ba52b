"""Progress: told now and then to whoever listens, and to nobody else."""

import numba
import pytest

from factlink import progress
from factlink.progress import COMPILING, counted, heard_by


def test_items_come_unchanged_where_nobody_listens() -> None:
    assert list(counted("abc", 3, "letters")) == ["a", "b", "c"]


def test_who_listens_hears_how_far_it_is_and_when_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "OFTEN", 0.0)
    heard: list[str] = []
    with heard_by(heard.append):
        assert list(counted(iter("abc"), 3000, "reading letters")) == ["a", "b", "c"]
    assert heard == [f"reading letters, {done} of 3,000" for done in range(3)] + [""]
    list(counted("abc", 3, "letters"))
    assert len(heard) == 4


def test_short_work_is_not_told() -> None:
    heard: list[str] = []
    with heard_by(heard.append):
        list(counted("abc", 3, "letters"))
    assert heard == [""]


def test_who_listens_hears_that_code_is_compiled_and_only_then() -> None:
    @numba.njit
    def twice(number: int) -> int:
        return 2 * number

    heard: list[str] = []
    with heard_by(heard.append):
        assert twice(2) == 4
        assert twice(3) == 6
    assert heard == [COMPILING, ""]
