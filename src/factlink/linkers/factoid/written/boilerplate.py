"""Boilerplate of names in these networks, learned: what one account of a likely pair has and the other has not.

`Rep`, `official` and `4congress` come and go between accounts of one person, the name itself stays. Runs of letters
that likely partners share less often than others count less, as if more users had them.
"""

import numpy as np
from scipy.sparse import csr_matrix

from factlink.candidates.hubness import correct_pairs
from factlink.candidates.pairs import CandidatePairs, mutual_best
from factlink.encoders.ngrams.rows import GramCounts, Grams
from factlink.types import Floats, Ints, Pairs

_DOUBT = 3.0  # users with a run of letters, as common as usual in both, counted before any was seen
_POWER = 2.0  # of how much less often than usual partners share it


def likely_pairs(pairs: CandidatePairs, products: Floats) -> Pairs:
    """Mutual best under CSLS, all of them: those who differ teach what may differ."""
    mutual = mutual_best(pairs, correct_pairs(pairs, products))
    return Pairs(pairs.lefts[mutual], pairs.rights[mutual])


def shared_less(left: csr_matrix, right: csr_matrix, likely: Pairs) -> Floats:
    """(n_columns,): 1 for what partners share as often as usual, less for what only one of them has."""
    mine, theirs = (rows[users] for rows, users in ((left, likely.lefts), (right, likely.rights)))
    mine.data, theirs.data = np.ones_like(mine.data), np.ones_like(theirs.data)
    n_columns = left.shape[1]
    either = np.bincount(mine.indices, minlength=n_columns) + np.bincount(theirs.indices, minlength=n_columns)
    both = np.bincount(mine.multiply(theirs).tocsr().indices, minlength=n_columns)
    usual = 2 * both.sum() / max(1, either.sum())
    shares = (2 * both + _DOUBT * usual) / (either + _DOUBT)
    return np.asarray(np.minimum(1, shares / max(usual, 1e-9)) ** _POWER, np.float32)


def count_more(counts: GramCounts, grams: Grams, buckets: Ints, factors: Floats) -> GramCounts:
    """Counts under which the weights of these buckets are so much smaller: as if more strings had them."""
    rarity = 1 + np.log((1 + counts.n_strings) / (1 + counts.counts[buckets]))
    more = (1 + counts.n_strings) * np.exp(1 - rarity * factors ** (1 / grams.rarity_power)) - 1
    raised = counts.counts.copy()
    raised[buckets] = np.where(raised[buckets] > 1, np.maximum(np.round(more), raised[buckets]), raised[buckets])
    return GramCounts(counts.n_strings, raised)


def weighed_anew(rows: csr_matrix, factors: Floats) -> csr_matrix:
    """Rows of unit length whose columns count so much less; rows of nothing else stay as they are."""
    values = rows.data * factors[rows.indices]
    owners = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    lengths = np.sqrt(np.bincount(owners, values.astype(np.float64) ** 2, minlength=rows.shape[0]))
    empty = lengths < 1e-6
    values = np.where(empty[owners], rows.data, values / np.maximum(lengths, 1e-6)[owners]).astype(np.float32)
    return csr_matrix((values, rows.indices, rows.indptr), shape=rows.shape)
