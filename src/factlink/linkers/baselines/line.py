"""`line`: LINE vectors of both networks as one graph, in which a known pair is one user.

LINE after Tang et al. (WWW 2015) and its published code: drawn links, negatives ∝ degree^¾, a rate that falls linearly.
That the two networks are joined at known pairs is the remark of the paper on factoid embedding, whose follow loss
becomes LINE's second order once a user's vector and its projection are untied. Every link is taken in both directions
(our choice: a user who follows nobody would keep a random vector).
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from factlink.candidates.reordered import Reordered
from factlink.embedding.walks.adjacency import join_links
from factlink.embedding.walks.line import line_vectors
from factlink.embedding.walks.skip_gram import SkipGram
from factlink.errors import SettingError
from factlink.factoids import build_table
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.known_pairs import check_known, check_links
from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import NO_PAIRS, Network, Pairs
from factlink.vectors import unit_rows


@dataclass(frozen=True, slots=True)
class LineLinker:
    """First- or second-order proximity over the joint rows of both networks."""

    name: ClassVar[str] = "line"
    supervised: ClassVar[bool] = True

    order: int = 2
    passes: int = 100  # how often each link is drawn, on average
    dim: int = 100
    negatives: int = 5
    rate: float = 0.025
    seed: int = 0

    def __post_init__(self) -> None:
        SkipGram(self.dim, self.negatives, self.rate)
        if self.order not in (1, 2):
            raise SettingError(f"order is {self.order}; it is 1 or 2")
        if self.passes < 1:
            raise SettingError(f"passes is {self.passes}; it must be at least 1")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[VectorScorer]:
        """Learns from links and known pairs."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> VectorScorer:
        check_known(self.name, known)
        check_links(self.name, left, right)
        table = build_table([replace(n, attributes={}) for n in (left, right)], {(left.name, right.name): known})
        training = SkipGram(self.dim, self.negatives, self.rate)
        links = join_links(table.links)
        vectors = unit_rows(line_vectors(links, table.n_rows, self.order, self.passes, training, self.seed))
        return VectorScorer(left, right, vectors[table.rows[left.name]], vectors[table.rows[right.name]])
