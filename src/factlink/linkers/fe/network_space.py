"""One space for two or more networks, and a scorer for any two of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from factlink.embedding.space import Space
from factlink.errors import SettingError
from factlink.linkers.fe.explanation import space_pulls
from factlink.linkers.vector_scorer import VectorScorer, without_hubs, without_taken
from factlink.types import FactoidTable, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class NetworkSpace:
    """One space for two or more networks; any two of them can be linked."""

    space: Space
    networks: Mapping[str, Network]  # by name
    table: FactoidTable  # what was embedded
    less_hubness: bool = False  # whether a right user that is close to everyone scores less

    def scorer(self, left: str, right: str) -> VectorScorer:
        """Scores of the users of one network against those of another."""
        for name in (left, right):
            if name not in self.networks:
                raise SettingError(f"no network is called '{name}'; there are: {', '.join(self.networks)}")
        networks = self.networks[left], self.networks[right]
        pulls = partial(space_pulls, self.space, self.table, networks)
        scorer = VectorScorer(*networks, self.space.of(left), self.space.of(right), pulls)
        scorer = without_hubs(scorer) if self.less_hubness else scorer
        known_left, known_right = (np.isin(*rows) for rows in self._rows_of(left, right))
        return without_taken(scorer, known_left, known_right)

    def _rows_of(self, left: str, right: str) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints]]:
        rows = self.space.rows
        return (rows[left], rows[right]), (rows[right], rows[left])
