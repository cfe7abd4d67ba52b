"""64-bit hashes of strings, files and user contents; the same on every machine and in every version."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.types import Attribute, Kind, Network

Hashes = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]

_BATCH = 200_000  # strings whose letters are looked at together


def mix(values: Hashes) -> Hashes:
    """(n,): the finaliser of splitmix64, so that sums of mixed numbers distinguish sets."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def hash_strings(strings: pl.Series) -> Hashes:
    """(n,): FNV-1a of the UTF-8 bytes of each, mixed."""
    hashes = np.empty(len(strings), np.uint64)
    for start in range(0, len(strings), _BATCH):
        some = strings.slice(start, _BATCH)
        letters = np.frombuffer(bytearray(some.str.join("").item(), "utf-8"), np.uint8)
        ends = some.str.len_bytes().to_numpy().cumsum(dtype=np.int64)
        _hash_runs(letters, ends, hashes[start : start + _BATCH])
    return mix(hashes)


@cache
def salt(*words: str) -> np.uint64:
    """A number for what several hashes have in common, such as their predicate."""
    return np.uint64(hash_strings(pl.Series(["\x1f".join(words)], dtype=pl.String))[0])


def hash_contents(network: Network) -> Hashes:
    """(n_users,): the hash of all values of each user, in any order; ids and names of columns are not content.

    Paths of pictures are not content either, because folders move: the files of users who are otherwise equal are read.
    """
    hashes = np.zeros(len(network), np.uint64)
    for attribute in _with_kinds(network, pictures=False):
        values = hash_strings(attribute.objects)
        np.add.at(hashes, attribute.rows, mix(values + _hash_column(attribute.kind, values)))
    pictures = _with_kinds(network, pictures=True)
    equal = find_repeated(hashes) if pictures else np.zeros(len(network), np.bool_)
    for attribute in pictures:
        asked = np.flatnonzero(equal[attribute.rows])
        digests = _hash_files(attribute.objects.gather(asked))
        np.add.at(hashes, attribute.rows[asked], mix(digests + _hash_column(attribute.kind, digests)))
    return hashes


def hash_column(attribute: Attribute) -> int:
    """Of its kind and all its values, whatever their order; of pictures, how many there are."""
    if attribute.kind is Kind.IMAGE:
        return len(attribute.rows)
    return int(_hash_column(attribute.kind, hash_strings(attribute.objects)))


def _hash_column(kind: Kind, values: Hashes) -> np.uint64:
    return np.uint64(salt(kind) ^ mix(values).sum(dtype=np.uint64))


def find_repeated(hashes: Hashes) -> Flags:
    """(n,): which of the hashes occur more than once."""
    order = np.argsort(hashes)
    same = hashes[order][1:] == hashes[order][:-1]
    repeated = np.zeros(len(hashes), np.bool_)
    repeated[order[1:][same]] = True
    repeated[order[:-1][same]] = True
    return repeated


def count_distinct(hashes: Hashes) -> int:
    """How many different ones there are."""
    rising = np.sort(hashes)
    return int(np.count_nonzero(rising[1:] != rising[:-1])) + min(1, len(rising))


def _with_kinds(network: Network, *, pictures: bool) -> list[Attribute]:
    used = (each for each in network.attributes.values() if each.kind is not Kind.IGNORE and len(each.rows))
    return [each for each in used if (each.kind is Kind.IMAGE) is pictures]


def _hash_files(paths: pl.Series) -> Hashes:
    """(n,): of the bytes of each file; one number for all that cannot be read."""
    return np.array([_hash_file(Path(path)) for path in paths], np.uint64)


def _hash_file(path: Path) -> int:
    try:
        return int.from_bytes(hashlib.blake2b(path.read_bytes(), digest_size=8).digest(), "little")
    except OSError:
        return 0


@numba.njit(cache=True)
def _hash_runs(letters: Any, ends: Any, hashes: Any) -> None:
    for i in range(len(ends)):
        value = np.uint64(0xCBF29CE484222325)
        for place in range(ends[i - 1] if i else 0, ends[i]):
            value = (value ^ np.uint64(letters[place])) * np.uint64(0x100000001B3)
        hashes[i] = value
