"""The protocols that the parts of factlink meet by."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy.typing as npt
import polars as pl

from factlink.display import pairs_html
from factlink.evidence import PARTS
from factlink.execution.workers import Workers
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Network, Pairs


class Encoder(Protocol):
    """Stage 3: the distinct objects of a predicate, all networks, → (n, dim) unit rows; a zero row is not a vector."""

    def encode(self, objects: Sequence[str] | pl.Series) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class FittedState:
    """What a scorer keeps so that further users find their place: arrays by name, and words that JSON can hold."""

    arrays: Mapping[str, npt.NDArray[Any]]
    words: Mapping[str, Any]


class Scorer(ABC):
    """What fitting gives: scores of left rows against every right row, and what else the fit knows.

    Scores are all that a scorer must give. The other answers stand here for those who know no better, so whoever asks,
    or wraps a scorer, never looks for what it can do.
    """

    __slots__ = ()

    in_log_odds: ClassVar[bool] = False  # whether a score is log odds, and a part of 1 makes a pair e times likelier

    left: Network
    right: Network

    def __repr__(self) -> str:
        sides = " and ".join(f"{network.name} ({len(network):,} users)" for network in (self.left, self.right))
        return f"<{type(self).__name__} of {sides}>"

    def _repr_html_(self) -> str:
        users = {network.name: f"{len(network):,} users" for network in (self.left, self.right)}
        weights = getattr(self, "channel_weights", ())
        learned = {
            f"{w.source}: {' · '.join(dict.fromkeys(filter(None, (w.left, w.right))))}": f"{w.weight:.2f}"
            for w in weights
        }
        return pairs_html("A fitted scorer", users | learned)

    @abstractmethod
    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right), finite or −inf for what was not scored; higher is better."""

    def candidates(self, k: int) -> Candidates | None:
        """The k best right rows of every left row; None if scoring every pair is the only way to them."""
        return None

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: those of pair i, left row `lefts[i]` with right row `rights[i]`, add up to its score.

        No rows if the scorer cannot take its scores apart.
        """
        return pl.DataFrame(schema=PARTS)

    def false_link_range(self, probabilities: Floats) -> tuple[float, float] | None:
        """Between which shares links with these probabilities are likely to be false; None if it is not known."""
        return None

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats] | None:
        """(len(lefts), dim) and (len(rights), dim): vectors in one space, near to whom they are held to be; or None."""
        return None

    def keep_state(self) -> FittedState | None:
        """What takes in further users later, in the rows of the networks as given; None if nothing can."""
        return None


class Linker(Protocol):
    """Settings, and how to fit them. Implementations are frozen dataclasses."""

    name: ClassVar[str]
    supervised: ClassVar[bool]

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Scorer: ...


@runtime_checkable
class Distributed(Protocol):
    """A linker whose heavy steps other machines can do."""

    def fit_over(self, workers: Workers, left: Network, right: Network, known: Pairs) -> Scorer: ...


@runtime_checkable
class Trainer(Protocol):
    """A linker that trains for long: it saves its state in a folder, continues from it, and tells how far it is."""

    def fit_resumably(
        self, left: Network, right: Network, known: Pairs, folder: Path, on_progress: Callable[[str], None]
    ) -> Scorer: ...


@runtime_checkable
class Joint(Protocol):
    """A linker of three networks or more in one model; networks are given by their places."""

    def fit_several(
        self,
        networks: Sequence[Network],
        pairs: Sequence[tuple[int, int]],
        known: Mapping[tuple[int, int], Pairs],
        on_progress: Callable[[str], None],
    ) -> Mapping[tuple[int, int], Scorer]: ...
