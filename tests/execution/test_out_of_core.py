"""Matrices on disk are the same matrices."""

import mmap
from pathlib import Path

import numpy as np
import pytest

from factlink.execution.out_of_core import OutOfCoreWorkers
from factlink.execution.workers import HERE
from factlink.types import Floats, Ints
from tests.execution.test_workers import fit


def rows_of(numbers: Ints, dim: int) -> Floats:
    return np.repeat(numbers.astype(np.float32)[:, None], dim, axis=1)


@pytest.fixture
def out_of_core(tmp_path: Path) -> OutOfCoreWorkers:
    return OutOfCoreWorkers(3, tmp_path)


def test_a_fit_on_disk_gives_the_bytes_of_one_in_memory(out_of_core: OutOfCoreWorkers) -> None:
    memory, disk = fit(HERE), fit(out_of_core)
    assert memory.pairs.rights.tobytes() == disk.pairs.rights.tobytes()
    assert memory.probabilities.tobytes() == disk.probabilities.tobytes()


def test_a_matrix_is_mapped_and_a_column_is_not(out_of_core: OutOfCoreWorkers) -> None:
    parts = [np.arange(0, 2), np.arange(2, 5), np.arange(5, 5)]
    matrix = out_of_core.stack(rows_of, parts, 2)
    assert matrix.tolist() == [[0, 0], [1, 1], [2, 2], [3, 3], [4, 4]]
    base = matrix.base
    while isinstance(base, np.ndarray):
        base = base.base
    assert isinstance(base, mmap.mmap) or isinstance(getattr(base, "obj", None), mmap.mmap)
    assert out_of_core.stack(np.negative, parts).tolist() == [0, -1, -2, -3, -4]


def test_what_is_written_to_a_mapped_matrix_stays_when_its_memory_is_let_go(out_of_core: OutOfCoreWorkers) -> None:
    matrix = out_of_core.stack(rows_of, [np.arange(100_000)], 2)
    for block in out_of_core.walk(matrix):
        np.add(block, 1, out=block)
    out_of_core.map(np.negative, [np.arange(2)])
    assert matrix[:, 0].tolist() == list(range(1, 100_001))


def test_the_files_have_no_names(out_of_core: OutOfCoreWorkers, tmp_path: Path) -> None:
    matrix = out_of_core.stack(rows_of, [np.arange(4)], 3)
    assert matrix.shape == (4, 3)
    assert list(tmp_path.iterdir()) == []


def test_no_rows_are_a_matrix_too(out_of_core: OutOfCoreWorkers) -> None:
    assert out_of_core.stack(rows_of, [np.arange(0)], 3).shape == (0, 3)
