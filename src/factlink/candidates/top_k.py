"""Blocks of rows, and the exact k best right rows of every left row."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.candidates.products import sparse_products
from factlink.execution.workers import HERE, Workers, join, spans
from factlink.protocols import Scorer, Shortlister
from factlink.types import Candidates, Floats, Halves, Ints

BLOCK_ENTRIES = 8_000_000
"""Scores held at once: 32 MB of float32, whatever the sizes of the networks."""

WORK = 10_000
"""Products per left row that a sparse search may cost; with 40,000 made-up users and names from one letter up all would
be 500,000, and these lose none of the best rows and 2 in 10,000 of the 30 best."""


STRIP = 65_536
"""Stored vectors read at once."""


def blocks(n_rows: int, n_columns: int) -> Iterator[Ints]:
    """Rows 0..n_rows in runs whose score blocks stay under BLOCK_ENTRIES."""
    size = max(1, BLOCK_ENTRIES // max(1, n_columns))
    for start in range(0, n_rows, size):
        yield np.arange(start, min(start + size, n_rows))


def best_candidates(scorer: Scorer, k: int) -> Candidates:
    """The k best right rows of every left row, by the scorer's own short cut if it has one."""
    k = min(k, len(scorer.right))
    if isinstance(scorer, Shortlister):
        return scorer.candidates(k)
    parts = [best_of_block(scorer.scores(rows), k) for rows in blocks(len(scorer.left), len(scorer.right))]
    return stack(parts, k)


def stack(parts: list[Candidates], k: int) -> Candidates:
    """Candidates of consecutive blocks as one."""
    rights = np.concatenate([np.empty((0, k), np.int32), *(part.rights for part in parts)])
    return Candidates(rights, np.concatenate([np.empty((0, k), np.float32), *(part.scores for part in parts)]))


def best_of_block(scores: Floats, k: int) -> Candidates:
    """The k best columns of each row, best first; unscored ones (NaN, −inf) become −1."""
    scores = np.where(np.isnan(scores), -np.inf, scores)  # (block, n_right)
    if k == 1 < scores.shape[1]:
        rights = scores.argmax(axis=1)[:, None]  # the first of several that tie, as among more candidates
    elif k < scores.shape[1]:
        rights = np.argpartition(scores, -k, axis=1)[:, -k:]
        rights.sort(axis=1)
    else:
        rights = np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    best = np.take_along_axis(scores, rights, axis=1)
    order = np.argsort(-best, axis=1, kind="stable")
    return _without_unscored(np.take_along_axis(rights, order, axis=1), np.take_along_axis(best, order, axis=1))


def nearest_vectors(left: Floats, right: Floats, k: int) -> Candidates:
    """The k right vectors of largest inner product with each left vector, exactly."""
    import faiss

    k = min(k, len(right))
    if not len(left) or not k:
        return Candidates(np.empty((len(left), k), np.int32), np.empty((len(left), k), np.float32))
    scores, rights = faiss.knn(
        np.ascontiguousarray(left), np.ascontiguousarray(right), k, metric=faiss.METRIC_INNER_PRODUCT
    )
    return Candidates(rights.astype(np.int32), scores)


def nearest_stored(left: Floats, right: Sequence[Halves], k: int) -> Candidates:
    """The same for right vectors in consecutive arrays, which may be on disk: they are read in strips."""
    found = Candidates(np.empty((len(left), 0), np.int32), np.empty((len(left), 0), np.float32))
    room, first = np.empty((STRIP, left.shape[1]), np.float32), 0
    for strip in (part[start : start + STRIP] for part in right for start in range(0, len(part), STRIP)):
        room[: len(strip)] = strip
        near = nearest_vectors(left, room[: len(strip)], k)
        scores = np.concatenate([found.scores, near.scores], axis=1)
        rights = np.concatenate([found.rights, near.rights + np.int32(first)], axis=1)
        best = best_of_block(scores, min(k, scores.shape[1])).rights
        found = Candidates(np.take_along_axis(rights, best, axis=1), np.take_along_axis(scores, best, axis=1))
        first += len(strip)
    return found


def nearest_sparse(left: csr_matrix, right: csr_matrix, k: int) -> Candidates:
    """The k right rows of largest inner product with each sparse left row; those that share nothing are absent.

    Exact while the rows of a left row's entries hold fewer than WORK entries on average. Past that, columns that very
    many rows share choose nobody: 2k rows are chosen by the other columns, and the k best of them by all.
    """
    rare = _rare_columns(left, right)
    if rare.all():
        return _best_products(left, right, k)
    chosen = _best_products(_only(left, rare), _only(right, rare), 2 * k)
    lefts, places = np.nonzero(chosen.rights >= 0)
    chosen.scores[lefts, places] = sparse_products(left, right, lefts, chosen.rights[lefts, places])
    best = best_of_block(chosen.scores, min(k, right.shape[0]))
    rights = np.take_along_axis(chosen.rights, np.maximum(best.rights, 0), axis=1)
    return _without_unscored(rights, best.scores)


