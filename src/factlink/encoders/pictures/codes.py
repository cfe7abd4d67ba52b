"""Local descriptions of a picture → one vector that survives shifts, crops and changes of scale.

Each local description is compared with many fixed random directions; only near ones answer, and the answers are
summed over soft, overlapping quarters of the picture. Where a part has moved by a tenth, its answers stay the same.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from factlink.errors import SettingError
from factlink.types import Floats, Ints

N_CODES = 512
_CELLS = 2  # each way
_CELL_SPREAD = 0.3  # of the picture's side
LENGTH = N_CODES * _CELLS * _CELLS
DIMS = (256, 512, 1024, 2048)
_BLOCK = 4096  # rows at a time
_PRIOR_PICTURES = 10  # a mean of few pictures is mostly those pictures themselves


@dataclass(frozen=True, eq=False)
class Codebook:
    """Fixed random directions for local descriptions of one length; `threshold` in standard deviations."""

    directions: Floats  # (n_numbers, N_CODES)
    threshold: float

    def answers(self, descriptions: Floats, centres: Floats) -> Floats:
        """Summed answers (LENGTH,) of descriptions (n, n, n_numbers) that stand at `centres` × `centres`."""
        flat = descriptions.reshape(-1, descriptions.shape[-1])
        reach = self.threshold * np.linalg.norm(flat, axis=1, keepdims=True)
        answers = np.maximum(flat @ self.directions - reach, 0)
        pooled: Floats = _shares(centres.tobytes()).T @ answers  # (cells, N_CODES)
        return pooled.ravel()


@cache
def codebook(n_numbers: int, threshold: float) -> Codebook:
    """The codebook for descriptions of `n_numbers` numbers; the same in every run."""
    rng = np.random.default_rng(n_numbers)
    # Sets of directions at right angles cover the space more evenly than directions drawn one by one.
    frames = [np.linalg.qr(rng.standard_normal((n_numbers, n_numbers)))[0] for _ in range(-(-N_CODES // n_numbers))]
    directions = np.concatenate(frames, axis=1)[:, :N_CODES] * np.sqrt(n_numbers)
    return Codebook(directions.astype(np.float32), threshold)


@cache
def _shares(centres: bytes) -> Floats:
    """How much the description at each place belongs to each cell: (places, cells), rows sum to one."""
    middles = (np.arange(_CELLS) + 0.5) / _CELLS
    near = np.exp(-0.5 * ((np.frombuffer(centres, np.float32)[:, None] - middles) / _CELL_SPREAD) ** 2)
    near /= near.sum(axis=1, keepdims=True)
    shares: Floats = np.kron(near, near).astype(np.float32)
    return shares


def folded(answers: Floats, dim: int) -> Floats:
    """Answers (LENGTH,) as a unit vector of `dim` numbers: square roots, with random signs, folded together."""
    signed = np.sqrt(answers) * _signs()
    vector: Floats = signed.reshape(-1, dim).sum(axis=0)
    return vector / max(float(np.linalg.norm(vector)), 1e-30)


@cache
def _signs() -> Floats:
    return np.random.default_rng(LENGTH).choice(np.array([-1, 1], np.float32), LENGTH)


def require_dim(dim: int) -> None:
    """Raise unless vectors can be folded to `dim` numbers."""
    if dim not in DIMS:
        raise SettingError(f"dim {dim} is not one of {', '.join(map(str, DIMS))}")


def centred(vectors: Floats) -> Floats:
    """Unit rows less their common mean, unit again; zero rows stay zero. The order of rows changes no byte."""
    used = np.any(vectors != 0, axis=1)
    firsts, _ = distinct_rows(vectors)
    firsts = firsts[used[firsts]]  # equal pictures count once
    mean = _exact_sum(vectors, firsts) / (len(firsts) + _PRIOR_PICTURES)
    apart = np.zeros_like(vectors)
    for start in range(0, len(vectors), _BLOCK):
        rows = slice(start, start + _BLOCK)
        moved = vectors[rows] - mean  # float64
        lengths = np.sqrt(np.einsum("ij,ij->i", moved, moved))
        apart[rows] = moved * np.where(used[rows] & (lengths > 0), 1 / np.maximum(lengths, 1e-30), 0.0)[:, None]
    return apart


def _exact_sum(vectors: Floats, rows: Ints) -> npt.NDArray[np.float64]:
    """The sum of rows in whole multiples of 2⁻³², which is the same in any order."""
    total = np.zeros(vectors.shape[1], np.int64)
    for start in range(0, len(rows), _BLOCK):
        block = vectors[rows[start : start + _BLOCK]].astype(np.float64)
        total += np.round(block * 2**32).astype(np.int64).sum(axis=0)
    return total / 2**32


def distinct_rows(vectors: Floats) -> tuple[Ints, Ints]:
    """The first place of each distinct row, in the order of their bytes, and the number of every row among them."""
    as_bytes = np.ascontiguousarray(vectors).view(np.dtype((np.void, vectors.shape[1] * vectors.itemsize)))
    _, firsts, row_of = np.unique(as_bytes.ravel(), return_index=True, return_inverse=True)
    return firsts, row_of
