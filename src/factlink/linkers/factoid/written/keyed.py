"""Tables of which a few rows are asked for again and again: an index finds them, however many there are."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from factlink.types import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """A table; the index of a column is made when it is first asked for."""

    frame: pl.DataFrame
    indexes: dict[str, tuple[Any, Ints]] = field(default_factory=dict)  # by column: hashes, rising, and rows

    def having(self, column: str, wanted: Iterable[pl.Series]) -> pl.DataFrame:
        """The rows that have one of some values in a column, in their order."""
        values = pl.concat([series.cast(self.frame.schema[column]) for series in wanted]).unique()
        if not len(values) or not self.frame.height:
            return self.frame.clear()
        hashes, rows = self._index(column)
        asked = values.hash().to_numpy()
        firsts, lasts = np.searchsorted(hashes, asked, "left"), np.searchsorted(hashes, asked, "right")
        counts = lasts - firsts
        places = np.repeat(firsts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        found = self.frame[np.sort(rows[places])]
        return found.filter(pl.col(column).is_in(values.implode()))

    def _index(self, column: str) -> tuple[Any, Ints]:
        if column not in self.indexes:
            hashes = self.frame[column].hash().to_numpy()
            order = np.argsort(hashes, kind="stable")
            self.indexes[column] = hashes[order], order
        return self.indexes[column]
