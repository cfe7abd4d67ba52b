"""How pairs within one network are found and learned from."""

import numpy as np

from factlink.candidates.inverted_index import BUDGET, nearest_rows
from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.candidates.top_k import nearest_both_ways
from factlink.execution.workers import Workers
from factlink.linkers.factoid.probability.decoys import Breeder
from factlink.linkers.factoid.settings import FactoidSettings
from factlink.linkers.factoid.within.decoys import Search, breed
from factlink.linkers.factoid.within.evidence import Sources, add_decoy_gaps, add_gaps
from factlink.linkers.factoid.within.friends import read_friends
from factlink.linkers.factoid.within.learning import SAMPLE, Seen, learn
from factlink.linkers.factoid.within.own_channels import own_channels
from factlink.linkers.factoid.within.scorer import WithinScorer
from factlink.linkers.factoid.written.names import Names, read_names
from factlink.linkers.factoid.written.versions import nearest_to_versions
from factlink.types import Floats, Ints, Network

EXACT_PAIRS = 10_000_000
"""Pairs of users up to which all are compared; from there on by rare n-grams and rare friends alone."""

NEAREST_NAMES, NEAREST_FRIENDS, SAME_PICTURES = 20, 10, 3
"""Users with the nearest names, with the most friends in common and with the same picture that are looked at."""

_PICTURE_PAIRS = 400_000_000  # pairs of users up to which pictures propose any


class WithinFit:
    """The state of one fit."""

    def __init__(self, linker: FactoidSettings, network: Network, workers: Workers) -> None:
        self.linker, self.network, self.workers = linker, network, workers
        steps = linker.steps
        self.names = read_names(network, network, linker.dim, linker.seed, workers, readings=steps.readings)
        self.name_weights: Floats = np.ones(len(self.names.predicates) if self.names else 0, np.float32)
        own = own_channels(network, linker.seed, workers, linker.text_model) if steps.attributes else ()
        self.sources = Sources(
            self.names.channel(self.name_weights) if self.names else None,
            read_friends(network) if steps.links else None,
            {channel.weighting.left: channel for channel in own},
        )

    def run(self) -> WithinScorer:
        """The scorer of all pairs found."""
        rng, pairs = np.random.default_rng(self.linker.seed), self.find_pairs()
        users, rivals = add_gaps(pairs, self.sources.of_both_ways(pairs, self.workers))
        searches, n = self.searches, SAMPLE if self.linker.steps.null_model and len(pairs) else 0
        decoys = breed(self.breeder(self.names, pairs), self.sources.friends, searches, n, rng)
        theirs = add_decoy_gaps(decoys, self.sources.of_decoys(decoys, self.workers), rivals)
        found = learn(Seen(pairs, users, decoys, theirs), rng)
        return WithinScorer(self.network, self.network, pairs, users, found, self.sources)

    @property
    def searches(self) -> tuple[Search, Search]:
        """How names and friends are looked for; everybody finds itself first."""
        budget = None if len(self.network) ** 2 <= EXACT_PAIRS else BUDGET
        return (NEAREST_NAMES + 1, budget), (NEAREST_FRIENDS + 1, budget)

    def find_pairs(self) -> CandidatePairs:
        """Pairs with similar names, friends in common or the same picture, in both directions."""
        found, (by_name, by_friends) = [], self.searches
        named, friends = self.sources.named, self.sources.friends
        if named is not None:
            found.append(nearest_rows(named.left, named.right, *by_name, self.workers))
            if named.versions is not None:
                found.append(nearest_to_versions(*named.versions, (True, False), by_name, self.workers))
        if friends is not None:
            scaled = self.sources.scaled()
            found.append(nearest_rows(scaled, scaled, *by_friends, self.workers))
        pictures = [channel for channel in self.sources.attributes.values() if channel.least > 0]
        if len(self.network) ** 2 <= _PICTURE_PAIRS:
            found += [nearest_both_ways(c.left, c.right, SAME_PICTURES + 1, self.workers) for c in pictures]
        return both_ways(len(self.network), found)

    def breeder(self, names: Names | None, pairs: CandidatePairs) -> Breeder:
        """What crosses names."""
        channels = [self.sources.named] if self.sources.named is not None else []
        networks = self.network, self.network
        return Breeder(
            networks=networks,
            names=names,
            name_weights=self.name_weights,
            channels=channels,
            declared=None,
            pairs=pairs,
            search=self.searches[0],
        )


def both_ways(n: int, found: list[tuple[Ints, Ints]]) -> CandidatePairs:
    """Every pair of two users in both directions, and nobody with itself."""
    parts = []
    for lefts, rights in found:
        apart = lefts != rights
        parts += [(lefts[apart], rights[apart]), (rights[apart], lefts[apart])]
    return gather_pairs(n, n, parts)
