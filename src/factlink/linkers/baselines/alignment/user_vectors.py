"""Users as vectors that both networks share: letters of their names, and walks to known pairs."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, diags

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.candidates.products import vector_products
from factlink.candidates.top_k import nearest_both_ways
from factlink.embedding.walks.adjacency import undirected
from factlink.encoders.transliteration import transliterate
from factlink.errors import InputError
from factlink.linkers.baselines.features.owned_objects import Owned, owned_objects
from factlink.types import Floats, Ints, Kind, Network, Pairs
from factlink.vectors import unit_rows

LANDMARKS = 1024
"""Columns that known pairs share, so that memory stays O(users); with more known pairs several share a column."""
MOST_STEPS, STILL = 100, 1e-5


@dataclass(frozen=True, slots=True, eq=False)
class UserVectors:
    """Unit rows of both networks; a zero row is a user of whom nothing is known."""

    lefts: Floats  # (n_left, dim)
    rights: Floats  # (n_right, dim)

    def cosines(self, pairs: CandidatePairs) -> Floats:
        """(n_pairs,)."""
        return vector_products(self.lefts, self.rights, pairs.lefts, pairs.rights)

    def mean_cosine(self) -> float:
        """Over all pairs of users."""
        return float(self.lefts.mean(axis=0, dtype=np.float64) @ self.rights.mean(axis=0, dtype=np.float64))


def join_vectors(parts: list[UserVectors]) -> UserVectors:
    """Vectors whose product is the mean of the parts' cosines."""
    share = np.float32(1 / np.sqrt(len(parts)))
    lefts, rights = ([getattr(part, side) * share for part in parts] for side in ("lefts", "rights"))
    return UserVectors(np.concatenate(lefts, axis=1), np.concatenate(rights, axis=1))


def near_pairs(parts: list[UserVectors], k: int, known: Pairs) -> CandidatePairs:
    """The k nearest of every user, both ways, by each kind of vector; and the known pairs."""
    n_left, n_right = len(parts[0].lefts), len(parts[0].rights)
    found = [nearest_both_ways(part.lefts, part.rights, k) for part in parts]
    return gather_pairs(n_left, n_right, [*found, (known.lefts, known.rights)])


def check_vectors(linker: str, parts: list[UserVectors]) -> None:
    """An error that names the linker if there is nothing to compare by."""
    if not parts:
        raise InputError(
            f"linker '{linker}' needs names in both networks (--kind COLUMN=name), "
            "or links in both and known pairs (--known PAIRS)"
        )


def name_vectors(left: Network, right: Network) -> UserVectors | None:
    """Counts of the letter pairs in a user's names, as unit rows; None if a network has no names."""
    from sklearn.feature_extraction.text import CountVectorizer

    owned = owned_objects(left, Kind.NAME), owned_objects(right, Kind.NAME)
    if not all(len(each.objects) for each in owned):
        return None
    names = transliterate(pl.concat([each.objects for each in owned])).str.to_lowercase()
    vectoriser = CountVectorizer(analyzer="char", ngram_range=(2, 2), dtype=np.float32)
    counts = vectoriser.fit_transform(names.to_list()).tocsc()
    inside = [" " not in pair.replace("\t", " ") for pair in vectoriser.get_feature_names_out()]
    counts = counts[:, np.flatnonzero(inside)].tocsr()
    n_left = len(owned[0].objects)
    lefts, rights = _by_user(counts[:n_left], owned[0], len(left)), _by_user(counts[n_left:], owned[1], len(right))
    return UserVectors(unit_rows(lefts), unit_rows(rights))


def _by_user(counts: csr_matrix, owned: Owned, n_users: int) -> Floats:
    """(n_users, n_columns): the counts of all objects of a user."""
    ones = np.ones(len(owned.owners), np.float32)
    owners = csr_matrix((ones, (owned.owners, owned.places)), shape=(n_users, counts.shape[0]))
    return np.asarray((owners @ counts).toarray(), np.float32)


def positions(left: csr_matrix, right: csr_matrix, known: Pairs, restart: float) -> UserVectors | None:
    """Walks with restart on links, ending at known pairs, as unit rows; None without known pairs or links."""
    if not len(known) or not left.nnz or not right.nnz:
        return None
    lefts, rights = _walks(left, known.lefts, restart), _walks(right, known.rights, restart)
    return UserVectors(unit_rows(lefts), unit_rows(rights))


def _walks(graph: csr_matrix, landmarks: Ints, restart: float) -> Floats:
    """(n_users, n_landmarks): r = (1 − restart)·P·r + restart·e, P the mean over neighbours."""
    chances, columns = mean_of_neighbours(graph).astype(np.float32), np.arange(len(landmarks)) % LANDMARKS
    ends = np.zeros((graph.shape[0], min(len(landmarks), LANDMARKS)), np.float32)
    ends[landmarks, columns] = restart
    reached = np.zeros_like(ends)
    for _ in range(MOST_STEPS):
        before, reached = reached, np.float32(1 - restart) * (chances @ reached) + ends
        if np.abs(reached - before).max() < STILL:
            break
    return reached


def friends_graph(network: Network) -> csr_matrix:
    """(n_users, n_users) ones where two users are linked, either way, by any predicate."""
    graph = undirected(network.links, len(network))
    graph.data[:] = 1
    return graph.astype(np.float64)


def mean_of_neighbours(graph: csr_matrix) -> csr_matrix:
    """Rows that sum to 1; empty ones for users without links."""
    totals = np.asarray(graph.sum(axis=1)).ravel()
    return (diags(1 / np.where(totals > 0, totals, 1)) @ graph).tocsr()
