"""The space of a run on disk: what stays the same is not written again, and nothing else is taken for it."""

from pathlib import Path

import numpy as np
from numpy.testing import assert_array_equal

from factlink.protocols import FittedState
from factlink.runs.folder.states import load_state, save_state
from tests.runs.folder.test_store import manifest


def test_what_is_mapped_whole_is_the_same_file_and_any_other_view_is_written(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for run in (first, second):
        run.mkdir()
    pulls = np.arange(8, dtype=np.float32)
    save_state(first, FittedState({"pulls": pulls}, {}))
    stored = load_state(first, manifest()).arrays["pulls"]
    save_state(second, FittedState({"pulls": stored, "reversed": stored[::-1], "some": stored[2:]}, {}))
    assert (second / "space" / "pulls.npy").samefile(first / "space" / "pulls.npy")
    again = load_state(second, manifest()).arrays
    assert_array_equal(again["reversed"], pulls[::-1])
    assert_array_equal(again["some"], pulls[2:])
    assert_array_equal(again["pulls"], pulls)
