"""What pulled the users of an embedding: their objects and followees, each where its predicate sends it."""

from functools import partial

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.embedding.objectives import Objective
from factlink.embedding.projections import Phi
from factlink.embedding.space import Space
from factlink.evidence import FRIENDS
from factlink.explanations.members import Members
from factlink.explanations.user_names import user_names
from factlink.explanations.vector_parts import Pull, mean_members
from factlink.types import FactoidTable, Ints, Network

Networks = tuple[Network, Network]


def space_pulls(space: Space, table: FactoidTable, networks: Networks) -> list[Pull]:
    """One mean direction for each embedded predicate."""
    parts = zip(space.objectives, space.phis, strict=True)
    return [_pull(space, table, networks, objective, phi) for objective, phi in parts]


def _pull(space: Space, table: FactoidTable, networks: Networks, objective: Objective, phi: Phi) -> Pull:
    seen = space.vectors if objective.vectors is None else objective.vectors
    sent = phi.project(seen, np.arange(len(seen)))  # (n_objects, dim): where objects or users are sent
    members = mean_members(objective.users, objective.objects, (table.n_rows, len(sent)), sent)
    left, right = (Members(_of_users(members.weights, space.rows[n.name]), sent) for n in networks)
    if objective.is_link:
        names = [partial(_called, n, _row_of(space.rows[n.name], table.n_rows)) for n in networks]
        return Pull(objective.predicate, FRIENDS, left, right, *names)
    objects = table.objects[objective.predicate]
    return Pull(objective.predicate, objects.kind.value, left, right, objects.values.gather, objects.values.gather)


def _of_users(weights: csr_matrix, rows: Ints) -> csr_matrix:
    return weights[rows].tocsr()


def _row_of(joint: Ints, n_rows: int) -> Ints:
    rows = np.full(n_rows, -1, np.int64)
    rows[joint] = np.arange(len(joint))
    return rows


def _called(network: Network, row_of: Ints, joint: Ints) -> pl.Series:
    """Friends by name; a friend may be known from the other network alone, through a known pair."""
    rows = row_of[joint]
    names = user_names(network, np.maximum(rows, 0))
    return pl.select(pl.when(pl.Series(rows >= 0)).then(names)).to_series()
