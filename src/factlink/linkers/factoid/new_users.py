"""Further users of one network: their neighbours among all, and their names."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from factlink.embedding.propagate import neighbour_matrix
from factlink.linkers.factoid.state import FactoidState
from factlink.types import Follows, Network


@dataclass(frozen=True, slots=True, eq=False)
class NewUsers:
    """New users of one side, and their neighbours among all users of that side, the new ones last."""

    side: int  # 0 left, 1 right
    network: Network  # the new users alone
    neighbours: csr_matrix  # (n_new, n_old + n_new)

    @classmethod
    def of(
        cls, state: FactoidState, side: int, network: Network, n_all: int, links: Mapping[str, Follows]
    ) -> "NewUsers":
        """New users with their links, in rows of all users of the side; a predicate counts what it counted."""
        weights = state.links.weights[side] if state.links else {}
        used = {predicate: follows for predicate, follows in links.items() if predicate in weights}
        values = [follows.weights * np.float32(weights[predicate]) for predicate, follows in used.items()]
        whole = neighbour_matrix(n_all, list(used.values()), values)
        return cls(side, network, whole[n_all - len(network) :])

    def __len__(self) -> int:
        return len(self.network)
