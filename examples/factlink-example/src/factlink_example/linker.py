"""A linker that knows one thing: whether two users share a name."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.sparse import csr_array

import factlink as fl


@dataclass(frozen=True, slots=True)
class SameNameLinker:
    """Counts the names that two users share, whatever their case."""

    name: ClassVar[str] = "same-name"
    supervised: ClassVar[bool] = False
    weight: float = 1.0  # of one shared name

    def fit(self, left: fl.Network, right: fl.Network, known: fl.Pairs | None = None) -> "SameNameScorer":
        """A scorer; known pairs are not used."""
        owners = [_names(left), _names(right)]
        columns = {name: place for place, name in enumerate(sorted({name for pairs in owners for _, name in pairs}))}
        mine, theirs = (
            csr_array(
                (
                    np.full(len(pairs), self.weight, np.float32),
                    ([row for row, _ in pairs], [columns[n] for _, n in pairs]),
                ),
                shape=(len(network), len(columns)),
            )
            for pairs, network in zip(owners, (left, right), strict=True)
        )
        return SameNameScorer(left, right, mine, theirs)


@dataclass(frozen=True, eq=False, repr=False)
class SameNameScorer(fl.Scorer):
    """Users by names."""

    left: fl.Network
    right: fl.Network
    mine: csr_array  # (n_left, n_names)
    theirs: csr_array  # (n_right, n_names)

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """A block: the given left rows against all right rows, never all left rows at once."""
        return np.asarray((self.mine[rows] @ self.theirs.T).toarray(), np.float32)


def _names(network: fl.Network) -> list[tuple[int, str]]:
    held = [attribute for attribute in network.attributes.values() if attribute.kind is fl.Kind.NAME]
    return sorted(
        {(int(row), text.lower()) for each in held for row, text in zip(each.rows, each.objects, strict=True)}
    )
