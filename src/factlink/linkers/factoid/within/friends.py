"""Friends as evidence within one network: the neighbours of two users are the same rows, so they can be compared.

A user is a sparse row: for each link predicate and direction, the neighbours, each by log(n / how many have it). The
product of two rows is divided by their lengths, as in a cosine, but short rows count as longer ones: of two users who
follow one person and the same nothing follows.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, diags

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.canonical.hashes import mix
from factlink.types import Floats, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class FriendRows:
    """The neighbours of all users of a network."""

    rows: csr_matrix  # (n_users, n_predicates · 2 · n_users): followees, then followers, by predicate
    typical: float  # the median squared length of a row; a row of that length counts 1/√2 of its cosine

    @property
    def n_users(self) -> int:
        return int(self.rows.shape[0])

    def scaled(self, rows: csr_matrix) -> csr_matrix:
        """Rows whose products are shrunk cosines, below 1."""
        squares = np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
        factors = 1 / np.sqrt(np.maximum(squares + self.typical, 1e-9))
        return csr_matrix(diags(factors.astype(np.float32)) @ rows, dtype=np.float32)

    def crossed(self, donors: Ints, salt: int) -> csr_matrix:
        """Rows of decoys, each of several donors (n, n_donors): for every neighbour a die picks whose word counts.

        So neighbours of all donors always stay, and one in so many of those that a single donor has.
        """
        parts = []
        for place, owners in enumerate(donors.T):
            taken = self.rows[owners].tocoo()
            keys = taken.row.astype(np.uint64) << np.uint64(40) | taken.col.astype(np.uint64)
            kept = mix(keys ^ np.uint64(salt)) % np.uint64(donors.shape[1]) == place
            parts.append((taken.data[kept], taken.row[kept], taken.col[kept]))
        data, rows, columns = (np.concatenate(each) for each in zip(*parts, strict=True))
        return csr_matrix((data, (rows, columns)), shape=(len(donors), self.rows.shape[1]))

    def ties(self, rows: csr_matrix) -> "Ties":
        """Whom each row follows, and who follows it."""
        entries = rows.tocoo()
        others, is_out = entries.col % self.n_users, entries.col // self.n_users % 2 == 0
        out, back = (
            gather_pairs(rows.shape[0], self.n_users, [(entries.row[some], others[some])]) for some in (is_out, ~is_out)
        )
        return Ties(out, back)


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """Direct links: who follows whom."""

    out: CandidatePairs
    back: CandidatePairs

    def strengths(self, lefts: Ints, rights: Ints) -> Floats:
        """(n,): 1 where both follow each other, ½ where one follows the other, else 0."""
        met = (side.places(lefts, rights) >= 0 for side in (self.out, self.back))
        return np.asarray(sum(np.where(each, np.float32(0.5), np.float32(0)) for each in met), np.float32)


def read_friends(network: Network) -> FriendRows | None:
    """The neighbours of all users over all link predicates; None without links."""
    n = len(network)
    rows, columns = [], []
    for place, follows in enumerate(network.links.values()):
        for direction, (mine, theirs) in enumerate(
            ((follows.followers, follows.followees), (follows.followees, follows.followers))
        ):
            rows.append(np.asarray(mine, np.int64))
            columns.append(np.asarray(theirs, np.int64) + n * (2 * place + direction))
    if not sum(map(len, rows)):
        return None
    ends = np.concatenate(rows), np.concatenate(columns)
    matrix = csr_matrix((np.ones(len(ends[0]), np.float32), ends), shape=(n, 2 * n * len(network.links)))
    matrix.sum_duplicates()
    rarity = np.log(np.float32(n + 1) / np.maximum(np.bincount(matrix.indices, minlength=matrix.shape[1]), 1))
    matrix.data = rarity[matrix.indices].astype(np.float32)
    squares = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
    return FriendRows(matrix, float(np.median(squares[squares > 0])))
