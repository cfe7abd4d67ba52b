"""The pairs that an explanation is asked of, and what their channels say."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from factlink.candidates.pairs import gather_pairs
from factlink.linkers.factoid.channels.channel import Channel
from factlink.types import Floats, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Pairs of rows of two networks."""

    left: Network
    right: Network
    lefts: Ints
    rights: Ints

    @property
    def networks(self) -> tuple[Network, Network]:
        """The two networks."""
        return self.left, self.right

    @property
    def pairs(self) -> tuple[Ints, Ints]:
        """Left and right rows."""
        return self.lefts, self.rights

    @property
    def places(self) -> Ints:
        """0 … n − 1."""
        return np.arange(len(self.lefts))


def products_of(channel: Channel, asked: Asked) -> Floats:
    """(n,): how far the two of each pair agree, as a channel sees it."""
    wanted = gather_pairs(len(asked.left), len(asked.right), [(asked.lefts, asked.rights)])
    return channel.products(wanted)[wanted.places(asked.lefts, asked.rights)]


def lengths_of(rows: Any) -> npt.NDArray[np.float64]:
    """(n,) of each row, dense or sparse; 1 for a zero row, which has no parts."""
    squares = rows.power(2).sum(axis=1) if issparse(rows) else (rows * rows).sum(axis=1)
    lengths = np.sqrt(np.asarray(squares, np.float64).ravel())
    return np.where(lengths > 0, lengths, 1)
