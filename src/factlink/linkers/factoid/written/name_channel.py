"""The channel of names where some have several readings."""

from dataclasses import dataclass

from factlink.candidates.pairs import CandidatePairs
from factlink.execution.workers import HERE, Workers, spans
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.written.versions import Versions, compare_versions, nearest_versions
from factlink.types import Floats, Ints, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class NameChannel(Channel):
    """Names as written in `left` and `right`; the best versions of two users count."""

    versions: tuple[Versions, Versions] | None = None

    def products(self, pairs: CandidatePairs | Pairs, workers: Workers = HERE) -> Floats:
        """(n_pairs,) between −1 and 1; 0 where one of the two has no name."""
        if self.versions is None:
            return Channel.products(self, pairs, workers)
        parts = [
            (pairs.lefts[start:stop], pairs.rights[start:stop]) for start, stop in spans(len(pairs), workers.parts)
        ]
        return workers.stack(compare_versions, parts, *self.versions)

    def propose(self, k: int, budget: int | None, workers: Workers = HERE) -> list[tuple[Ints, Ints]]:
        """Pairs that are near in another version than the names as written; none where there are no versions."""
        return [] if self.versions is None else [nearest_versions(*self.versions, k, budget, workers)]
