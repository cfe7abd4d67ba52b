"""`pale`: each network in a space of its own, and a map between the spaces learned from known pairs.

After Man, Shen, Liu, Jin and Cheng (IJCAI 2016), by way of a published port: first-order vectors of each network; links
between known users copied to the other network (the paper's, commented out in the port); a map that is linear or has
one hidden layer of twice the width. Ours: vectors trained by drawn links in place of Adam, the linear map in closed
form with a penalty, and vectors normalised for the map only (the port does so in training too, an artefact that bounds
σ to .27–.73).
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from factlink.candidates.reordered import Reordered
from factlink.embedding.walks.adjacency import join_links
from factlink.embedding.walks.line import line_vectors
from factlink.embedding.walks.skip_gram import SkipGram
from factlink.errors import SettingError
from factlink.linkers.baselines.latent.vector_maps import VectorMap, linear_map, network_map
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.known_pairs import check_known, check_links
from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import NO_PAIRS, Floats, Follows, Ints, Network, Pairs
from factlink.vectors import unit_rows

PENALTY = 1.0
"""Of the linear map: as much as one known pair in each direction of the space."""

Mapping = Literal["linear", "mlp"]


@dataclass(frozen=True, slots=True)
class PaleLinker:
    """First-order vectors per network → map from left to right → cosine."""

    name: ClassVar[str] = "pale"
    supervised: ClassVar[bool] = True

    mapping: Mapping = "linear"
    extend_links: bool = True
    passes: int = 100  # how often each link is drawn, on average
    dim: int = 100
    negatives: int = 10
    rate: float = 0.025
    seed: int = 0

    def __post_init__(self) -> None:
        SkipGram(self.dim, self.negatives, self.rate)
        if self.mapping not in ("linear", "mlp"):
            raise SettingError(f"mapping is '{self.mapping}'; there are: linear, mlp")
        if self.passes < 1:
            raise SettingError(f"passes is {self.passes}; it must be at least 1")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[VectorScorer]:
        """Learns vectors from links, and the map from known pairs."""
        return fit_by_content(self._fit, left, right, known)

    def _fit(self, left: Network, right: Network, known: Pairs) -> VectorScorer:
        check_known(self.name, known)
        check_links(self.name, left, right)
        links = join_links(left.links), join_links(right.links)
        if self.extend_links:
            links = (
                _extended(links[0], links[1], known.rights, known.lefts, (len(right), len(left))),
                _extended(links[1], links[0], known.lefts, known.rights, (len(left), len(right))),
            )
        with ThreadPoolExecutor(2) as threads:
            lefts, rights = threads.map(self._embed, links, (len(left), len(right)))
        carry = self._map(lefts[known.lefts], rights[known.rights])
        carried = np.where(lefts.any(axis=1, keepdims=True), carry(lefts), 0)
        return VectorScorer(left, right, unit_rows(carried), rights)

    def _embed(self, links: Follows, n_users: int) -> Floats:
        training = SkipGram(self.dim, self.negatives, self.rate)
        return unit_rows(line_vectors(links, n_users, 1, self.passes, training, self.seed))

    def _map(self, lefts: Floats, rights: Floats) -> VectorMap:
        there = lefts.any(axis=1) & rights.any(axis=1)
        if self.mapping == "linear":
            return linear_map(lefts[there], rights[there], PENALTY)
        return network_map(lefts[there], rights[there], self.seed)


def _extended(own: Follows, other: Follows, others: Ints, owns: Ints, sizes: tuple[int, int]) -> Follows:
    """Own links and those that the other network has between users of known pairs, where they are new."""
    at_own = np.full(sizes[0], -1, np.int64)
    at_own[others] = owns
    followers, followees = at_own[other.followers], at_own[other.followees]
    copied = (followers >= 0) & (followees >= 0) & (followers != followees)
    codes = followers[copied] * sizes[1] + followees[copied]
    new = ~np.isin(codes, own.followers.astype(np.int64) * sizes[1] + own.followees)
    followers, followees = np.divmod(np.unique(codes[new]), sizes[1])
    return Follows(
        np.concatenate([own.followers, followers]).astype(np.int32),
        np.concatenate([own.followees, followees]).astype(np.int32),
        np.concatenate([own.weights, np.ones(len(followers), np.float32)]),
    )
