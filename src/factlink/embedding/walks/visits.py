"""Positions of users by landmarks: how often short random walks from each landmark visit them.

Random walks with restart, R = (1 − restart)·P·R + restart·S with P column-stochastic, `steps` rounds from R = S. Every
user keeps the `keep` landmarks that visit them most, at every step, so memory is O(users·keep) and time O(links·keep).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import get_num_threads, njit, prange
from scipy.sparse import csr_matrix, diags

from factlink.errors import SettingError
from factlink.types import Ints


@dataclass(frozen=True, slots=True)
class Visits:
    """How walks go, and how much of them each user keeps."""

    restart: float = 0.5
    steps: int = 3
    keep: int = 256

    def __post_init__(self) -> None:
        if not 0 <= self.restart < 1:
            raise SettingError(f"restart is {self.restart}; it is a probability below 1")
        if self.steps < 1 or self.keep < 1:
            raise SettingError(f"steps is {self.steps} and keep is {self.keep}; both must be at least 1")


def visit_lifts(graph: csr_matrix, landmarks: Ints, settings: Visits) -> csr_matrix:
    """(n_users, n_landmarks) unit rows of log(1 + n_users·visits), visits beside those of a walk to anywhere.

    `landmarks[i]` is the user that landmark *i* starts from. A user that no walk reaches has an empty row.
    """
    n_users = graph.shape[0]
    visits = _walk(graph, landmarks, settings)
    visits.data = np.log1p(n_users * visits.data)
    norms = np.sqrt(np.asarray(visits.multiply(visits).sum(axis=1)).ravel())
    return (diags(1 / np.where(norms > 0, norms, 1)) @ visits).astype(np.float32).tocsr()


def _walk(graph: csr_matrix, landmarks: Ints, settings: Visits) -> csr_matrix:
    """(n_users, n_landmarks) probabilities that a walk from the landmark is at the user."""
    n_users, n_landmarks = graph.shape[0], len(landmarks)
    degrees = np.asarray(graph.sum(axis=0)).ravel()
    chances = (graph @ diags(1 / np.where(degrees > 0, degrees, 1))).astype(np.float32).tocsr()
    ones = np.ones(n_landmarks, np.float32)
    starts = csr_matrix((ones, (landmarks, np.arange(n_landmarks))), shape=(n_users, n_landmarks))
    visits = starts
    for _ in range(settings.steps):
        moved, kept = (1 - settings.restart) * chances, settings.restart * starts
        visits = _step(moved.tocsr(), kept.tocsr(), visits, settings.keep)
    return visits


def _step(moved: csr_matrix, kept: csr_matrix, visits: csr_matrix, keep: int) -> csr_matrix:
    """moved @ visits + kept, the `keep` largest entries of each row."""
    n_users, n_landmarks = visits.shape
    keep = min(keep, n_landmarks)
    places = np.zeros((n_users, keep), np.int32)
    shares = np.zeros((n_users, keep), np.float32)
    counts = np.zeros(n_users, np.int32)
    tables = [(m.indptr, m.indices, m.data) for m in (moved, kept, visits)]
    _add_rows(tables[0], tables[1], tables[2], n_landmarks, get_num_threads(), (places, shares, counts))
    filled = np.arange(keep) < counts[:, None]  # (n_users, keep)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return csr_matrix((shares[filled], places[filled], starts), shape=visits.shape)


@njit(parallel=True, cache=True)
def _add_rows(moved: Any, kept: Any, visits: Any, n_landmarks: int, n_parts: int, out: Any) -> None:
    """One thread sums a whole row, so the result does not depend on how many there are."""
    places, shares, counts = out
    for part in prange(n_parts):
        sums = np.zeros(n_landmarks, np.float32)
        touched = np.empty(n_landmarks, np.int32)
        for user in range(part, len(counts), n_parts):
            n_touched = 0
            for link in range(moved[0][user], moved[0][user + 1]):
                friend, weight = moved[1][link], moved[2][link]
                for entry in range(visits[0][friend], visits[0][friend + 1]):
                    landmark, share = visits[1][entry], weight * visits[2][entry]
                    if sums[landmark] == 0 and share > 0:  # a share may be too small for a float
                        touched[n_touched] = landmark
                        n_touched += 1
                    sums[landmark] += share
            for entry in range(kept[0][user], kept[0][user + 1]):
                landmark = kept[1][entry]
                if sums[landmark] == 0 and kept[2][entry] > 0:
                    touched[n_touched] = landmark
                    n_touched += 1
                sums[landmark] += kept[2][entry]
            counts[user] = _take_largest(sums, np.sort(touched[:n_touched]), places[user], shares[user])


@njit(cache=True)
def _take_largest(sums: Any, touched: Any, places: Any, shares: Any) -> int:
    """Moves the largest sums into the row, by place, and clears all; the first of equal ones stay."""
    spare = len(touched) - len(places)
    bar = np.float32(-1) if spare <= 0 else np.partition(sums[touched], spare)[spare]
    equals = len(places)
    for landmark in touched:
        equals -= sums[landmark] > bar
    taken = 0
    for landmark in touched:
        if sums[landmark] > bar or (sums[landmark] == bar and equals > 0):
            equals -= sums[landmark] == bar
            places[taken] = landmark
            shares[taken] = sums[landmark]
            taken += 1
        sums[landmark] = 0
    return taken
