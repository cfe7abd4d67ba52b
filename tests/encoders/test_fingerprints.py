"""A fingerprint changes with what the vectors depend on, and with nothing else."""

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.encoders import fingerprints
from factlink.encoders.fingerprints import file_fingerprint, fingerprint, folder_fingerprint, versions_of


def test_the_same_way_and_objects_have_the_same_fingerprint() -> None:
    assert fingerprint("names, 512", ["a", "b"]) == fingerprint("names, 512", pl.Series(["a", "b"]))
    assert len(fingerprint("names", [])) == 32


def test_everything_that_matters_changes_it() -> None:
    prints = {
        fingerprint("names, 512", ["a", "b"]),
        fingerprint("names, 256", ["a", "b"]),
        fingerprint("names, 512", ["b", "a"]),
        fingerprint("names, 512", ["ab"]),
        fingerprint("names, 512", ["", "ab"]),
        fingerprint("names, 512", ["a", "b", ""]),
        fingerprint("names, 512", ["a", "ü"]),
    }
    assert len(prints) == 7


@given(st.lists(st.text(max_size=3), max_size=4), st.lists(st.text(max_size=3), max_size=4))
def test_different_objects_have_different_fingerprints(one: list[str], other: list[str]) -> None:
    assert (fingerprint("so", one) == fingerprint("so", other)) == (one == other)


def test_another_version_of_ours_makes_other_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint("so", ["a"])
    monkeypatch.setattr(fingerprints, "MAKERS", (*fingerprints.MAKERS, "pytest"))
    assert fingerprint("so", ["a"]) != before


def test_long_lists_are_hashed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprints, "_CHUNK", 2)
    assert fingerprint("so", ["a", "b", "c"]) != fingerprint("so", ["a", "b", "d"])


def test_files_count_by_what_is_in_them(tmp_path: Path) -> None:
    for name, text in (("one", "same"), ("two", "same"), ("three", "other")):
        (tmp_path / name).write_text(text)
    assert file_fingerprint(tmp_path / "one") == file_fingerprint(tmp_path / "two")
    assert file_fingerprint(tmp_path / "one") != file_fingerprint(tmp_path / "three")
    before = folder_fingerprint(tmp_path)
    (tmp_path / "two").rename(tmp_path / "four")
    assert folder_fingerprint(tmp_path) != before


def test_versions_are_told_in_one_line() -> None:
    assert versions_of("no-such-package") == "no-such-package=none"
    assert versions_of("numpy", "polars").startswith("numpy=")
