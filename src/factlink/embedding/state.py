"""What Algorithm 1 knows at the start of an iteration, and nothing more: enough to go on from there."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from factlink.embedding.objectives import Objective
from factlink.embedding.projections import Phi, start_phi
from factlink.embedding.sampling import Draw, generator
from factlink.embedding.settings import PROPAGATE, Settings
from factlink.types import Floats, Ints

Doubles = npt.NDArray[np.float64]

SMALL_START = 0.1


@dataclass(slots=True, eq=False)
class Trail:
    """Where watched users were, and how far each factoid has moved them."""

    rows: Ints  # (n_watched,)
    iterations: list[int] = field(default_factory=list)
    snapshots: list[Floats] = field(default_factory=list)  # each (n_watched, dim)
    users_moved: list[Floats] = field(default_factory=list)  # by objective: (n_factoids,) how far its user
    objects_moved: list[Floats] = field(default_factory=list)  # by objective: (n_factoids,) how far its followee


@dataclass(slots=True, eq=False)
class State:
    """Parameters and bookkeeping, changed in place."""

    iteration: int  # that comes next
    vectors: Floats  # (n_rows, dim)
    followees: Floats  # (n_rows, dim) the vectors when the pass began; (0, dim) where links see them as they are
    phis: list[Phi]  # by objective
    link_steps: Doubles  # (n_objectives,) step of a full link, NaN until it is known
    qualities: Doubles  # (n_objectives,) quality of links, NaN where it was not measured
    sums: Doubles  # (n_objectives,) losses of this pass so far
    losses: list[Doubles]  # by finished pass: mean loss of each objective
    trail: Trail


def start_state(objectives: list[Objective], n_rows: int, settings: Settings, watch: Ints) -> State:
    """Everything as it is before the first iteration."""
    training = settings.training
    phis = [
        start_phi(objective, n_rows, training.dim, settings.projection, settings.seed, place)
        for place, objective in enumerate(objectives)
    ]
    moved = [np.zeros(len(o) if len(watch) else 0, np.float32) for o in objectives]
    trail = Trail(watch, users_moved=moved, objects_moved=[part.copy() for part in moved])
    unknown = np.full(len(objectives), np.nan)
    vectors = _start_vectors(objectives, n_rows, settings)
    followees = np.zeros_like(vectors[: n_rows if settings.links.lagged else 0])
    return State(0, vectors, followees, phis, unknown, unknown.copy(), np.zeros(len(objectives)), [], trail)


def _start_vectors(objectives: list[Objective], n_rows: int, settings: Settings) -> Floats:
    """Zero, or small random vectors: without attributes, zero is a saddle point."""
    start = settings.training.start
    spread = 0.0 if start == PROPAGATE else float(start)
    if all(objective.is_link for objective in objectives):
        spread = spread or SMALL_START
    if spread == 0:
        return np.zeros((n_rows, settings.training.dim), np.float32)
    random = generator(settings.seed, Draw.START)
    return random.standard_normal((n_rows, settings.training.dim), np.float32) * np.float32(spread)
