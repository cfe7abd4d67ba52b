"""The fitted state of a run on disk: plain memory-mapped arrays, and words.

RUN/space/space.json    what the arrays mean
RUN/space/*.npy         vectors as float16; neighbours, n-gram counts and scaling
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.errors import RunError
from factlink.protocols import FittedState
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import SPACE, check_files
from factlink.storage.arrays import write_array

WORDS = "space.json"


def save_state(run: Path, state: FittedState) -> None:
    """Writes the fitted state of a scorer."""
    folder = run / SPACE
    folder.mkdir()
    for name, array in state.arrays.items():
        _save(folder / f"{name}.npy", array)
    (folder / WORDS).write_text(json.dumps(state.words, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def load_state(run: Path, manifest: Manifest) -> FittedState:
    """The fitted state of a run; arrays stay on disk until they are used."""
    folder = run / SPACE
    check_files(run, [name for name in manifest.files if name.startswith(f"{SPACE}/")], manifest)
    if not (folder / WORDS).exists():
        raise RunError(f"run {run} keeps no space to add accounts to; link again with: factlink link LEFT RIGHT -o RUN")
    arrays = {file.stem: _load(file) for file in sorted(folder.glob("*.npy"))}
    return FittedState(arrays, json.loads((folder / WORDS).read_text(encoding="utf-8")))


def _save(file: Path, array: npt.NDArray[Any]) -> None:
    """An array that is all of another file is not written again where the disk allows that."""
    mapped = array.base if isinstance(array.base, np.memmap) else array
    if isinstance(mapped, np.memmap) and mapped.filename and _is_same(array, mapped):
        stored = Path(mapped.filename)
        if mapped.offset + array.nbytes == stored.stat().st_size:
            with suppress(OSError):
                os.link(stored, file)
                return
    write_array(file, array)


def _is_same(array: npt.NDArray[Any], mapped: npt.NDArray[Any]) -> bool:
    """Whether an array is what is mapped, not a view of it in another order."""
    layouts = [(a.dtype, a.shape, a.strides, a.ctypes.data) for a in (array, mapped)]
    return layouts[0] == layouts[1]


def _load(file: Path) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    return array
