"""The default linker over three networks or more: pairs of networks are fitted apart, then each hears the others.

Each pair of networks has its own channels, weights and probabilities. What a third network says about two accounts is
one more channel of theirs, made from the first probabilities alone, and the decoys' probability model is learned
again with it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from scipy.sparse import csr_matrix

from factlink.candidates.reordered import Reordered
from factlink.canonical.colours import Crossing
from factlink.canonical.networks import in_canonical_order
from factlink.canonical.orders import Orders
from factlink.execution.workers import HERE
from factlink.linkers.factoid.fit import FactoidFit
from factlink.linkers.factoid.partners import partner_state
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.linkers.factoid.scorer import FactoidScorer
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.through import Elsewhere, ThroughChannel, propose_through, through_channel
from factlink.types import NO_PAIRS, Network, Pairs

Places = tuple[int, int]
"""Two networks by their places among all, left and right."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A pair of networks before it hears of others: the fit to go on with, and what it found alone."""

    fit: FactoidFit
    alone: Probabilities


def fit_several(
    linker: FactoidSettings,
    networks: Sequence[Network],
    places: Sequence[Places],
    known: Mapping[Places, Pairs],
    on_progress: Callable[[str], None],
) -> dict[Places, Reordered[FactoidScorer]]:
    """Scorers of the pairs of networks, in rows as given; rows in canonical order are those of all networks at once."""
    ordered = in_canonical_order(networks, [Crossing(*pair, pairs) for pair, pairs in known.items()])
    orders = {pair: Orders(ordered[pair[0]].order, ordered[pair[1]].order) for pair in places}
    names, fitted = [network.name for network in networks], {}
    for pair in places:
        on_progress(f"{names[pair[0]]} and {names[pair[1]]}")
        given = orders[pair].pairs(known.get(pair, NO_PAIRS))
        fitted[pair] = Fitted(*FactoidFit(linker, ordered[pair[0]], ordered[pair[1]], given, HERE).best_branch())
    said = {pair: partner_state(each.alone) for pair, each in fitted.items()}
    partners = {pair: each.partners[0] for pair, each in said.items()}
    partners |= {pair[::-1]: each.partners[1] for pair, each in said.items()}
    scorers = {}
    for pair in places:
        on_progress(f"{names[pair[0]]} and {names[pair[1]]}, with what the others say")
        scorer = _hear_others(fitted.pop(pair), pair, ordered, partners)
        heard = sum(channel.weight for channel in scorer.channels if isinstance(channel, ThroughChannel))
        scorer = replace(scorer, partners=replace(said[pair], weight=heard))
        scorers[pair] = Reordered(scorer, networks[pair[0]], networks[pair[1]], orders[pair])
    return scorers


def _hear_others(
    fitted: Fitted, pair: Places, networks: Sequence[Network], partners: Mapping[Places, csr_matrix]
) -> FactoidScorer:
    """The scorer with the channel of other networks; as it was where no other network links both."""
    left, right = pair
    others = [
        Elsewhere(network, partners[left, other], partners[right, other])
        for other, network in enumerate(networks)
        if (left, other) in partners and (right, other) in partners
    ]
    fit = fitted.fit
    if not others:
        return fit.scorer(fitted.alone)
    channel = through_channel(others, fit.confident, fit.linker.seed)
    fit.add([channel])
    if channel.weight:
        fit.grow(propose_through(others))
    return fit.scorer(fit.settle())
