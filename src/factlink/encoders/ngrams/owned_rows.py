"""What a user owns, summed up: n-gram rows and vectors of users from the rows of their names, nothing in between."""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.projection import add_direction
from factlink.encoders.ngrams.rows import columns_in_use
from factlink.execution.workers import HERE, Workers, cut, spans
from factlink.types import Floats, Ints
from factlink.vectors import sparse_rows

_CHUNK = 256  # users that share one set of scratch arrays


@dataclass(frozen=True, slots=True, eq=False)
class OwnedRows:
    """Sparse rows and who owns them: user u has rows `order[starts[u]:starts[u + 1]]`."""

    rows: csr_matrix  # (n_rows, n_columns)
    buckets: Ints  # (n_columns,): of each column, those that are in use alone
    order: Ints  # (n_rows,)
    starts: Ints  # (n_users + 1,)

    @classmethod
    def of(cls, rows: csr_matrix, owners: Ints, n_users: int) -> "OwnedRows":
        """Rows of buckets by their owners."""
        starts = np.concatenate([[0], np.bincount(owners, minlength=n_users).cumsum(dtype=np.int64)])
        return cls(*columns_in_use(rows), np.argsort(owners, kind="stable"), starts)

    @property
    def owners(self) -> Ints:
        """(n_rows,): whose each row is."""
        owners = np.empty(len(self.order), np.int64)
        owners[self.order] = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return owners

    def mean(self, dim: int, seed: int) -> Floats:
        """(dim,): what centring takes out of each projected row; of n rows (1 − 1/n) of their mean."""
        n_filled = int(np.count_nonzero(np.diff(self.rows.indptr)))
        totals = _column_sums(self.rows.indices, self.rows.data, self.rows.shape[1])
        filled = np.flatnonzero(totals)
        total = _project_totals(self.buckets[filled], totals[filled], dim, np.uint64(seed))
        return np.asarray(total / max(1, n_filled) * (1 - 1 / max(1, n_filled)), np.float32)

    def sums(self, weights: Floats, first: int, last: int) -> csr_matrix:
        """(last − first, n_columns): the direction of the weighted sum of rows of users first … last − 1."""
        return weighted_sums(self.rows, self.order, self.starts[first : last + 1], weights)

    def vectors(self, users: Ints, weights: Floats, mean: Floats, seed: int, workers: Workers = HERE) -> Floats:
        """(len(users), dim): the direction of each user's weighted sum of projected rows, centred, of unit length."""
        parts = cut(users, len(users), workers.parts)
        space = mean, seed, self.buckets
        return workers.stack(vectors_part, parts, self.rows, self.order, self.starts, weights, space)


def weighted_sums(rows: csr_matrix, order: Ints, starts: Ints, weights: Floats) -> csr_matrix:
    """(n, n_columns): the directions of weighted sums of rows; sum i is of `order[starts[i]:starts[i + 1]]`."""
    owned = rows.indptr, rows.indices, rows.data, order, starts, weights
    lengths = _count_sums(*owned)
    ends = np.concatenate([[0], lengths.cumsum(dtype=np.int64)])
    columns, values = np.empty(ends[-1], np.int32), np.empty(ends[-1], np.float32)
    _fill_sums(*owned, (ends, columns, values))
    return sparse_rows(values, columns, ends, rows.shape[1])


def vectors_part(
    users: Ints, rows: csr_matrix, order: Ints, starts: Ints, weights: Floats, space: tuple[Floats, int, Ints]
) -> Floats:
    """The vectors of some users; `space` is what was taken out of all, the seed of directions, the columns' buckets."""
    mean, seed, buckets = space
    vectors = np.zeros((len(users), len(mean)), np.float32)
    out = users, vectors, mean, np.uint64(seed), buckets
    _add_vectors(rows.indptr, rows.indices, rows.data, order, starts, weights, out)
    return vectors


@numba.njit(cache=True)
def _column_sums(columns: Any, values: Any, n_columns: int) -> Any:
    """Unlike `np.bincount` without a copy of both."""
    sums = np.zeros(n_columns, np.float64)
    for entry in range(len(columns)):
        sums[columns[entry]] += values[entry]
    return sums


@numba.njit(cache=True)
def _project_totals(buckets: Any, totals: Any, dim: int, seed: np.uint64) -> Any:
    vector: Any = np.zeros(dim, np.float64)
    for i in range(len(buckets)):
        add_direction(vector, buckets[i], totals[i], seed)
    return vector


@numba.njit(cache=True)
def _merge(first: Any, n_first: int, columns: Any, values: Any, weight: float, out: Any) -> int:
    """Writes the sum of a sparse row and weight × another to `out`; how many entries it has."""
    i, j, end = 0, 0, 0
    while i < n_first or j < len(columns):
        if j == len(columns) or (i < n_first and first[0][i] < columns[j]):
            out[0][end], out[1][end] = first[0][i], first[1][i]
            i += 1
        elif i == n_first or columns[j] < first[0][i]:
            out[0][end], out[1][end] = columns[j], weight * values[j]
            j += 1
        else:
            out[0][end], out[1][end] = columns[j], first[1][i] + weight * values[j]
            i += 1
            j += 1
        end += 1
    return end


@numba.njit(cache=True)
def _most_entries(ends: Any, order: Any, starts: Any, first: int, last: int) -> int:
    most = 0
    for user in range(first, last):
        entries = 0
        for place in range(starts[user], starts[user + 1]):
            entries += ends[order[place] + 1] - ends[order[place]]
        most = max(most, entries)
    return most


