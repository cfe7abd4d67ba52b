"""The fitted state without one user: the vectors, scaling, links and votes of everybody else stay as they are."""

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix

from factlink.decision.soft_assignment import Assignment
from factlink.linkers.factoid.state.state import (
    FactoidState,
    LearnedNameState,
    LinkState,
    NameState,
    ProbabilityState,
    Voters,
)
from factlink.types import Pairs


def state_without(state: FactoidState, side: int, row: int) -> FactoidState:
    """The state after the user of a row of a side (0 left, 1 right) is gone."""
    return replace(
        state,
        names=state.names and _names(state.names, side, row),
        links=state.links and _links(state.links, side, row),
        assignment=_assignment(state.assignment, side, row),
        probability=state.probability and _probability(state.probability, side, row),
        learned=state.learned and _learned(state.learned, side, row),
    )


def _names(names: NameState, side: int, row: int) -> NameState:
    left, right = names.vectors
    vectors = [np.delete(np.concatenate(names.vectors[side]), row, 0)]
    return replace(names, vectors=(vectors, right) if side == 0 else (left, vectors))


def _learned(learned: LearnedNameState, side: int, row: int) -> LearnedNameState:
    if side == 1:
        return learned
    return replace(learned, expected=[np.delete(np.concatenate(learned.expected), row, 0)])


def _links(links: LinkState, side: int, row: int) -> LinkState:
    left, right = links.neighbours
    kept = np.delete(np.arange(links.neighbours[side].shape[0]), row)
    graph = csr_matrix(links.neighbours[side])[kept][:, kept].tocsr()
    linked = links.voters.linked
    ends = (np.asarray(linked.lefts), np.asarray(linked.rights))
    stays = ends[side] != row
    lefts, rights = (each[stays] - ((each[stays] > row) if place == side else 0) for place, each in enumerate(ends))
    voters = Voters(Pairs(lefts, rights), np.asarray(links.voters.strengths)[stays])
    return replace(links, neighbours=(graph, right) if side == 0 else (left, graph), voters=voters)


def _assignment(assignment: Assignment, side: int, row: int) -> Assignment:
    if side == 0:
        return replace(assignment, left_scaling=np.delete(assignment.left_scaling, row))
    return replace(assignment, right_scaling=np.delete(assignment.right_scaling, row))


def _probability(probability: ProbabilityState, side: int, row: int) -> ProbabilityState:
    (left_totals, right_totals), (left_levels, right_levels) = probability.totals, probability.levels
    if side == 0:
        left_totals, left_levels = np.delete(left_totals, row), np.delete(left_levels, row)
    else:
        right_totals, right_levels = np.delete(right_totals, row), np.delete(right_levels, row)
    return replace(probability, totals=(left_totals, right_totals), levels=(left_levels, right_levels))
