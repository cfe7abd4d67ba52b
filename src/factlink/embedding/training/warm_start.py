"""The first passes of training in closed form: where users are before stochastic gradient descent begins.

While vectors are short σ(−v·φ) is ½ and negatives push all users equally, so that a pass over the attributes adds
a_u = rate/2 · Σ_o φ(o) to each user, and a pass over the links step/2 · Σ_j w_uj φ(v_j), v_j as the pass began. One
pass over the attributes, then one over everything for each hop: names come one link further with each.
"""

import numpy as np

from factlink.embedding.kernels import add_rows
from factlink.embedding.objectives import Objective
from factlink.embedding.projections import Phi
from factlink.embedding.state import State
from factlink.embedding.training.link_steps import full_step
from factlink.embedding.training.link_trust import CHUNK, neighbour_sums
from factlink.embedding.training.schedule import Schedule
from factlink.types import Floats


def start_propagated(schedule: Schedule, state: State) -> None:
    """Moves the vectors of a new state to where the closed-form passes end; W and b stay as they start."""
    parts = list(enumerate(zip(schedule.objectives, state.phis, strict=True)))
    own = np.zeros_like(state.vectors)
    for place, (objective, phi) in parts:
        if objective.vectors is not None:
            own += np.float32(full_step(schedule, state, place) / 2) * _object_sums(
                objective, objective.vectors, phi, own
            )
    state.vectors[...] = own
    for _ in range(schedule.settings.links.hops):
        moved = state.vectors + own
        for place, (objective, phi) in parts:
            if objective.is_link:
                seen = phi.project(state.vectors, np.arange(len(state.vectors)))
                moved += np.float32(full_step(schedule, state, place) / 2) * neighbour_sums(seen, objective)
        state.vectors[...] = moved


def _object_sums(objective: Objective, vectors: Floats, phi: Phi, like: Floats) -> Floats:
    """(n_rows, dim): Σ_o w φ(o) over the objects of every user."""
    sums = np.zeros_like(like)
    for first in range(0, len(objective), CHUNK):
        part = slice(first, first + CHUNK)
        objects = objective.objects[part]
        add_rows(sums, objective.users[part], objective.weights[part], phi.project(vectors[objects], objects))
    return sums
