from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.embedding.objectives import Objective
from factlink.embedding.state import Trail
from factlink.evaluation.traces import draw_paths, list_paths, list_pushes, scale_to_plane

TRAIL = Trail(
    rows=np.array([0, 2]),
    iterations=[0, 4],
    snapshots=[np.zeros((2, 3), np.float32), np.array([[3, 0, 0], [0, 4, 0]], np.float32)],
    users_moved=[np.array([0.5, 0.25, 0.125], np.float32)],
    objects_moved=[np.array([0.0, 0.0, 2.0], np.float32)],
)
FOLLOWS = Objective("follows", np.array([0, 1, 0]), np.array([1, 0, 2]), np.ones(3, np.float32), None, None)


def test_the_plane_keeps_distances_of_points_in_a_plane() -> None:
    plane = scale_to_plane(np.array([[0, 0, 0], [3, 0, 0], [0, 4, 0]]))
    distances = np.linalg.norm(plane[:, None] - plane[None], axis=2)
    assert distances == pytest.approx(np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0]]))


def test_points_on_a_line_stay_on_it() -> None:
    assert scale_to_plane(np.array([[1.0], [3.0]])) == pytest.approx(np.array([[1, 0], [-1, 0]])) or scale_to_plane(
        np.array([[1.0], [3.0]])
    ) == pytest.approx(np.array([[-1, 0], [1, 0]]))


def test_paths_have_a_row_per_user_and_snapshot() -> None:
    paths = list_paths(TRAIL, ["ann", "bob"], ["1", "1"])
    assert paths["user"].to_list() == ["ann", "bob", "ann", "bob"]
    assert paths["iteration"].to_list() == [0, 0, 4, 4]


def test_the_factoid_that_moved_most_comes_first() -> None:
    pushes = list_pushes(TRAIL, [FOLLOWS], k=1)
    assert pushes.rows() == [(0, "follows", "follower", 1, 0.5), (2, "follows", "followee", 0, 2.0)]


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_paths_are_drawn(tmp_path: Path, ending: str, begins: bytes) -> None:
    pytest.importorskip("altair", reason="the extra [report] is not installed")
    pytest.importorskip("vl_convert", reason="the extra [report] is not installed")
    file = tmp_path / f"paths.{ending}"
    draw_paths(list_paths(TRAIL, ["ann", "bob"], ["1", "1"]), file)
    assert file.read_bytes().startswith(begins)


def test_nobody_watched_gives_an_empty_table() -> None:
    empty = Trail(np.empty(0, np.int64), users_moved=[np.zeros(0)], objects_moved=[np.zeros(0)])
    none = Objective("follows", np.empty(0, int), np.empty(0, int), np.ones(0, np.float32), None, None)
    assert isinstance(list_pushes(empty, [none]), pl.DataFrame)
