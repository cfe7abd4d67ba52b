"""Networks whose users say things in columns."""

import numpy as np
import polars as pl

from factlink.types import Attribute, Kind, Network

N = 60


def words(n: int, seed: int) -> list[str]:
    letters = np.random.default_rng(seed).integers(97, 123, (n, 10)).astype(np.uint8)
    return [row.tobytes().decode() for row in letters]


def network(name: str, handles: list[str], columns: dict[str, tuple[Kind, dict[int, str]]]) -> Network:
    attributes = {"username": Attribute(Kind.NAME, np.arange(len(handles)), pl.Series(handles))}
    for predicate, (kind, said) in columns.items():
        attributes[predicate] = Attribute(kind, np.array(sorted(said)), pl.Series([said[row] for row in sorted(said)]))
    return Network(name, pl.Series([f"{name}{row}" for row in range(len(handles))]), attributes, {})
