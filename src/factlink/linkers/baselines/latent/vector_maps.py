"""Maps from one vector space to another, learned from pairs of vectors."""

from collections.abc import Callable

import numpy as np

from factlink.types import Floats

VectorMap = Callable[[Floats], Floats]
"""(n, dim) → (n, dim)."""

BATCH = 32
EPOCHS = 100
RATE = 0.01


def linear_map(inputs: Floats, outputs: Floats, penalty: float) -> VectorMap:
    """x ↦ x·W of least Σ‖x·W − y‖² + penalty·‖W‖², in closed form."""
    gram = inputs.T.astype(np.float64) @ inputs + penalty * np.eye(inputs.shape[1])
    weights = np.linalg.solve(gram, inputs.T.astype(np.float64) @ outputs).astype(np.float32)
    return lambda vectors: vectors @ weights


def network_map(inputs: Floats, outputs: Floats, seed: int) -> VectorMap:
    """x ↦ σ(x·A + a)·B + b, twice as wide inside, trained by Adam on Σ‖· − y‖²."""
    random = np.random.default_rng(seed)
    dim, width = inputs.shape[1], 2 * inputs.shape[1]
    parameters = [_uniform(random, dim, width), np.zeros(width), _uniform(random, width, dim), np.zeros(dim)]
    means, squares = [np.zeros_like(p) for p in parameters], [np.zeros_like(p) for p in parameters]
    n_steps = 0
    for _ in range(EPOCHS):
        order = random.permutation(len(inputs))
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            n_steps += 1
            for place, slope in enumerate(_slopes(parameters, inputs[batch], outputs[batch])):
                means[place] += 0.1 * (slope - means[place])
                squares[place] += 0.001 * (slope**2 - squares[place])
                mean, square = means[place] / (1 - 0.9**n_steps), squares[place] / (1 - 0.999**n_steps)
                parameters[place] = parameters[place] - RATE * mean / (np.sqrt(square) + 1e-8)
    return lambda vectors: np.asarray(_through(parameters, vectors)[1], np.float32)


def _uniform(random: np.random.Generator, n_in: int, n_out: int) -> Floats:
    bound = 1 / np.sqrt(n_in)
    return np.asarray(random.uniform(-bound, bound, (n_in, n_out)))


def _through(parameters: list[Floats], inputs: Floats) -> tuple[Floats, Floats]:
    """The activations of the hidden layer and the output."""
    hidden = 1 / (1 + np.exp(-(inputs @ parameters[0] + parameters[1])))
    return hidden, hidden @ parameters[2] + parameters[3]


def _slopes(parameters: list[Floats], inputs: Floats, outputs: Floats) -> list[Floats]:
    """The gradient of the mean squared distance of a batch."""
    hidden, found = _through(parameters, inputs)
    error = 2 * (found - outputs) / len(inputs)
    inner = (error @ parameters[2].T) * hidden * (1 - hidden)
    return [inputs.T @ inner, inner.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
