"""Further users of a finished run by learned names: what their right names should be, and who is near to that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from factlink.candidates.top_k import nearest_stored
from factlink.embedding.ridge import times
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.adding.new_users import NewUsers
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.learned.raw_grams import count_raw_grams
from factlink.linkers.factoid.state.state import FactoidState, LearnedNameState
from factlink.types import Floats, Halves, Ints, Network
from factlink.vectors import unit_rows


@dataclass(frozen=True, slots=True, eq=False)
class LearnedNewUsers:
    """New users of one side beside the other: expected right names beside right names, whichever side is new."""

    weight: float
    side: int  # of the new users
    rows: Floats  # (n_new, dim)
    others: Sequence[Halves]  # rows of the other side, (n, dim) arrays one after another

    def near(self, k: int) -> tuple[Ints, Ints]:
        """New users and the k of the other side whose learned names agree most; whose name says nothing has none."""
        found = nearest_stored(self.rows, self.others, k)
        mine, columns = np.nonzero((found.scores > 0) & (found.rights >= 0))
        return mine, found.rights[mine, columns]

    def channel(self, rows: Ints) -> Channel:
        """Learned names as evidence; new users are left, some rows of the other side right."""
        weighting = ChannelWeight(EvidenceSource.LEARNED_NAMES, "", "", self.weight, "")
        return Channel(weighting, self.rows, pick_rows(self.others, rows))


def learn_names_of(state: FactoidState, new_users: NewUsers, vectors: Floats) -> LearnedNewUsers | None:
    """New users with vectors of their names; None in a run without learned names."""
    learned, names = state.learned, state.names
    if learned is None or names is None:
        return None
    if new_users.side == 1:
        return LearnedNewUsers(learned.weight, 1, vectors, learned.expected)
    expected = expected_names(learned, new_users.network, names.weights[0])
    return LearnedNewUsers(learned.weight, 0, expected, names.vectors[1])


def expected_names(learned: LearnedNameState, network: Network, weights: Mapping[str, float]) -> Floats:
    """(n, dim) unit rows: the right name that each left user of a network should have."""
    rows = learned.grams.rows(count_raw_grams(network, weights))
    used, columns = np.unique(rows.indices, return_inverse=True)
    few = type(rows)((rows.data, columns, rows.indptr), shape=(rows.shape[0], len(used)))
    return unit_rows(times(few, np.asarray(learned.lesson[used], np.float32)))


def pick_rows(stored: Sequence[Halves], rows: Ints) -> Floats:
    """Some rows of consecutive arrays, which may be on disk."""
    picked, first = np.empty((len(rows), stored[0].shape[1]), np.float32), 0
    for part in stored:
        inside = (rows >= first) & (rows < first + len(part))
        picked[inside] = part[rows[inside] - first]
        first += len(part)
    return picked
