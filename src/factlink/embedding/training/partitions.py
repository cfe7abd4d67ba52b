"""Algorithm 1 over parts of the users, which may train on different machines.

Part p of P owns the joint rows p, p + P, …: their vectors, their factoids and, among themselves, negatives. A link
sees the user it points to where that user stood when the pass began, so within a pass no part needs to know of another.
After it every vector is where its part left it, and W and b move by the sum of what all parts made of them. The result
depends on how many parts there are, and not on who trains them.
"""

import time
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.embedding.kernels import single_blas
from factlink.embedding.objectives import Objective
from factlink.embedding.projections import Phi, limit_norm
from factlink.embedding.sampling import noise_of
from factlink.embedding.settings import Settings
from factlink.embedding.state import Doubles, State, Trail
from factlink.embedding.training.link_steps import full_step
from factlink.embedding.training.schedule import Moment, Schedule
from factlink.embedding.training.sgd import Options, close_pass, has_converged, iterate, progress_at
from factlink.errors import SettingError
from factlink.execution.workers import Workers
from factlink.types import Floats, Ints

USERS_PER_PART = 5_000
MOST_PARTS = 256

Factoids = tuple[
    Ints, Ints, Floats, Floats | None
]  # users as rows of the part, objects, weights; out-degrees for links
Part = tuple[int, Floats, tuple[Factoids, ...]]  # its number, its vectors, its factoids by objective
Recipe = tuple[Settings, Doubles, int]  # settings, the step of a full link by objective, the pass


def parts_for(n_rows: int) -> int:
    """The number of parts for this many users: parts below 5,000 users have too few negatives."""
    return max(1, min(MOST_PARTS, n_rows // USERS_PER_PART))


def train_in_parts(workers: Workers, schedule: Schedule, state: State, options: Options) -> None:
    """All passes, each over all parts at once."""
    if len(options.watch):
        raise SettingError(f"users can be watched only while they train in 1 part, not in {schedule.settings.parts}")
    if options.checkpoints:
        options.checkpoints.resume(state, schedule.objectives, schedule.settings)
    dealt = deal_factoids(schedule.objectives, min(schedule.settings.parts, len(state.vectors)))
    seen = tuple(objective.vectors for objective in schedule.objectives)
    began, n_done = time.perf_counter(), 0
    while len(state.losses) < schedule.passes and not has_converged(schedule, state):
        moment = schedule.last_moment(len(state.losses))
        trained = workers.map(train_part, *_work(schedule, state, dealt, moment), seen)
        _gather(schedule, state, moment, trained)
        n_done += sum(len(o) for o in schedule.objectives if not (moment.warm and o.is_link))
        if options.progress:
            options.progress(progress_at(schedule, state, moment, n_done / max(time.perf_counter() - began, 1e-9)))
        if options.checkpoints:
            options.checkpoints.save(state, now=True)


def deal_factoids(objectives: list[Objective], parts: int) -> list[tuple[Factoids, ...]]:
    """The factoids of every part, by objective, in their own order."""
    dealt: list[list[Factoids]] = [[] for _ in range(parts)]
    for objective in objectives:
        owners = objective.users % parts
        order = np.argsort(owners, kind="stable")
        ends = np.searchsorted(owners[order], np.arange(parts + 1))
        for part in range(parts):
            own = order[ends[part] : ends[part + 1]]
            degrees = None if objective.out_degrees is None else objective.out_degrees[part::parts]
            users = objective.users[own] // parts
            dealt[part].append((users, objective.objects[own], objective.weights[own], degrees))
    return [tuple(factoids) for factoids in dealt]


def _work(
    schedule: Schedule, state: State, dealt: list[tuple[Factoids, ...]], moment: Moment
) -> tuple[list[Part], Floats, tuple[tuple[Floats, Floats], ...], Recipe]:
    """What each part is given for a pass, and all of them."""
    for place, objective in enumerate(schedule.objectives):
        if objective.is_link and not moment.warm:
            full_step(schedule, state, place)
    parts = [(number, state.vectors[number :: len(dealt)], own) for number, own in enumerate(dealt)]
    followees = state.vectors[:0] if moment.warm else state.vectors.copy()
    phis = tuple((phi.matrix.copy(), phi.bias.copy()) for phi in state.phis)
    return parts, followees, phis, (schedule.settings, state.link_steps.copy(), moment.pass_)


def _gather(schedule: Schedule, state: State, moment: Moment, trained: list[tuple[npt.NDArray[Any], ...]]) -> None:
    """The state after a pass that all parts have been through."""
    for number, (vectors, sums, *_) in enumerate(trained):
        state.vectors[number :: len(trained)] = vectors
        state.sums += sums
    for place, phi in enumerate(state.phis):
        _agree(phi, [(result[2 + 2 * place], result[3 + 2 * place]) for result in trained], schedule.settings)
    state.iteration = schedule.first_iteration(moment.pass_ + 1)
    close_pass(schedule, state)


def train_part(
    part: Part,
    followees: Floats,
    phis: tuple[tuple[Floats, Floats], ...],
    recipe: Recipe,
    seen: tuple[Floats | None, ...],
) -> tuple[npt.NDArray[Any], ...]:
    """The vectors of a part after a pass, the losses by objective, and its W and b of every objective."""
    number, vectors, factoids = part
    settings, link_steps, pass_ = recipe
    settings = replace(settings, seed=_own_seed(settings.seed, number))
    objectives = [
        Objective("", users, objects, weights, known, degrees)
        for (users, objects, weights, degrees), known in zip(factoids, seen, strict=True)
    ]
    schedule = Schedule(objectives, [noise_of(o, len(vectors), settings.negatives) for o in objectives], [], settings)
    no_contexts = vectors[:0]
    state = State(
        iteration=schedule.first_iteration(pass_),
        vectors=vectors.copy(),
        followees=followees,
        phis=[Phi(matrix.copy(), bias.copy(), no_contexts) for matrix, bias in phis],
        link_steps=link_steps,
        qualities=np.full(len(objectives), np.nan),
        sums=np.zeros(len(objectives)),
        losses=[],
        trail=Trail(np.empty(0, np.int64)),
    )
    last = schedule.last_moment(pass_)
    with single_blas():
        for batch in range(last.n_batches):
            iterate(schedule, state, replace(last, number=batch))
    return state.vectors, state.sums, *(array for phi in state.phis for array in (phi.matrix, phi.bias))


def _own_seed(seed: int, number: int) -> int:
    """A seed for every part, so that no two draw the same; that of the first is the seed itself."""
    return seed if number == 0 else int(np.random.SeedSequence([seed, number]).generate_state(1)[0])


def _agree(phi: Phi, found: list[tuple[Floats, Floats]], settings: Settings) -> None:
    """Moves W and b by all that the parts moved theirs, then ‖W‖₂ ≤ bound again."""
    moved = np.zeros_like(phi.matrix), np.zeros_like(phi.bias)
    for matrix, bias in found:
        moved[0][...] += matrix - phi.matrix
        moved[1][...] += bias - phi.bias
    phi.matrix += moved[0]
    phi.bias += moved[1]
    if phi.matrix.size and moved[0].any():
        limit_norm(phi.matrix, settings.projection.bound)
