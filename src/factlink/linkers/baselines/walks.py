"""`walks`: users are embedded by random walks from known pairs; confident pairs become known in turn.

Our own, after ideas of PARROT (walks with restart from known pairs as positions), FINAL (agreement over the product of
both networks) and LightEA (self-training); it reproduces none of them. Uses links alone.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.candidates.hubness import less_hubness
from factlink.candidates.pairs import CandidatePairs
from factlink.candidates.reordered import Reordered
from factlink.embedding.walks.adjacency import undirected
from factlink.embedding.walks.visits import Visits, visit_lifts
from factlink.errors import SettingError
from factlink.evidence import FRIENDS, RIVALS
from factlink.explanations.frames import Met, join_parts, part_frame
from factlink.explanations.user_names import user_names
from factlink.linkers.baselines.features.similarities import SparseCosine, VectorCosine
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.known_pairs import both_pairs, check_known, check_links
from factlink.linkers.mutual_pairs import hubness, shortlist, surest_pairs
from factlink.protocols import Scorer
from factlink.types import NO_PAIRS, Floats, Ints, Network, Pairs

SHORTLIST = 30
DENSE = 1 / 8
"""The share of entries above which the cosines of full vectors are the faster ones."""


@dataclass(frozen=True, slots=True)
class WalkLinker:
    """Walks from all pairs → cosine less hubness → mutual best pairs, largest margin first → walks from them too.

    Half the rounds take ever more of the mutual best pairs, the other half all of them; nothing is drawn at random.
    """

    name: ClassVar[str] = "walks"
    supervised: ClassVar[bool] = True

    visits: Visits = field(default_factory=Visits)
    rounds: int = 6  # of finding pairs; 0 uses the known ones only
    hub_neighbours: int = 10

    def __post_init__(self) -> None:
        if self.rounds < 0 or not 1 <= self.hub_neighbours <= SHORTLIST:
            raise SettingError(
                f"rounds is {self.rounds} and hub_neighbours is {self.hub_neighbours}; "
                f"they must be at least 0 and from 1 to {SHORTLIST}"
            )

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> "Reordered[WalkScorer]":
        """Learns from known pairs and links."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> "WalkScorer":
        check_known(self.name, known)
        check_links(self.name, left, right)
        graphs = undirected(left.links, len(left)), undirected(right.links, len(right))
        pairs = known
        for round_ in range(self.rounds + 1):
            lefts = visit_lifts(graphs[0], pairs.lefts, self.visits)
            rights = visit_lifts(graphs[1], pairs.rights, self.visits)
            scorer, near, scores = self._meet(left, right, (lefts, rights), pairs)
            if round_ < self.rounds:
                found = surest_pairs(near, scores, known, share=min(1.0, 2 * (round_ + 1) / self.rounds))
                pairs = both_pairs(known, found)
        return scorer

    def _meet(
        self, left: Network, right: Network, visits: tuple[csr_matrix, csr_matrix], pairs: Pairs
    ) -> tuple["WalkScorer", CandidatePairs, Floats]:
        lefts, rights = visits
        similarity, reverse = _cosine(lefts, rights), _cosine(rights, lefts)
        forth = similarity.nearest(np.arange(len(left)), SHORTLIST)
        back = reverse.nearest(np.arange(len(right)), SHORTLIST)
        hubs = hubness(forth, self.hub_neighbours), hubness(back, self.hub_neighbours)
        return WalkScorer(left, right, similarity, *hubs, pairs), *shortlist(forth, back, *hubs)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WalkScorer(Scorer):
    """2·cosine − hubness of both (CSLS); users that no walk brings together are not scored."""

    left: Network
    right: Network
    similarity: SparseCosine | VectorCosine
    left_hubness: Floats  # (n_left,) mean cosine of the nearest right users
    right_hubness: Floats  # (n_right,)
    pairs: Pairs  # where the walks began

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        cosines = self.similarity.scores(rows)
        scores = less_hubness(cosines, self.left_hubness[rows][:, None], self.right_hubness)
        return np.where(cosines > 0, scores, np.float32(-np.inf))

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: the pairs from which walks reach both users, and the hubness of either."""
        mine, theirs = csr_matrix(self.similarity.left[lefts]), csr_matrix(self.similarity.right[rights])
        both, places = mine.multiply(theirs).tocoo(), np.arange(len(lefts))
        ends = self.pairs.lefts[both.col], self.pairs.rights[both.col]
        met = Met(user_names(self.left, ends[0]), user_names(self.right, ends[1]))
        walks = part_frame(both.row.astype(np.int64), 2 * both.data, FRIENDS, "walks from a pair", met)
        hubs = [
            part_frame(places, -hubness[rows], RIVALS, f"hubness in {network.name}")
            for network, hubness, rows in (
                (self.left, self.left_hubness, lefts),
                (self.right, self.right_hubness, rights),
            )
        ]
        return join_parts([walks, *hubs])


def _cosine(lefts: csr_matrix, rights: csr_matrix) -> SparseCosine | VectorCosine:
    if lefts.nnz + rights.nnz > DENSE * (lefts.shape[0] + rights.shape[0]) * lefts.shape[1]:
        return VectorCosine(lefts.toarray(), rights.toarray())
    return SparseCosine(lefts, rights)
