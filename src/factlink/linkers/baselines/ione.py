"""`ione`: vectors of both networks in one space, held together by known pairs (the paper's SS2).

After Liu, Cheung, Li and Liao (IJCAI 2016). Certain, read in the authors' Java code: the update, its constants, and
that a known pair has one vector, one input and one output context for both its users, and that accounts of known
pairs are candidates for nobody else (here they rank last). The code's sigmoid, a table filled by integer
division, is mended here. The paper on factoid embedding adds pairs with the same username, screen name or picture;
that only values which one user of each network has count is our reading, for the paper does not say.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from factlink.candidates.reordered import Reordered
from factlink.embedding.walks.adjacency import is_directed, join_links
from factlink.embedding.walks.contexts import context_vectors
from factlink.embedding.walks.skip_gram import SkipGram, both_directions
from factlink.errors import SettingError
from factlink.factoids import build_table
from factlink.linkers.baselines.exact_pairs import exact_pairs
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.known_pairs import both_pairs, check_known, check_links
from factlink.linkers.vector_scorer import VectorScorer, unit_rows, without_taken
from factlink.types import NO_PAIRS, Follows, Ints, Network, Pairs


@dataclass(frozen=True, slots=True)
class IoneLinker:
    """Follower and followee contexts, tied at known pairs and, if wanted, at pairs of equal unique names.

    With the pairs of equal names the result measures mostly those (they score 1); without them, the links. A network is
    taken as directed, unless set, if any of its links is returned; one that is not has every link in both directions.
    """

    name: ClassVar[str] = "ione"
    supervised: ClassVar[bool] = True

    exact_pairs: bool = True
    directed: bool | None = None
    updates: int = 10_000_000  # drawn links of each network
    dim: int = 100
    negatives: int = 5
    rate: float = 0.025
    seed: int = 0

    def __post_init__(self) -> None:
        SkipGram(self.dim, self.negatives, self.rate)
        if self.updates < 1:
            raise SettingError(f"updates is {self.updates}; it must be at least 1")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[VectorScorer]:
        """Learns from links and known pairs; equal names alone are enough where there are some."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> VectorScorer:
        tied = both_pairs(known, exact_pairs(left, right, known)) if self.exact_pairs else known
        check_known(self.name, tied)
        check_links(self.name, left, right)
        table = build_table([replace(n, attributes={}) for n in (left, right)], {(left.name, right.name): tied})
        links = [self._joint_links(n, table.rows[n.name]) for n in (left, right)]
        training = SkipGram(self.dim, self.negatives, self.rate)
        vectors = unit_rows(context_vectors(links, table.n_rows, self.updates, training, self.seed))
        scorer = VectorScorer(left, right, vectors[table.rows[left.name]], vectors[table.rows[right.name]])
        are_known = (np.isin(np.arange(len(n)), rows) for n, rows in ((left, known.lefts), (right, known.rights)))
        return without_taken(scorer, *are_known)

    def _joint_links(self, network: Network, rows: Ints) -> Follows:
        links = join_links(network.links)
        joint = Follows(rows[links.followers], rows[links.followees], links.weights)
        directed = is_directed(links) if self.directed is None else self.directed
        return joint if directed else both_directions(joint)
