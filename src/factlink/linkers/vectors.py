"""One space for two or more networks, and a scorer for any two of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from factlink.embedding.space import Space
from factlink.errors import SettingError
from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import Network


@dataclass(frozen=True, slots=True, eq=False)
class NetworkSpace:
    """One space for two or more networks; any two of them can be linked."""

    space: Space
    networks: Mapping[str, Network]  # by name

    def scorer(self, left: str, right: str) -> VectorScorer:
        """Scores of the users of one network against those of another."""
        for name in (left, right):
            if name not in self.networks:
                raise SettingError(f"no network is called '{name}'; there are: {', '.join(self.networks)}")
        return VectorScorer(self.networks[left], self.networks[right], self.space.of(left), self.space.of(right))
