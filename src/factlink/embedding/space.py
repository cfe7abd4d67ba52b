"""The result of an embedding: one vector for every user of every network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from factlink.embedding.objectives import Objective, unit_rows
from factlink.embedding.projections import Phi
from factlink.embedding.state import Doubles, State, Trail
from factlink.errors import SettingError
from factlink.types import FactoidTable, Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Vectors of the joint rows of two or more networks, and how they came about."""

    vectors: Floats  # (n_rows, dim), zero for a user without factoids
    rows: Mapping[str, Ints]  # by network name
    phis: Sequence[Phi]  # by objective: an attribute and links may bear one name
    losses: Mapping[str, Doubles]  # by predicate: mean −f in every pass; 0 in passes it took no part in
    qualities: Mapping[str, float]  # by link predicate: the measured quality of links, if it was measured
    trail: Trail
    objectives: Sequence[Objective] = ()  # what was embedded

    @classmethod
    def from_state(cls, table: FactoidTable, objectives: list[Objective], state: State) -> "Space":
        """What training left."""
        names = [objective.predicate for objective in objectives]
        curve = np.array(state.losses).reshape(-1, len(names))
        asked = {n: float(q) for n, q in zip(names, state.qualities, strict=True) if not np.isnan(q)}
        vectors = np.where(_has_factoids(objectives, len(state.vectors))[:, None], state.vectors, np.float32(0))
        losses = dict(zip(names, curve.T, strict=True))
        return cls(vectors, table.rows, tuple(state.phis), losses, asked, state.trail, objectives)

    def of(self, network: str) -> Floats:
        """(n_users, dim): unit vectors of one network, zero for a user without factoids."""
        if network not in self.rows:
            raise SettingError(f"no network is called '{network}' in this space; there are: {', '.join(self.rows)}")
        return unit_rows(self.vectors[self.rows[network]])


def _has_factoids(objectives: Sequence[Objective], n_rows: int) -> npt.NDArray[np.bool_]:
    """(n_rows,): users with a factoid; others were only moved as negatives, all in one direction."""
    found = np.zeros(n_rows, np.bool_)
    for objective in objectives:
        found[objective.users] = True
        if objective.is_link:
            found[objective.objects] = True
    return found
