"""The default linker within one network."""

from dataclasses import dataclass
from typing import ClassVar

from factlink.candidates.reordered import Reordered
from factlink.canonical.networks import in_canonical_order
from factlink.canonical.orders import Orders
from factlink.errors import InputError
from factlink.execution.workers import HERE
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.within.fit import WithinFit
from factlink.linkers.factoid.within.scorer import WithinScorer
from factlink.types import NO_PAIRS, Network, Pairs


@dataclass(frozen=True, slots=True)
class WithinLinker(FactoidSettings):
    """Finds several accounts of one person in one network, with the settings of `factoid`."""

    name: ClassVar[str] = "factoid"
    supervised: ClassVar[bool] = False

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[WithinScorer]:
        """Left and right are the same network; there are no known pairs."""
        if left is not right:
            raise InputError("duplicates are looked for in one network; to compare two, use link")
        return self.fit_within(left)

    def fit_within(self, network: Network) -> Reordered[WithinScorer]:
        """Pairs of users of one network; what is found depends on neither the order of rows nor on ids."""
        (ordered,) = in_canonical_order([network])
        scorer = WithinFit(self, ordered, HERE).run()
        return Reordered(scorer, network, network, Orders(ordered.order, ordered.order))
