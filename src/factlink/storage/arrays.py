"""Arrays in files as numpy reads them.

Unlike with its own writers, the same named arrays give the same bytes, and errors say what the system refused, and of
which file.
"""

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.errors import os_error_at

Arrays = Mapping[str, npt.NDArray[Any]]

DAMAGED = (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError)
"""What reading a file that is not as it was written may raise."""


def write_arrays(path: Path, arrays: Arrays) -> None:
    """One uncompressed .npz file; members carry no date."""
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
            for name, array in arrays.items():
                with file.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)
    except OSError as error:
        raise os_error_at(path, error) from None


def write_array(path: Path, array: npt.NDArray[Any]) -> None:
    """One .npy file."""
    try:
        with path.open("wb") as file:
            by_python: Any = SimpleNamespace(write=file.write)  # into a file itself numpy writes without saying why not
            np.lib.format.write_array(by_python, np.ascontiguousarray(array), allow_pickle=False)
    except OSError as error:
        raise os_error_at(path, error) from None


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file; raises one of DAMAGED."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        if not isinstance(stored, np.lib.npyio.NpzFile):
            raise ValueError("one array instead of several")
        return dict(stored)