def _rare_columns(left: csr_matrix, right: csr_matrix) -> npt.NDArray[np.bool_]:
    """The columns of fewest products that together stay under WORK products per left row."""
    lefts, rights = (np.bincount(matrix.indices, minlength=matrix.shape[1]) for matrix in (left, right))
    work = lefts * rights
    order = np.argsort(work, kind="stable")
    rare = np.empty(len(work), np.bool_)
    rare[order] = work[order].cumsum() <= WORK * left.shape[0]
    return rare


def _only(matrix: csr_matrix, columns: npt.NDArray[np.bool_]) -> csr_matrix:
    """The matrix with entries in some columns alone."""
    kept = columns[matrix.indices]
    ends = np.concatenate([[0], kept.cumsum()])[matrix.indptr]
    return csr_matrix((matrix.data[kept], matrix.indices[kept], ends), shape=matrix.shape)


def _best_products(left: csr_matrix, right: csr_matrix, k: int) -> Candidates:
    """The k right rows of largest product with each left row, largest first."""
    import numba
    from sparse_dot_topn import sp_matmul_topn

    k = min(k, right.shape[0])
    products = sp_matmul_topn(left, right.T.tocsr(), top_n=k, sort=True, n_threads=numba.get_num_threads())
    filled = np.arange(k) < np.diff(products.indptr)[:, None]  # (n_left, k)
    rights, scores = np.full(filled.shape, -1, np.int32), np.full(filled.shape, -np.inf, np.float32)
    rights[filled], scores[filled] = products.indices, products.data
    return Candidates(rights, scores)


def _without_unscored(rights: Ints, scores: Floats) -> Candidates:
    return Candidates(np.where(np.isneginf(scores), -1, rights).astype(np.int32), scores.astype(np.float32))


def nearest_both_ways(left: Floats, right: Floats, k: int, workers: Workers = HERE) -> tuple[Ints, Ints]:
    """Pairs of rows: the k right vectors nearest to each left one and the k left nearest to each right one, exactly."""
    k_right, k_left = min(k, len(right)), min(k, len(left))
    every = list(blocks(len(left), len(right)))
    dealt = [every[start:stop] for start, stop in spans(len(every), workers.parts)]
    parts = [(some, left[_run(some)]) for some in dealt]
    found = workers.map(nearest_part, parts, right, (k_right, k_left))
    rights = join([rows for rows, _, _ in found])  # (n_left, k_right)
    lefts = _best_of_parts([scores for _, scores, _ in found], [rows for _, _, rows in found])  # (n_right, k_left)
    return (
        np.concatenate([np.repeat(np.arange(len(left), dtype=np.int32), k_right), lefts.ravel()]),
        np.concatenate([rights.ravel(), np.repeat(np.arange(len(right), dtype=np.int32), k_left)]),
    )


def nearest_part(part: tuple[list[Ints], Floats], right: Floats, k: tuple[int, int]) -> tuple[Ints, Floats, Ints]:
    """Of some left rows, block by block, the nearest right rows of each; and the best of them for every right row.

    Blocks are the same however they are dealt out: products of other shapes could differ in the last bit.
    """
    from factlink.candidates.heaps import keep_column_best, keep_row_best

    every, left = part
    best = np.full((len(right), k[1]), -np.inf, np.float32), np.full((len(right), k[1]), -1, np.int32)
    rights = [np.empty((0, k[0]), np.int32)]
    for rows in every:
        scores = left[rows - every[0][0]] @ right.T  # (block, n_right)
        rights.append(keep_row_best(scores, k[0]))
        keep_column_best(scores, int(rows[0]), *best)
    return np.concatenate(rights), *best


def _run(every: list[Ints]) -> slice:
    """The rows of blocks that follow each other."""
    return slice(int(every[0][0]), int(every[-1][-1]) + 1) if every else slice(0, 0)


def _best_of_parts(scores: list[Floats], rows: list[Ints]) -> Ints:
    """(n, k): the rows of the k best scores over all parts; of equal scores the first rows."""
    if len(rows) == 1:
        return rows[0]
    every, places = np.concatenate(scores, axis=1), np.concatenate(rows, axis=1)
    order = np.lexsort((places, -every), axis=1)[:, : rows[0].shape[1]]
    return np.take_along_axis(places, order, axis=1)
