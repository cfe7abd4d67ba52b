"""What persons are made from: ties between accounts of any networks, over one joint set of rows."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.types import Floats, Ints

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Accounts:
    """Accounts of one or more networks as joint rows, and what was compared."""

    networks: Ints  # (n_rows,) the network of each account, 0 … k − 1
    compared: Flags  # (k, k) symmetric: networks whose accounts were compared with each other
    single: Flags  # (k,) networks in which a person has one account at most

    def __len__(self) -> int:
        return len(self.networks)

    @classmethod
    def of_sizes(cls, sizes: list[int], pairs: list[tuple[int, int]], *, single: bool = True) -> "Accounts":
        """The accounts of some networks, one network after the other.

        (i, i) is a network compared with itself, in which a person may have several accounts.
        """
        compared = np.zeros((len(sizes), len(sizes)), np.bool_)
        for first, second in pairs:
            compared[first, second] = compared[second, first] = True
        return cls(np.repeat(np.arange(len(sizes)), sizes), compared, single & ~compared.diagonal())


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Pairs of accounts with the probability that they are one person, each pair once; all others have none."""

    firsts: Ints  # (n,) joint rows
    seconds: Ints  # (n,)
    probabilities: Floats  # (n,)
    linked: Flags  # (n,) pairs that were decided to be one person; the others only weigh for and against

    def __len__(self) -> int:
        return len(self.firsts)

    def some(self, chosen: Flags | Ints) -> "Ties":
        """Some of them."""
        return Ties(self.firsts[chosen], self.seconds[chosen], self.probabilities[chosen], self.linked[chosen])
