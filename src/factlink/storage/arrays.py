"""Named arrays in one file, as numpy reads them; unlike with its own writer, the same arrays give the same bytes."""

import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Arrays = Mapping[str, npt.NDArray[Any]]

DAMAGED = (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError)
"""What reading a file that is not as it was written may raise."""


def write_arrays(path: Path, arrays: Arrays) -> None:
    """One uncompressed .npz file; members carry no date."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
        for name, array in arrays.items():
            with file.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file; raises one of DAMAGED."""
    with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
        if not isinstance(stored, np.lib.npyio.NpzFile):
            raise ValueError("one array instead of several")
        return dict(stored)
