"""A map: users of some links in the plane, close where their vectors are similar."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from factlink.runs.folder.store import load_vectors
from factlink.types import Floats

LEAST = 8
"""Fewer links are not mapped."""


def map_links(run: Path, links: pl.DataFrame) -> list[dict[str, Any]] | None:
    """One record per link: x and y of both users; None if the linker keeps no vectors or there are too few links."""
    stored = load_vectors(run)
    if stored is None or len(stored[0]) < LEAST:
        return None
    places, left, right = stored
    plane = to_plane(np.concatenate([left, right]))
    pairs = links[places.tolist()].select("left", "right", "probability").to_dicts()
    ends = np.round(np.concatenate([plane[: len(left)], plane[len(left) :]], axis=1), 2).tolist()
    return [{**pair, "x": x, "y": y, "x2": x2, "y2": y2} for pair, (x, y, x2, y2) in zip(pairs, ends, strict=True)]


def to_plane(vectors: Floats) -> Floats:
    """(n, 2): t-SNE from the two main directions, the same every time."""
    from sklearn.manifold import TSNE

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1)
    perplexity = min(15.0, (len(units) - 1) / 3)
    return np.asarray(TSNE(perplexity=perplexity, init="pca", random_state=0, max_iter=500).fit_transform(units))
