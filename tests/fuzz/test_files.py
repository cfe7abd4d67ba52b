"""Damaged files are read as they stand or refused in one sentence."""

import pytest

from .files import file_targets
from .harness import Target, answer, check, share_of

TARGETS = file_targets()


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_damaged_files(target: Target, capfd: pytest.CaptureFixture[str]) -> None:
    check(target, share_of(25, len(TARGETS)))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_whole_files_are_taken(target: Target) -> None:
    assert answer(target, target.seeds[0])
