"""φ(x) = W x + b: how it starts, moves and stays Lipschitz."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.embedding.kernels import multiply
from factlink.embedding.objectives import Objective
from factlink.embedding.sampling import Draw, generator
from factlink.embedding.settings import Projection
from factlink.types import Floats, Ints


@dataclass(slots=True, eq=False)
class Phi:
    """The projection of one predicate: `linear` has a matrix and a bias, `free` a context row per user.

    With `bend` s above 0 it is tanh(s (W x + b)) / s, which changes distances by no more than W does.
    """

    matrix: Floats  # (dim, dim_o), or (0, 0)
    bias: Floats  # (dim,)
    contexts: Floats  # (n_rows, dim), or (0, dim)
    bend: float = 0.0

    def project(self, inputs: Floats, rows: Ints) -> Floats:
        """(n, dim): φ of the inputs; of users in `rows` where contexts are free."""
        if len(self.contexts):
            return self.contexts[rows]
        if not self.matrix.size:
            return inputs + self.bias
        out = np.empty((len(inputs), len(self.matrix)), self.matrix.dtype)
        multiply(inputs, np.ascontiguousarray(self.matrix.T), out)
        out += self.bias
        return np.asarray(np.tanh(self.bend * out) / self.bend, out.dtype) if self.bend else out

    def before_bend(self, brackets: Floats, projected: Floats) -> Floats:
        """∂f/∂(W x + b) from ∂f/∂φ: tanh′ is 1 − tanh²."""
        return np.asarray(brackets * (1 - (self.bend * projected) ** 2), brackets.dtype) if self.bend else brackets

    def back(self, brackets: Floats) -> Floats:
        """(n, dim_o): Wᵀ of each row, the step of the objects themselves."""
        if not self.matrix.size:
            return brackets
        out = np.empty((len(brackets), self.matrix.shape[1]), self.matrix.dtype)
        multiply(brackets, self.matrix, out)
        return out

    def update(self, brackets: Floats, inputs: Floats, settings: Projection) -> None:
        """One step of W and b along ∂f/∂W = Σ bracket xᵀ and ∂f/∂b = Σ bracket, then ‖W‖₂ ≤ bound again."""
        if self.matrix.size:
            slope = np.empty_like(self.matrix)
            multiply(np.ascontiguousarray(brackets.T), inputs, slope)
            self.matrix += np.float32(settings.rate) * slope
            limit_norm(self.matrix, settings.bound)
        if settings.bias and not len(self.contexts):
            self.bias += np.float32(settings.rate) * brackets.sum(0)


def start_phi(objective: Objective, n_rows: int, dim: int, settings: Projection, seed: int, place: int) -> Phi:
    """The projection before training.

    Attributes of equal dimension start with one isometry (the identity where nothing has to change), so that their
    objects stay comparable; each link predicate starts with a rotation of its own.
    """
    bias, no_matrix = np.zeros(dim, np.float32), np.zeros((0, 0), np.float32)
    no_contexts = np.zeros((0, dim), np.float32)
    if objective.is_link and settings.kind in ("identity", "free"):
        contexts = np.zeros((n_rows, dim), np.float32) if settings.kind == "free" else no_contexts
        return Phi(no_matrix, bias, contexts)
    dim_o = dim if objective.vectors is None else objective.vectors.shape[1]
    stream = (place,) if objective.is_link else ()
    random = generator(seed, Draw.PROJECTION, dim_o, *stream)
    if settings.start == "gaussian":
        wide = random.normal(0, 1 / dim, (dim, dim_o)) if objective.is_link else np.eye(dim, dim_o)
    elif dim_o == dim and not objective.is_link:
        wide = np.eye(dim)
    else:
        wide = isometry(dim, dim_o, random)
    matrix = np.ascontiguousarray(wide, np.float32)
    limit_norm(matrix, settings.bound)
    bend = float(np.sqrt(dim)) if objective.is_link and settings.kind == "tanh" else 0.0
    return Phi(matrix, bias, no_contexts, bend)


def isometry(n_out: int, n_in: int, random: np.random.Generator) -> npt.NDArray[np.float64]:
    """(n_out, n_in): a random matrix with orthonormal rows or columns, whichever are fewer."""
    tall = random.standard_normal((max(n_out, n_in), min(n_out, n_in)))
    q, r = np.linalg.qr(tall)
    q = q * np.sign(np.diag(r))  # without this the distribution is not uniform
    return q if n_out >= n_in else q.T


def spectral_norm(matrix: Floats) -> float:
    """‖W‖₂, exact: the root of the largest eigenvalue of the smaller of WᵀW and WWᵀ."""
    from scipy.linalg import eigh

    wide = matrix.astype(np.float64)
    gram = wide @ wide.T if wide.shape[0] <= wide.shape[1] else wide.T @ wide
    last = len(gram) - 1
    return float(np.sqrt(max(0.0, eigh(gram, eigvals_only=True, subset_by_index=[last, last])[0])))


def limit_norm(matrix: Floats, bound: float) -> None:
    """Shrinks the matrix in place until its spectral norm is at most the bound."""
    if np.isinf(bound):
        return
    norm = spectral_norm(matrix)
    if norm > bound:
        matrix *= np.float32(bound / norm)
