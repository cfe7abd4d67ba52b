"""One batch of the paper's objectives: its loss and what it moves.

For a factoid ⟨u_i, pred, o⟩ with negatives u_k, φ = W x + b of its object (equations 7 and 8)

    f        = log σ(v_i·φ) + Σ_k log σ(−v_k·φ)
    ∂f/∂v_i  = σ(−v_i·φ) φ            ∂f/∂v_k = −σ(v_k·φ) φ
    bracket  = σ(−v_i·φ) v_i − Σ_k σ(v_k·φ) v_k
    ∂f/∂W    = bracket xᵀ             ∂f/∂b   = bracket           links also: ∂f/∂v_j = Wᵀ bracket

All gradients of a batch are taken where the batch begins; then all of them are applied.
"""

from dataclasses import dataclass

import numpy as np

from factlink.embedding.kernels import BLOCK, add_rows, multiply, push_own, push_pool
from factlink.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Factoids of one predicate with their negatives."""

    users: Ints  # (n,)
    steps: Floats  # (n,) step size of each factoid
    negatives: Ints  # (n, count) own, or (pool,) shared
    count: int  # K: how much all negatives of a factoid count together


@dataclass(frozen=True, slots=True, eq=False)
class Pushes:
    """Where a batch pushes: step times gradient, ready to be added."""

    pulls: Floats  # (n,) along φ, for the users
    pushes: Floats  # (n, count) along φ, for own negatives; (pool, dim) whole moves of shared ones
    brackets: Floats  # (n, dim), or (0, 0) where they are not needed
    losses: Floats  # (n,) −f of each factoid, not weighted by its step


def measure_pushes(vectors: Floats, phi: Floats, batch: Batch, with_brackets: bool) -> Pushes:
    """Losses and gradients of a batch."""
    n, dtype = len(phi), vectors.dtype
    pulls, losses = np.empty(n, dtype), np.empty(n, dtype)
    brackets = np.empty(phi.shape if with_brackets else (0, 0), dtype)
    if batch.negatives.ndim == 2:
        pushes = np.empty(batch.negatives.shape, dtype)
        push_own(vectors, phi, batch.users, batch.negatives, batch.steps, (pulls, pushes, brackets, losses))
        return Pushes(pulls, pushes, brackets, losses)
    pool = vectors[batch.negatives]
    moves = np.empty((-(-n // BLOCK), *pool.shape), dtype)
    push_pool(vectors, phi, batch.users, pool, batch.steps, batch.count, (pulls, moves, brackets, losses))
    return Pushes(pulls, moves.sum(0), brackets, losses)


def apply_pushes(vectors: Floats, phi: Floats, batch: Batch, pushes: Pushes) -> None:
    """Moves users towards φ and negatives away from it, in place."""
    add_rows(vectors, batch.users, pushes.pulls, phi)
    if batch.negatives.ndim == 2:
        add_rows(vectors, batch.negatives.ravel(), pushes.pushes.ravel(), phi)
    else:
        add_rows(vectors, batch.negatives, np.ones(len(batch.negatives), vectors.dtype), pushes.pushes)


def step_softmax(vectors: Floats, phi: Floats, users: Ints, steps: Floats) -> Floats:
    """Moves all users along the gradient of log prob(u, pred, o), equation (1), in place; −log prob of each factoid.

    ∂/∂v_i = φ for the user itself, less prob(u', pred, o) φ for every user u'.
    """
    scores = np.empty((len(vectors), len(phi)), vectors.dtype)
    multiply(vectors, np.ascontiguousarray(phi.T), scores)
    scores -= scores.max(axis=0)
    own = scores[users, np.arange(len(users))]
    np.exp(scores, out=scores)
    totals = scores.sum(axis=0, dtype=np.float64).astype(vectors.dtype)
    scores *= -steps / totals
    moves = np.empty_like(vectors)
    multiply(scores, np.ascontiguousarray(phi), moves)
    vectors += moves
    add_rows(vectors, users, steps, phi)
    return np.asarray(np.log(totals) - own, vectors.dtype)
