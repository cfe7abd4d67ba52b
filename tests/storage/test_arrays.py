"""Arrays in files: what is written is read again, and what the system refuses is said of the file."""

import errno
import resource
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from factlink.errors import describe_os_error
from factlink.execution.out_of_core import OutOfCoreWorkers
from factlink.storage.arrays import read_arrays, write_array, write_arrays

NUMBERS = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture
def at_most_1000_bytes() -> Iterator[None]:
    """Inside, no file may be longer."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("array", [NUMBERS, NUMBERS.T, NUMBERS[:, ::2], NUMBERS[:0], np.array(3)])
def test_an_array_is_read_as_it_was(array: np.ndarray, tmp_path: Path) -> None:
    write_array(tmp_path / "a.npy", array)
    found = np.load(tmp_path / "a.npy", allow_pickle=False)
    assert found.dtype == array.dtype
    assert found.ravel().tolist() == array.ravel().tolist()
    np.save(tmp_path / "b.npy", np.ascontiguousarray(array), allow_pickle=False)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


@pytest.mark.usefixtures("at_most_1000_bytes")
def test_a_limit_of_file_sizes_is_no_full_disk(tmp_path: Path) -> None:
    many = np.zeros(100_000)
    for write in (lambda: write_array(tmp_path / "a.npy", many), lambda: write_arrays(tmp_path / "a.npz", {"a": many})):
        with pytest.raises(OSError, match=r"a\.np") as refused:
            write()
        assert refused.value.errno == errno.EFBIG
        assert describe_os_error(refused.value).endswith("file too large; raise the limit of file sizes (ulimit -f)")


@pytest.mark.usefixtures("at_most_1000_bytes")
def test_a_matrix_that_is_too_large_for_its_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File too large") as refused:
        OutOfCoreWorkers(2, tmp_path).stack(lambda part: np.zeros((part, 10)), [10, 10_000])
    assert describe_os_error(refused.value).startswith(f"{tmp_path}: file too large")


def test_named_arrays_are_read_as_they_were(tmp_path: Path) -> None:
    write_arrays(tmp_path / "a.npz", {"numbers": NUMBERS, "nothing": NUMBERS[:0]})
    found = read_arrays(tmp_path / "a.npz")
    assert {name: array.tolist() for name, array in found.items()} == {"numbers": NUMBERS.tolist(), "nothing": []}
