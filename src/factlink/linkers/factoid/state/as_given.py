"""The state of a fit in content order, put into the order of the rows as given."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix

from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.soft_assignment import Assignment
from factlink.linkers.factoid.state.state import (
    FactoidState,
    LinkState,
    NameState,
    PartnerState,
    ProbabilityState,
    Voters,
)
from factlink.types import Halves, Pairs


def state_as_given(state: FactoidState, orders: Orders) -> FactoidState:
    """The same memory with all users in the rows as given."""
    return replace(
        state,
        names=state.names and _names_as_given(state.names, orders),
        links=state.links and _links_as_given(state.links, orders),
        assignment=_assignment_as_given(state.assignment, orders),
        probability=state.probability and _probability_as_given(state.probability, orders),
        partners=state.partners and _partners_as_given(state.partners, orders),
        learned=state.learned and replace(state.learned, expected=_rows_as_given(state.learned.expected, orders.left)),
    )


def _names_as_given(names: NameState, orders: Orders) -> NameState:
    left, right = map(_rows_as_given, names.vectors, (orders.left, orders.right))
    return replace(names, vectors=(left, right))


def _rows_as_given(vectors: Sequence[Halves], order: RowOrder) -> list[Halves]:
    return [np.concatenate(vectors)[order.places]]


def _links_as_given(links: LinkState, orders: Orders) -> LinkState:
    linked = links.voters.linked
    pairs = Pairs(orders.left.rows[linked.lefts], orders.right.rows[linked.rights])
    left, right = links.neighbours
    neighbours = _matrix_as_given(left, orders.left, orders.left), _matrix_as_given(right, orders.right, orders.right)
    return replace(links, neighbours=neighbours, voters=Voters(pairs, links.voters.strengths))


def _partners_as_given(partners: PartnerState, orders: Orders) -> PartnerState:
    left, right = partners.partners
    moved = _matrix_as_given(left, orders.left, orders.right), _matrix_as_given(right, orders.right, orders.left)
    return replace(partners, first=_probability_as_given(partners.first, orders), partners=moved)


def _matrix_as_given(matrix: csr_matrix, order: RowOrder, columns: RowOrder) -> csr_matrix:
    rows = matrix[order.places]
    moved = csr_matrix((rows.data, columns.rows[rows.indices], rows.indptr), shape=matrix.shape)
    moved.sort_indices()
    return moved


def _assignment_as_given(assignment: Assignment, orders: Orders) -> Assignment:
    lefts, rights = assignment.left_scaling[orders.left.places], assignment.right_scaling[orders.right.places]
    return replace(assignment, left_scaling=lefts, right_scaling=rights)


def _probability_as_given(probability: ProbabilityState, orders: Orders) -> ProbabilityState:
    left, right = orders.left.places, orders.right.places
    (left_totals, right_totals), (left_levels, right_levels) = probability.totals, probability.levels
    totals, levels = (left_totals[left], right_totals[right]), (left_levels[left], right_levels[right])
    return replace(probability, totals=totals, levels=levels)
