"""Networks with links and known pairs alone: anchors grow, and users are told apart by their walks to them.

A user's profile is how strongly walks of one, two and three hops tie them to each anchor, to the power of ½, each hop
of the same length. The own anchor is left out, so that no pair vouches for itself. Pairs are compared by the cosines of
their profiles, less hubness (CSLS). Each round takes the mutual best pairs with the largest margin as further anchors,
1.3 times as many as before, until all mutual best pairs are anchors. An anchor is a guess that helps on average: about
half of them are wrong, and none is a link for being an anchor.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix, diags

from factlink.candidates.hubness import correct_pairs
from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.candidates.products import vector_products
from factlink.candidates.top_k import nearest_both_ways
from factlink.decision.channel_weights import rank_confident_pairs
from factlink.decision.overrides import without_rivals
from factlink.embedding.ridge import times
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.execution.workers import HERE, Workers
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.spreading.held_out import FEWEST, Grown
from factlink.linkers.factoid.spreading.matching import choose, with_known
from factlink.types import NO_PAIRS, Floats, Ints, Pairs
from factlink.vectors import unit_rows

_HOPS = 3
_POWER = 0.5  # of the chance that a walk ends at an anchor
_GROWTH = 1.3  # anchors of a round beside those of the one before
_DOUBT = 5.0  # neighbours that it takes until a profile counts half
_FOLDS = 3  # of known pairs, each of which is held out once
_NEAREST = 30  # candidates of either side
_ENTRIES = 200_000_000  # of the profiles of both networks, at most: fewer anchors where there are more users

Graphs = tuple[csr_matrix, csr_matrix]


@dataclass(frozen=True, slots=True, eq=False)
class Anchored:
    """Profiles of both networks by their ties to anchors, and the nearest pairs."""

    left: Floats  # (n_left, 3·n_anchors) unit rows
    right: Floats  # (n_right, 3·n_anchors)
    pairs: CandidatePairs
    anchors: Pairs

    def shrunk(self, graphs: Graphs) -> "Anchored":
        """Rows that are shorter for users with few neighbours, whose profiles agree by chance."""
        left, right = (
            rows * np.sqrt(degrees / (degrees + _DOUBT)).astype(np.float32)[:, None]
            for rows, degrees in zip((self.left, self.right), map(neighbour_counts, graphs), strict=True)
        )
        return replace(self, left=left, right=right)

    def grown(self, known: Pairs, held: Pairs = NO_PAIRS) -> Grown:
        """Candidate pairs with their evidence, known pairs without rivals."""
        parts = [(self.pairs.lefts, self.pairs.rights), (known.lefts, known.rights)]
        pairs = without_rivals(gather_pairs(self.pairs.n_left, self.pairs.n_right, parts), known)
        return Grown(pairs, vector_products(self.left, self.right, pairs.lefts, pairs.rights), known, held)

    def channel(self, known: Pairs, seed: int) -> Channel:
        """Cosines of profiles as evidence, weighed by how they rank known pairs."""
        ranking = rank_confident_pairs(self.left, self.right, known, seed)
        weighting = ChannelWeight(EvidenceSource.WALKS, "", "", ranking.weight, ranking.reason)
        return Channel(weighting, self.left, self.right)


def grow_anchors(graphs: Graphs, known: Pairs, workers: Workers = HERE) -> Anchored:
    """Profiles by known pairs and by as many others as are each other's first choice."""
    found, sizes = _look(graphs, known, known, workers), (graphs[0].shape[0], graphs[1].shape[0])
    most = max(len(known), _ENTRIES // (_HOPS * max(1, sum(sizes))))
    wanted, grows = float(len(known)), True
    while grows:
        wanted *= _GROWTH
        cosines = vector_products(found.left, found.right, found.pairs.lefts, found.pairs.rights)
        chosen = with_known(choose(found.pairs, correct_pairs(found.pairs, cosines)), known, sizes)
        clearest = np.sort(np.argsort(-chosen.margins, kind="stable")[: min(most, int(wanted))])
        grows = int(wanted) < min(most, len(chosen.pairs))
        found = _look(graphs, Pairs(chosen.pairs.lefts[clearest], chosen.pairs.rights[clearest]), known, workers)
    return found


def grow_folds(graphs: Graphs, known: Pairs, seed: int, workers: Workers = HERE) -> list[Grown]:
    """What anchors find that grow from known pairs without one fold, for each fold; nothing if few are known."""
    if len(known) < FEWEST:
        return []
    dealt, folds = np.random.default_rng(seed).permutation(np.arange(len(known)) % _FOLDS), []
    for fold in range(_FOLDS):
        kept, held = (Pairs(known.lefts[some], known.rights[some]) for some in (dealt != fold, dealt == fold))
        folds.append(grow_anchors(graphs, kept, workers).shrunk(graphs).grown(kept, held))
    return folds


def neighbour_counts(graph: csr_matrix) -> Ints:
    """(n_users,): how many neighbours each user has."""
    return np.asarray(np.diff(graph.indptr))


def _look(graphs: Graphs, anchors: Pairs, known: Pairs, workers: Workers) -> Anchored:
    left, right = walk_profiles(graphs[0], anchors.lefts), walk_profiles(graphs[1], anchors.rights)
    near = nearest_both_ways(left, right, _NEAREST, workers)
    pairs = gather_pairs(len(left), len(right), [near, (known.lefts, known.rights)])
    return Anchored(left, right, pairs, anchors)


def walk_profiles(graph: csr_matrix, anchors: Ints) -> Floats:
    """(n_users, 3·n_anchors) unit rows: √ of the ties of each user to each anchor over one, two and three hops.

    A hop divides a tie by the root of the degrees of both ends, so that hubs tie everybody weakly.
    """
    roots = diags(1 / np.sqrt(np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1e-9)))
    steps = (roots @ graph @ roots).tocsr().astype(np.float32)
    columns = np.arange(len(anchors))
    ties = np.zeros((graph.shape[0], len(anchors)), np.float32)
    ties[anchors, columns] = 1
    hops = []
    for _ in range(_HOPS):
        ties = times(steps, ties)
        others = ties.copy()
        others[anchors, columns] = 0
        hops.append(unit_rows(np.power(others, np.float32(_POWER), dtype=np.float32)))
    return unit_rows(np.concatenate(hops, axis=1))
