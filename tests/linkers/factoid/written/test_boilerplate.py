"""Boilerplate of names, learned from what likely partners do not share."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.rows import GramCounts, Grams
from factlink.linkers.factoid.written.boilerplate import count_more, shared_less, weighed_anew
from factlink.types import Pairs


def test_what_only_one_partner_has_counts_less() -> None:
    left = csr_matrix(np.array([[1, 1, 0], [1, 0, 1]], np.float32))
    right = csr_matrix(np.array([[0, 1, 0], [0, 0, 1]], np.float32))
    factors = shared_less(left, right, Pairs(np.arange(2), np.arange(2)))
    usual = 2 / 3  # two shared of six
    assert_allclose(factors, [(3 * usual / 5 / usual) ** 2, 1, 1], rtol=1e-6)


def test_counts_rise_until_weights_are_so_much_smaller() -> None:
    counts = GramCounts(999, np.array([9, 9, 1, 9]))
    grams = Grams()
    raised = count_more(counts, grams, np.array([0, 2, 3]), np.array([0.5, 0.5, 0.0], np.float32))
    assert raised.counts[1] == 9
    assert raised.counts[2] == 1
    before, after = counts.weights(grams), raised.weights(grams)
    assert_allclose(after[0] / before[0], 0.5, atol=0.01)
    assert after[1] == before[1]
    assert 0 <= after[3] < 0.01


def test_rows_keep_their_length() -> None:
    rows = csr_matrix(np.array([[0.6, 0.8], [1, 0]], np.float32))
    found = weighed_anew(rows, np.array([0, 1], np.float32)).toarray()
    assert_allclose(found, [[0, 1], [1, 0]], atol=1e-6)
