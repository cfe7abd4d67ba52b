"""What a fit in canonical order keeps, in the rows of the networks as given."""

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix

from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.soft_assignment import Assignment
from factlink.linkers.factoid.state import FactoidMemory, LinkMemory, NameMemory, Voters
from factlink.types import Pairs


def memory_as_given(memory: FactoidMemory, orders: Orders) -> FactoidMemory:
    """The same memory with all users in the rows as given."""
    return FactoidMemory(
        memory.names and _names(memory.names, orders),
        memory.attributes,
        memory.links and _links(memory.links, orders),
        _assignment(memory.assignment, orders),
    )


def _names(names: NameMemory, orders: Orders) -> NameMemory:
    left, right = (
        [np.concatenate(vectors)[order.places]]
        for vectors, order in zip(names.vectors, (orders.left, orders.right), strict=True)
    )
    return replace(names, vectors=(left, right))


def _links(links: LinkMemory, orders: Orders) -> LinkMemory:
    linked = links.voters.linked
    pairs = Pairs(orders.left.rows[linked.lefts], orders.right.rows[linked.rights])
    left, right = links.neighbours
    neighbours = _neighbours(left, orders.left), _neighbours(right, orders.right)
    return replace(links, neighbours=neighbours, voters=Voters(pairs, links.voters.strengths))


def _neighbours(matrix: csr_matrix, order: RowOrder) -> csr_matrix:
    rows = matrix[order.places]
    moved = csr_matrix((rows.data, order.rows[rows.indices], rows.indptr), shape=matrix.shape)
    moved.sort_indices()
    return moved


def _assignment(assignment: Assignment, orders: Orders) -> Assignment:
    lefts, rights = assignment.left_pulls[orders.left.places], assignment.right_pulls[orders.right.places]
    return replace(assignment, left_pulls=lefts, right_pulls=rights)
