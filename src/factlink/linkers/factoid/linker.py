"""`factoid`, the default: channels of evidence weighed by how well they rank confident pairs, linked one to one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from factlink.candidates.reordered import Reordered
from factlink.execution.workers import HERE, Workers
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.factoid.fit import FactoidFit
from factlink.linkers.factoid.scorer import FactoidScorer
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.several import Places, fit_several
from factlink.types import NO_PAIRS, Network, Pairs


@dataclass(frozen=True, slots=True)
class FactoidLinker(FactoidSettings):
    """Finds its own weights, needs no labels, and uses known pairs if there are some."""

    name: ClassVar[str] = "factoid"
    supervised: ClassVar[bool] = False

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[FactoidScorer]:
        """Known pairs are linked from the start, and their users are candidates for nobody else."""
        return self.fit_over(HERE, left, right, known)

    def fit_over(self, workers: Workers, left: Network, right: Network, known: Pairs) -> Reordered[FactoidScorer]:
        """The same, to the byte, with the heavy steps done by workers."""

        def fit(lefts: Network, rights: Network, pairs: Pairs) -> FactoidScorer:
            return FactoidFit(self, lefts, rights, pairs, workers).run()

        return fit_by_content(fit, left, right, known)

    def fit_several(
        self,
        networks: Sequence[Network],
        pairs: Sequence[Places],
        known: Mapping[Places, Pairs],
        on_progress: Callable[[str], None] = lambda progress: None,
    ) -> dict[Places, Reordered[FactoidScorer]]:
        """Three networks or more: pairs of networks, each of which hears what the others say."""
        return fit_several(self, networks, pairs, known, on_progress)
