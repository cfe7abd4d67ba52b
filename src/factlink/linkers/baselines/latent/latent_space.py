"""Maps of two networks' vectors into one latent space, learned from known pairs and impostors.

    D(i, j) = |W_left x_i − W_right y_j|²
    min  mean of D(i, j) over known pairs + push · mean of loss(1 + D(i, j) − D(i, l)) over impostors l + penalty · |W|²

where half of the impostors l are of the right user and half, with D(l, j), of the left one. That ULink learns such maps
is certain [A]; a margin-based objective is recalled [R]; this exact form, the impostors and all constants are our own
[X].
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np

from factlink.types import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Maps:
    """One linear map for each network."""

    left: Floats  # (dim, n_columns)
    right: Floats  # (dim, n_columns)

    def plus(self, other: "Maps", times: float) -> "Maps":
        """self + times · other."""
        return Maps(self.left + np.float32(times) * other.left, self.right + np.float32(times) * other.right)

    def dot(self, other: "Maps") -> float:
        """The inner product of all entries."""
        return float(np.vdot(self.left, other.left) + np.vdot(self.right, other.right))


@dataclass(frozen=True, slots=True, eq=False)
class Triples:
    """Known pairs and the impostors of both their users."""

    lefts: Ints  # (n,)
    rights: Ints  # (n,)
    false_rights: Ints  # (n, m) impostors of the right users, compared with the left ones
    false_lefts: Ints  # (n, m) impostors of the left users, compared with the right ones


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What the maps should do."""

    left: Floats  # (n_left, n_columns)
    right: Floats  # (n_right, n_columns)
    triples: Triples
    push: float
    penalty: float

    def smooth(self, maps: Maps) -> tuple[float, Maps]:
        """Value and gradient with the squared hinge, without the penalty."""
        mapped = self._mapped(maps)
        grads = np.zeros_like(mapped[0]), np.zeros_like(mapped[1])
        value = _add_gradient(mapped, mapped, self._listed(), (self.push, True), grads)
        return float(value), self._pulled_back(grads)

    def smooth_value(self, maps: Maps) -> float:
        """The value alone, at half the cost."""
        mapped = self._mapped(maps)
        nothing = np.zeros((0, 0), np.float32)
        return float(_add_gradient(mapped, mapped, self._listed(), (self.push, True), (nothing, nothing)))

    def convex(self, maps: Maps, around: Maps) -> tuple[float, Maps]:
        """Value and subgradient with the hinge and the penalty; distances to impostors are tangents at `around`."""
        now, then = self._mapped(maps), self._mapped(around)
        grads = np.zeros_like(now[0]), np.zeros_like(now[1])
        value = _add_gradient(now, then, self._listed(), (self.push, False), grads)
        return float(value) + self.penalty * maps.dot(maps), self._pulled_back(grads).plus(maps, 2 * self.penalty)

    def _mapped(self, maps: Maps) -> tuple[Floats, Floats]:
        return self.left @ maps.left.T, self.right @ maps.right.T

    def _pulled_back(self, grads: tuple[Floats, Floats]) -> Maps:
        return Maps(grads[0].T @ self.left, grads[1].T @ self.right)

    def _listed(self) -> tuple[Ints, Ints, Ints, Ints]:
        triples = self.triples
        return triples.lefts, triples.rights, triples.false_rights, triples.false_lefts


@numba.njit(cache=True, fastmath=True)
def _distance(one: Any, other: Any) -> Any:
    total = np.float32(0)
    for d in range(len(one)):
        total += (one[d] - other[d]) ** 2
    return total


@numba.njit(cache=True, fastmath=True)
def _tangent(one: Any, other: Any, one_then: Any, other_then: Any) -> Any:
    """The tangent at |one_then − other_then|² of the squared distance, taken at one − other."""
    total = np.float32(0)
    for d in range(len(one)):
        then = one_then[d] - other_then[d]
        total += then * (2 * (one[d] - other[d]) - then)
    return total


@numba.njit(cache=True, fastmath=True)
def _pull(one: Any, other: Any, by: float, one_grad: Any, other_grad: Any) -> None:
    """Adds `by` times the gradient of |one − other|²."""
    for d in range(len(one)):
        move = np.float32(2 * by) * (one[d] - other[d])
        one_grad[d] += move
        other_grad[d] -= move


@numba.njit(cache=True)
def _add_gradient(now: Any, then: Any, triples: Any, loss: Any, grads: Any) -> float:
    """The objective at mapped vectors; its gradient by them is added to `grads`, if these have rows.

    Distances to impostors are tangents at `then`, and so exact where `then` is `now`.
    """
    (left, right), (left_then, right_then) = now, then
    lefts, rights, false_rights, false_lefts = triples
    (push, squared), (left_grad, right_grad) = loss, grads
    n, m = false_rights.shape
    each = push / (2 * n * m)
    value = 0.0
    for p in range(n):
        i, j = lefts[p], rights[p]
        near = _distance(left[i], right[j])
        value += near / n
        pulled = 1.0 / n
        for c in range(2 * m):
            a = i if c < m else false_lefts[p, c - m]
            b = false_rights[p, c] if c < m else j
            slack = 1 + near - _tangent(left[a], right[b], left_then[a], right_then[b])
            if slack > 0:
                value += each * (slack * slack if squared else slack)
                by = each * (2 * slack if squared else 1.0)
                pulled += by
                if len(left_grad):
                    _pull(left_then[a], right_then[b], -by, left_grad[a], right_grad[b])
        if len(left_grad):
            _pull(left[i], right[j], pulled, left_grad[i], right_grad[j])
    return value
