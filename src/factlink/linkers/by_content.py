"""Fitting in canonical order: what a linker finds depends on neither the order of rows nor on ids."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from factlink.candidates.reordered import Reordered, as_given
from factlink.canonical.colours import Crossing
from factlink.canonical.networks import in_canonical_order
from factlink.canonical.orders import Orders
from factlink.protocols import Scorer
from factlink.types import NO_PAIRS, Network, Pairs

S = TypeVar("S", bound=Scorer)
S_co = TypeVar("S_co", bound=Scorer, covariant=True)


class Prepared(Protocol[S_co]):
    """What a linker knows of two networks before it knows any pair."""

    def fit(self, known: Pairs) -> S_co: ...


def fit_by_content(
    fit: Callable[[Network, Network, Pairs], S], left: Network, right: Network, known: Pairs = NO_PAIRS
) -> Reordered[S]:
    """Fits networks and known pairs in canonical order; the result takes rows of `left` and `right`."""
    lefts, rights = in_canonical_order([left, right], [Crossing(0, 1, known)])
    orders = Orders(lefts.order, rights.order)
    return as_given(fit(lefts, rights, orders.pairs(known)), left, right, orders)


@dataclass(frozen=True, slots=True, eq=False)
class PreparedByContent(Generic[S]):
    """Prepared networks in canonical order, to be fitted to known pairs in the rows as given."""

    left: Network
    right: Network
    orders: Orders
    prepared: Prepared[S]

    def fit(self, known: Pairs) -> Reordered[S]:
        """Fits some known pairs."""
        return as_given(self.prepared.fit(self.orders.pairs(known)), self.left, self.right, self.orders)


def prepare_by_content(
    prepare: Callable[[Network, Network], Prepared[S]], left: Network, right: Network
) -> PreparedByContent[S]:
    """Prepares networks in canonical order."""
    lefts, rights = in_canonical_order([left, right])
    return PreparedByContent(left, right, Orders(lefts.order, rights.order), prepare(lefts, rights))
