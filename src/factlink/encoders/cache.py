"""What was encoded, kept as files by what it was made from: within `caching(cache)` it is made once for many fits.

A file is written under another name until it is whole, holds its own fingerprint and checksums, and is made anew
where any of that is amiss; so a cache can be deleted, cut short or spoilt, and no result changes.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from factlink.encoders.fingerprints import fingerprint
from factlink.errors import BusyError
from factlink.storage.arrays import DAMAGED, Arrays, read_arrays, write_arrays
from factlink.storage.durable import replaced_file

PICTURES, SENTENCES, JARO_WINKLER, STRINGS = "pictures", "sentences", "jaro-winkler", "strings"
NEAREST_NAMES, WALKS = "nearest-names", "walks"
"""What is kept: by picture encoders, by sentence models, by fits to Jaro-Winkler, by n-grams of names and texts;
the nearest names by Jaro-Winkler; vectors of random walks."""

ROOM = 1 << 28
"""Bytes for all strings of a cache: n-grams are projected nearly as fast as disks write, so few are kept."""

_PRINT = "fingerprint"


@dataclass(slots=True, eq=False)
class EncoderCache:
    """The folder of kept vectors, further folders to search, and counts of hits and misses."""

    folder: Path | None  # None keeps nothing new
    elsewhere: Sequence[Path] = ()
    only: Sequence[str] = ()  # what is kept, like pictures; everything if empty
    room: int = ROOM  # bytes left for strings
    half: bool = False  # vectors are stored, and used by this run too, at the precision of float16
    made: set[str] = field(default_factory=set)  # names of files
    reused: set[str] = field(default_factory=set)

    def find(self, name: str) -> Arrays | None:
        """The entry of a name, here or in another folder; from there it is copied here."""
        own = [self.folder] if self.folder else []
        for folder in (*own, *self.elsewhere):
            found = _load(folder / name)
            if found is not None:
                self.reused |= {name} - self.made
                if self.folder and folder != self.folder:
                    _adopt(folder / name, self.folder / name, found)
                return found
        return None

    def keep(self, name: str, arrays: Arrays) -> None:
        """Puts arrays under a name; strings as long as there is room."""
        self.made.add(name)
        size = sum(array.nbytes for array in arrays.values()) if name.startswith(STRINGS) else 0
        if self.folder and size <= self.room:
            self.room -= size
            _save(self.folder / name, arrays)

    def tidy(self) -> None:
        """Removes unused and unfinished files."""
        if self.folder and self.folder.is_dir():
            for file in self.folder.iterdir():
                if file.name not in self.made | self.reused:
                    file.unlink()


_encoder_cache: ContextVar[EncoderCache | None] = ContextVar("cache of encoded vectors", default=None)


@contextmanager
def caching(encoder_cache: EncoderCache) -> Iterator[EncoderCache]:
    """Inside, what was encoded before, in this process or another, is read from the cache."""
    before = _encoder_cache.set(encoder_cache)
    try:
        yield encoder_cache
    finally:
        _encoder_cache.reset(before)


def is_cached(what: str) -> bool:
    """Whether there is a cache for this sort of objects."""
    encoder_cache = _encoder_cache.get()
    return encoder_cache is not None and (not encoder_cache.only or what in encoder_cache.only)


def make_once(what: str, description: str, objects: Sequence[str] | pl.Series, make: Callable[[], Arrays]) -> Arrays:
    """`make()`, from the cache if the same objects were encoded in the same way, described in words, before."""
    encoder_cache = _encoder_cache.get()
    if encoder_cache is None or not is_cached(what):
        return make()
    name = f"{what}-{fingerprint(f'{description}, float16' if encoder_cache.half else description, objects)}.npz"
    found = encoder_cache.find(name)
    if found is None:
        found = _as_type(make(), np.float32, np.float16) if encoder_cache.half else make()
        encoder_cache.keep(name, found)
    return _as_type(found, np.float16, np.float32) if encoder_cache.half else found


def _as_type(arrays: Arrays, old: type, new: type) -> Arrays:
    return {name: array.astype(new) if array.dtype == old else array for name, array in arrays.items()}


def _load(file: Path) -> Arrays | None:
    """The arrays of a file; None if it is not there, or not as it was written."""
    if not file.exists():
        return None
    try:
        arrays = read_arrays(file)
    except DAMAGED:
        return None
    return arrays if str(arrays.pop(_PRINT, "")) == file.stem else None


def _save(file: Path, arrays: Arrays) -> None:
    """A disk that is full costs the next run time, and this one nothing."""
    with suppress(OSError, BusyError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with replaced_file(file) as part:
            write_arrays(part, {_PRINT: np.array(file.stem), **arrays})


def _adopt(found: Path, file: Path, arrays: Arrays) -> None:
    """The same file in two folders, without a copy where the disk allows that."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        os.link(found, file)
    except OSError:
        _save(file, arrays)
