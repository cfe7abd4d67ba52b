"""Small graphs written out by the test."""

from collections.abc import Sequence

import numpy as np

from factlink.types import Floats, Follows


def follows(*pairs: tuple[int, int], weights: Sequence[float] | None = None) -> Follows:
    ends = np.array(pairs, np.int32).reshape(-1, 2)
    return Follows(ends[:, 0], ends[:, 1], np.array(weights if weights else np.ones(len(pairs)), np.float32))


def two_cliques() -> Follows:
    """Rows 0-4 all know each other, rows 5-9 too, and one link joins the two."""
    inside = [(start + i, start + j) for start in (0, 5) for i in range(5) for j in range(i)]
    return follows(*inside, (4, 5))


def cosines(vectors: Floats) -> Floats:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T)


def apartness(vectors: Floats) -> float:
    """Mean cosine inside the cliques of `two_cliques` less that between them; 0 for random vectors."""
    table = cosines(vectors)
    return float((table[:5, :5].mean() + table[5:, 5:].mean()) / 2 - table[:5, 5:].mean())
