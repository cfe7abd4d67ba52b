"""Parts of scores as columns, and how predicates are called in them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.evidence import PARTS, REST
from factlink.types import Ints, Kind, Network

SMALL = 1e-7
"""A part that weighs less than this is none."""
SHOWN = 200
"""Characters of an object that are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """The two objects of each part; None where a part has no two objects."""

    left: pl.Series | str | None = None
    right: pl.Series | str | None = None
    note: pl.Series | str | None = None


NOTHING = Met()


def meet_objects(left: pl.Series, right: pl.Series, note: pl.Series | None = None) -> Met:
    """Objects that met, each as far as it is shown."""
    return Met(left.str.slice(0, SHOWN), right.str.slice(0, SHOWN), note)


def part_frame(
    pairs: Ints, weights: npt.NDArray[Any], kind: str, predicate: pl.Series | str, met: Met = NOTHING
) -> pl.DataFrame:
    """Parts of one kind; those that weigh nothing are left out."""
    columns = {"kind": kind, "predicate": predicate, "left": met.left, "right": met.right, "note": met.note}
    frame = pl.DataFrame({"pair": pairs, "weight": np.asarray(weights, np.float64)}).with_columns(
        value.alias(name) if isinstance(value, pl.Series) else pl.lit(value, pl.String).alias(name)
        for name, value in columns.items()
    )
    kept = frame.filter(pl.col("weight").abs() > SMALL)
    return kept.select(pl.col(name).cast(dtype) for name, dtype in PARTS.items())


def join_parts(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """All parts, pair by pair in the order given."""
    return pl.concat([pl.DataFrame(schema=PARTS), *parts]).sort("pair", maintain_order=True)


def rest_of(scores: npt.NDArray[Any], parts: pl.DataFrame, predicate: str, kind: str = REST) -> pl.DataFrame:
    """What is left of each pair's score after its parts."""
    rest = np.asarray(scores, np.float64) - sum_parts(parts, len(scores))
    return part_frame(np.arange(len(scores)), np.where(np.isfinite(rest), rest, 0), kind, predicate)


def sum_parts(parts: pl.DataFrame, n_pairs: int) -> npt.NDArray[np.float64]:
    """(n_pairs,): the parts of each pair added up."""
    sums = np.bincount(parts["pair"].to_numpy(), parts["weight"].to_numpy(), minlength=n_pairs)
    return np.asarray(sums, np.float64)


def predicates_of(network: Network, kind: Kind, rows: Ints, objects: pl.Series) -> pl.Series:
    """The predicate by which each user has its object, the first of several."""
    asked = pl.DataFrame({"row": rows, "object": objects}).cast({"row": pl.Int64})
    owned = [
        pl.DataFrame({"row": a.rows, "object": a.objects})
        .cast({"row": pl.Int64})
        .join(asked, on=["row", "object"], how="semi")
        .with_columns(predicate=pl.lit(predicate))
        for predicate, a in network.attributes.items()
        if a.kind is kind
    ]
    schema = {"row": pl.Int64, "object": pl.String, "predicate": pl.String}
    known = pl.concat([pl.DataFrame(schema=schema), *owned]).unique(["row", "object"], keep="first")
    return asked.join(known, on=["row", "object"], how="left", maintain_order="left")["predicate"]


def both_predicates(left: pl.Series, right: pl.Series) -> pl.Series:
    """`username`, or `username · handle` where the two networks call it differently."""
    frame = pl.DataFrame({"left": left, "right": right})
    same = pl.when(pl.col("left") == pl.col("right")).then("left").otherwise(pl.format("{} · {}", "left", "right"))
    return frame.select(same.alias("predicate"))["predicate"]
