"""The protocols that the parts of factlink meet by."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy.typing as npt
import polars as pl

from factlink.execution.workers import Workers
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Network, Pairs


class Encoder(Protocol):
    """Stage 3: the distinct objects of a predicate, all networks, → (n, dim) unit rows; a zero row is no vector."""

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats: ...


class Scorer(Protocol):
    """What fitting gives: scores of left rows against every right row."""

    @property
    def left(self) -> Network: ...

    @property
    def right(self) -> Network: ...

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right), finite or −inf for what was not scored; higher is better."""
        ...


@runtime_checkable
class Shortlister(Protocol):
    """A scorer that knows a faster way to its best candidates than scoring every pair."""

    def candidates(self, k: int) -> Candidates: ...


@runtime_checkable
class Explainer(Protocol):
    """A scorer that can take its scores apart."""

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: those of pair i, left row `lefts[i]` with right row `rights[i]`, add up to its score."""
        ...


@runtime_checkable
class Placer(Protocol):
    """A scorer whose users stand in one space, near to whom they are held to be."""

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats]:
        """(len(lefts), dim) and (len(rights), dim): vectors of left and of right rows."""
        ...


class Linker(Protocol):
    """Settings, and how to fit them. Implementations are frozen dataclasses."""

    name: ClassVar[str]
    supervised: ClassVar[bool]

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Scorer: ...


@runtime_checkable
class Distributed(Protocol):
    """A linker whose heavy steps other machines can do."""

    def fit_over(self, workers: Workers, left: Network, right: Network, known: Pairs) -> Scorer: ...


@dataclass(frozen=True, slots=True, eq=False)
class FittedState:
    """What a scorer keeps so that further users find their place: arrays by name, and words that JSON can hold."""

    arrays: Mapping[str, npt.NDArray[Any]]
    words: Mapping[str, Any]


@runtime_checkable
class Stateful(Protocol):
    """A scorer whose finished space takes in further users."""

    def keep_state(self) -> FittedState: ...


@runtime_checkable
class Trainer(Protocol):
    """A linker that trains for long: it saves its state in a folder, continues from it, and tells how far it is."""

    def fit_resumably(
        self, left: Network, right: Network, known: Pairs, folder: Path, on_progress: Callable[[str], None]
    ) -> Scorer: ...
