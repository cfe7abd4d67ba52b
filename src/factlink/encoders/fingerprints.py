"""What vectors are made from, as a short hash: the name to keep them under."""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import polars as pl

MAKERS = ("factlink", "anyascii", "numba", "numpy", "pillow", "polars", "rapidfuzz", "scipy")
"""Packages whose next version may make other vectors."""

_CHUNK = 65_536  # strings hashed at a time


def fingerprint(description: str, objects: Sequence[str] | pl.Series) -> str:
    """32 hex digits that change with the description of the encoding, the objects, their order and our versions.

    Objects that are paths of files count by their path; use `file_fingerprint` for what is in them.
    """
    digest = hashlib.blake2b(f"{versions_of(*MAKERS)}\0{description}\0".encode(), digest_size=16)
    strings = pl.Series("object", objects, dtype=pl.String)
    for first in range(0, len(strings), _CHUNK):
        some = strings.slice(first, _CHUNK)
        digest.update(some.str.len_bytes().to_numpy().astype(np.uint32).tobytes())
        digest.update(some.str.join("").item().encode())
    return digest.hexdigest()


def file_fingerprint(path: str | Path) -> str:
    """32 hex digits of what is in a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def folder_fingerprint(folder: str | Path) -> str:
    """32 hex digits of all files of a folder, with their names."""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return fingerprint("folder", [f"{path.relative_to(folder)} {file_fingerprint(path)}" for path in files])


@cache
def versions_of(*packages: str) -> str:
    """Installed packages with their versions, in one line."""
    return " ".join(f"{package}={_version(package)}" for package in packages)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