@numba.njit(cache=True)
def _sum_user(ends: Any, columns: Any, values: Any, order: Any, starts: Any, weights: Any, at: Any) -> Any:
    """The sum of the rows of user at[0] in one of the two scratch rows at[1], at[2]: (which, how many entries)."""
    user, some, other = at
    n = 0
    for place in range(starts[user], starts[user + 1]):
        row = order[place]
        if weights[row] > 0:
            first, last = ends[row], ends[row + 1]
            n = _merge(some, n, columns[first:last], values[first:last], weights[row], other)
            some, other = other, some
    return some, n


@numba.njit(cache=True, parallel=True)
def _count_sums(ends: Any, columns: Any, values: Any, order: Any, starts: Any, weights: Any) -> Any:
    n = len(starts) - 1
    lengths = np.zeros(n, np.int64)
    for chunk in numba.prange((n + _CHUNK - 1) // _CHUNK):
        first, last = chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)
        most = _most_entries(ends, order, starts, first, last)
        some = np.empty(most, np.int32), np.empty(most, np.float32)
        other = np.empty(most, np.int32), np.empty(most, np.float32)
        for user in range(first, last):
            lengths[user] = _sum_user(ends, columns, values, order, starts, weights, (user, some, other))[1]
    return lengths


@numba.njit(cache=True, parallel=True)
def _fill_sums(ends: Any, columns: Any, values: Any, order: Any, starts: Any, weights: Any, out: Any) -> None:
    n = len(starts) - 1
    for chunk in numba.prange((n + _CHUNK - 1) // _CHUNK):
        first, last = chunk * _CHUNK, min(n, (chunk + 1) * _CHUNK)
        most = _most_entries(ends, order, starts, first, last)
        some = np.empty(most, np.int32), np.empty(most, np.float32)
        other = np.empty(most, np.int32), np.empty(most, np.float32)
        for user in range(first, last):
            row, length = _sum_user(ends, columns, values, order, starts, weights, (user, some, other))
            norm = 0.0
            for j in range(length):
                norm += row[1][j] * row[1][j]
            start, scale = out[0][user], np.float32(1 / max(np.sqrt(norm), 1e-9))
            for j in range(length):
                out[1][start + j], out[2][start + j] = row[0][j], row[1][j] * scale


@numba.njit(cache=True, parallel=True)
def _add_vectors(ends: Any, columns: Any, values: Any, order: Any, starts: Any, weights: Any, out: Any) -> None:
    users, vectors, mean, seed, buckets = out
    for chunk in numba.prange((len(users) + _CHUNK - 1) // _CHUNK):
        vector = np.empty(len(mean), np.float32)
        for i in range(chunk * _CHUNK, min(len(users), (chunk + 1) * _CHUNK)):
            for place in range(starts[users[i]], starts[users[i] + 1]):
                row = order[place]
                if weights[row] > 0 and ends[row] < ends[row + 1]:
                    for d in range(len(mean)):
                        vector[d] = -mean[d]
                    for j in range(ends[row], ends[row + 1]):
                        add_direction(vector, buckets[columns[j]], values[j], seed)
                    _add_scaled(vectors[i], vector, weights[row] / max(_length(vector), np.float32(1e-12)))
            _scale(vectors[i], max(_length(vectors[i]), np.float32(1e-12)))


@numba.njit(cache=True)
def _add_scaled(sums: Any, vector: Any, scale: Any) -> None:
    for d in range(len(sums)):
        sums[d] += vector[d] * scale


@numba.njit(cache=True)
def _scale(vector: Any, length: Any) -> None:
    for d in range(len(vector)):
        vector[d] /= length


@numba.njit(cache=True)
def _length(vector: Any) -> Any:
    total = np.float32(0)
    for d in range(len(vector)):
        total += vector[d] * vector[d]
    return np.sqrt(total)


def owners_of_any(owned: OwnedRows, weights: Floats) -> npt.NDArray[np.bool_]:
    """(n_users,): who owns a row that counts."""
    counts = (weights > 0) & (np.diff(owned.rows.indptr) > 0)
    held = np.concatenate([[0], counts[owned.order].cumsum(dtype=np.int64)])
    return np.asarray(held[owned.starts[1:]] > held[owned.starts[:-1]])


def sum_by_owner(owners: Ints, vectors: Floats, n_users: int, workers: Workers = HERE) -> Floats:
    """(n_users, dim): the normalised sum of each user's vectors; zero for users without any. Owners are sorted."""
    parts = []
    for first, last in spans(n_users, workers.parts):
        owned = slice(*np.searchsorted(owners, [first, last]))
        parts.append((owners[owned] - first, vectors[owned], last - first))
    return workers.stack(sum_part, parts)


def sum_part(part: tuple[Ints, Floats, int]) -> Floats:
    """The same for some users: whose each vector is among them, the vectors, and how many they are."""
    owners, vectors, n_users = part
    sums = np.zeros((n_users, vectors.shape[1]), np.float32)
    _add_owned(owners, vectors, sums)
    return sums


@numba.njit(cache=True)
def _add_owned(owners: Any, vectors: Any, sums: Any) -> None:
    for i in range(len(owners)):
        _add_scaled(sums[owners[i]], vectors[i], np.float32(1))
    for user in range(len(sums)):
        _scale(sums[user], max(_length(sums[user]), np.float32(1e-12)))
