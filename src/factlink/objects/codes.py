"""Local descriptions of a picture → one vector that survives shifts, crops and changes of scale.

Each local description is compared with many fixed random directions; only near ones answer, and the answers are
summed over soft, overlapping quarters of the picture. Where a part has moved by a tenth, its answers stay the same.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from factlink.errors import SettingError
from factlink.types import Floats

N_CODES = 512
_CELLS = 2  # each way
_CELL_SPREAD = 0.3  # of the picture's side
LENGTH = N_CODES * _CELLS * _CELLS
DIMS = (256, 512, 1024, 2048)
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
    # Whole numbers add up to the same sum in any order; equal pictures count once.
    whole = np.round(np.unique(vectors[used], axis=0).astype(np.float64) * 2**32).astype(np.int64)
    mean = whole.sum(axis=0) / 2**32 / (len(whole) + _PRIOR_PICTURES)
    apart = np.where(used[:, None], vectors - mean, 0.0)
    lengths = np.sqrt(np.einsum("ij,ij->i", apart, apart))
    return (apart / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(np.float32)
