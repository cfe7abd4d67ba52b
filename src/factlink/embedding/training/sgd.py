"""Algorithm 1 of the paper: objectives in turn, batch by batch, until convergence or the last pass."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from factlink.embedding.kernels import add_rows, single_blas
from factlink.embedding.model import Batch, apply_pushes, measure_pushes, step_softmax
from factlink.embedding.objectives import EQUAL, Objective, list_objectives
from factlink.embedding.sampling import Draw, generator, noise_of
from factlink.embedding.settings import Projection, Settings
from factlink.embedding.space import Space
from factlink.embedding.state import State, start_state
from factlink.embedding.training.checkpoints import Checkpoints
from factlink.embedding.training.link_steps import full_step
from factlink.embedding.training.schedule import Moment, Schedule
from factlink.embedding.training.warm_start import start_propagated
from factlink.errors import InputError
from factlink.types import FactoidTable, Floats, Ints
from factlink.vectors import row_lengths

SNAPSHOTS = 60


@dataclass(frozen=True, slots=True)
class Progress:
    """How far training is: a callback gets one after every iteration."""

    pass_: int  # from 1
    passes: int
    share: float  # of all iterations, 0 to 1
    losses: Mapping[str, float]  # mean −f of this pass by predicate, those with factoids so far
    factoids_per_second: float


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """Options that do not change the vectors: users to watch, checkpoints, progress."""

    watch: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    checkpoints: Checkpoints | None = None
    progress: Callable[[Progress], None] | None = None
    snapshots: int = SNAPSHOTS  # of the watched users, over the whole training


def embed_factoids(
    table: FactoidTable,
    vectors: Mapping[str, Floats],
    settings: Settings | None = None,
    options: Options | None = None,
    weights: Mapping[str, Floats] = EQUAL,
    train: Callable[[Schedule, State, Options], None] | None = None,
) -> Space:
    """One space for the users of all networks, from their factoids and the vectors of their objects.

    Objects with a zero vector, and predicates without vectors, push nobody. `weights` give by predicate what a factoid
    of each object counts, where that is not 1. `train` is how, in place of one batch after another in this process.
    """
    settings, options = settings or Settings(), options or Options()
    objectives = list_objectives(table, vectors, settings.links, settings.centre_objects, weights)
    if not objectives:
        raise InputError("there are no factoids to embed: no links and no attribute with vectors; add either")
    noises = [noise_of(objective, table.n_rows, settings.negatives) for objective in objectives]
    schedule = Schedule(objectives, noises, list(table.rows.values()), settings)
    if not settings.training.passes and not schedule.propagated:
        raise InputError(
            "there is no attribute to propagate, and links alone need training: passes is 0, use 1 or more"
        )
    with single_blas():
        state = start_state(objectives, table.n_rows, settings, options.watch)
        if schedule.propagated:
            start_propagated(schedule, state)
        (train or train_whole)(schedule, state, options)
    return Space.from_state(table, objectives, state)


def train_whole(schedule: Schedule, state: State, options: Options) -> None:
    """All passes, batch by batch, over all users."""
    if options.checkpoints:
        options.checkpoints.resume(state, schedule.objectives, schedule.settings)
    began, n_done = time.perf_counter(), 0
    while state.iteration < schedule.iterations and not has_converged(schedule, state):
        moment = schedule.moment(state.iteration)
        _watch(schedule, state, options.snapshots)
        if moment.number == 0 and len(state.followees):
            state.followees[...] = state.vectors
        n_done += iterate(schedule, state, moment)
        if moment.number == moment.n_batches - 1:
            close_pass(schedule, state)
        if options.progress:
            rate = n_done / max(time.perf_counter() - began, 1e-9)
            options.progress(progress_at(schedule, state, moment, rate))
        if options.checkpoints:
            options.checkpoints.save(state)
    _watch(schedule, state, options.snapshots)
    if options.checkpoints:
        options.checkpoints.save(state, now=True)


def iterate(schedule: Schedule, state: State, moment: Moment) -> int:
    """One batch of every objective in turn; how many factoids that were."""
    n_factoids = 0
    for place, objective in enumerate(schedule.objectives):
        if moment.warm and objective.is_link:
            continue
        factoids = schedule.batch(place, moment)
        if len(factoids):
            state.sums[place] += _step(schedule, state, place, factoids)
            n_factoids += len(factoids)
    state.iteration += 1
    return n_factoids


def _step(schedule: Schedule, state: State, place: int, factoids: Ints) -> float:
    """Moves everything that one batch of one objective moves; the sum of its losses."""
    objective, phi, settings = schedule.objectives[place], state.phis[place], schedule.settings
    objects = objective.objects[factoids]
    seen = objective.vectors if objective.vectors is not None else _followees(state)
    inputs = seen[objects]
    projected = phi.project(inputs, objects)
    steps = objective.weights[factoids] * np.float32(full_step(schedule, state, place))
    learns = _learns(settings.projection, objective, state.iteration)
    if settings.negatives.objects == "softmax" and not objective.is_link:
        losses = step_softmax(state.vectors, projected, objective.users[factoids], steps)
        return float(losses.sum(dtype=np.float64))
    drawn_at = 0 if settings.negatives.fixed and objective.is_link else state.iteration
    negatives = schedule.noises[place].draw(len(factoids), generator(settings.seed, Draw.NEGATIVES, place, drawn_at))
    batch = Batch(objective.users[factoids], steps, negatives, settings.negatives.count)
    rests = learns and settings.projection.learns == "in-turn"
    moves_objects = not rests and objective.is_link and (settings.links.move_followees or len(phi.contexts) > 0)
    pushes = measure_pushes(state.vectors, projected, batch, with_brackets=moves_objects or learns)
    if not rests:
        apply_pushes(state.vectors, projected, batch, pushes)
    brackets = phi.before_bend(pushes.brackets, projected) if len(pushes.brackets) else pushes.brackets
    moves = phi.back(brackets) if moves_objects else None
    if moves is not None:
        moved = phi.contexts if len(phi.contexts) else state.vectors
        add_rows(moved, objects, np.ones(len(objects), np.float32), moves)
    if learns:
        phi.update(brackets, inputs, settings.projection)
    _record(state, place, factoids, batch, pushes.pulls * row_lengths(projected), moves)
    return float(pushes.losses.sum(dtype=np.float64))


def _learns(projection: Projection, objective: Objective, iteration: int) -> bool:
    """Whether W and b of an objective move in an iteration."""
    wanted = projection.learns == "all" or objective.is_link
    return wanted and projection.rate > 0 and iteration % projection.every == 0


def _followees(state: State) -> Floats:
    """What links see of the users they point to."""
    return state.followees if len(state.followees) else state.vectors


def has_converged(schedule: Schedule, state: State) -> bool:
    """Whether the last full pass lowered the loss by less than the tolerance."""
    full = state.losses[schedule.warm_passes :]
    if len(full) < 2:
        return False
    before, after = float(full[-2].sum()), float(full[-1].sum())
    return before - after < schedule.settings.training.tolerance * abs(before)


def close_pass(schedule: Schedule, state: State) -> None:
    """Keeps the mean losses of a pass that is over."""
    counts = np.array([len(objective) for objective in schedule.objectives])
    state.losses.append(state.sums / counts)
    state.sums[:] = 0


def progress_at(schedule: Schedule, state: State, moment: Moment, rate: float) -> Progress:
    """How far training is after an iteration."""
    share = (moment.number + 1) / moment.n_batches
    finished = moment.number == moment.n_batches - 1
    means = state.losses[-1] if finished else state.sums / [len(o) * share for o in schedule.objectives]
    losses = {o.predicate: float(m) for o, m in zip(schedule.objectives, means, strict=True) if m > 0}
    return Progress(moment.pass_ + 1, schedule.passes, state.iteration / schedule.iterations, losses, rate)


def _watch(schedule: Schedule, state: State, snapshots: int) -> None:
    """Records the positions of the watched users, about this many times and at the end."""
    trail, every = state.trail, max(1, schedule.iterations // snapshots)
    ended = state.iteration == schedule.iterations or has_converged(schedule, state)
    if len(trail.rows) and (state.iteration % every == 0 or ended) and state.iteration not in trail.iterations[-1:]:
        trail.iterations.append(state.iteration)
        trail.snapshots.append(state.vectors[trail.rows])


def _record(state: State, place: int, factoids: Ints, batch: Batch, reach: Floats, moves: Floats | None) -> None:
    """Adds to every factoid of the batch how far it moved its user, and its followee."""
    if len(state.trail.rows):
        state.trail.users_moved[place][factoids] += reach
        if moves is not None:
            state.trail.objects_moved[place][factoids] += row_lengths(moves)
