"""The channel of pictures: 0 unless both are the same picture, and less the more users hold it."""

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.candidates.products import vector_products
from factlink.decision.channel_weights import rank_confident_pairs
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels.channel import Channel
from factlink.types import Attribute, Floats, Ints, Pairs

SAME_PICTURE = 0.5
"""The lowest cosine of two copies of a picture; lower ones count 0."""

_SHARE_POWER = 0.5  # of the share of confident pairs that have the same picture


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


def picture_channel(predicates: tuple[str, str], rows: tuple[Floats, Floats], confident: Pairs, seed: int) -> Channel:
    """Same pictures or nothing: weighed by how they rank the confident pairs that have one, times √ of how many do."""
    lefts, rights = rows
    same = vector_products(lefts, rights, confident.lefts, confident.rights) >= SAME_PICTURE
    ranking = rank_confident_pairs(lefts, rights, Pairs(confident.lefts[same], confident.rights[same]), seed)
    share = float(same.mean()) if len(confident) else 0.0
    reason = f"{ranking.reason}, of the {share:.0%} that have the same picture"
    weighting = ChannelWeight(EvidenceSource.ATTRIBUTE, *predicates, ranking.weight * share**_SHARE_POWER, reason)
    return Channel(weighting, lefts, rights, least=SAME_PICTURE)
