"""Users by their pictures, one that many hold saying little."""

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.types import Attribute, Floats, Ints


def picture_rows(left: Attribute, right: Attribute, sizes: tuple[int, int]) -> tuple[Floats, Floats]:
    """(n_left, dim) and (n_right, dim) rows of length up to 1, whose product falls as more users hold the picture."""
    from factlink.encoders.pictures.duplicates import picture_groups, picture_weights
    from factlink.encoders.pictures.images import ImageEncoder

    paths = pl.concat([left.objects, right.objects])
    distinct = paths.unique().sort()
    places = distinct.search_sorted(paths).to_numpy()
    vectors = ImageEncoder().encode(distinct.to_list())
    weights = picture_weights(picture_groups(vectors), np.bincount(places, minlength=len(distinct)))
    vectors *= np.sqrt(weights)[:, None]
    n = len(left.rows)
    return _sums(left, vectors, places[:n], sizes[0]), _sums(right, vectors, places[n:], sizes[1])


def _sums(attribute: Attribute, vectors: Floats, places: Ints, n_users: int) -> Floats:
    """Each user's pictures added up, no longer than 1."""
    ones = np.ones(len(places), np.float32)
    rows = np.asarray(csr_matrix((ones, (attribute.rows, places)), shape=(n_users, len(vectors))) @ vectors)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1), np.float32)
