"""Further users of one network: their neighbours among all, and their names."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.embedding.propagate import neighbour_matrix
from factlink.encoders.ngrams.owned_rows import OwnedRows
from factlink.encoders.readings.written import Written, write_out
from factlink.linkers.factoid.state import FactoidState, NameState
from factlink.types import Floats, Follows, Ints, Network


@dataclass(frozen=True, slots=True, eq=False)
class NewUsers:
    """New users of one side, and their neighbours among all users of that side, the new ones last."""

    side: int  # 0 left, 1 right
    network: Network  # the new users alone
    neighbours: csr_matrix  # (n_new, n_old + n_new)

    @classmethod
    def of(
        cls, state: FactoidState, side: int, network: Network, n_all: int, links: Mapping[str, Follows]
    ) -> "NewUsers":
        """New users with their links, in rows of all users of the side; a predicate counts what it counted."""
        weights = state.links.weights[side] if state.links else {}
        used = {predicate: follows for predicate, follows in links.items() if predicate in weights}
        values = [follows.weights * np.float32(weights[predicate]) for predicate, follows in used.items()]
        whole = neighbour_matrix(n_all, list(used.values()), values)
        return cls(side, network, whole[n_all - len(network) :])

    def __len__(self) -> int:
        return len(self.network)


@dataclass(frozen=True, slots=True, eq=False)
class OwnedNames:
    """Names and who holds them, each as much as its predicate counts."""

    objects: pl.Series
    owners: Ints  # (n_objects,)
    weights: Floats  # (n_objects,)
    n_users: int

    def beside(self, others: "OwnedNames") -> "OwnedNames":
        """Those of other users too, who come after these."""
        return OwnedNames(
            pl.concat([self.objects, others.objects]),
            np.concatenate([self.owners, self.n_users + others.owners]),
            np.concatenate([self.weights, others.weights]),
            self.n_users + others.n_users,
        )

    def rows(self, names: NameState) -> tuple[Written, OwnedRows, Floats]:
        """How the names are written, their n-grams and those of further texts by owner, and what each row counts."""
        written = write_out(self.objects, names.rules)
        owners = np.concatenate([self.owners, self.owners[written.sources]])
        weights = np.concatenate([self.weights, np.zeros(len(written.more), np.float32)])
        return written, OwnedRows.of(names.space.rows(written.all_texts), owners, self.n_users), weights


def own_names(network: Network, weights: Mapping[str, float]) -> OwnedNames:
    """The names of all users of a network."""
    held = [(network.attributes[p], weight) for p, weight in weights.items() if p in network.attributes]
    objects = pl.concat([pl.Series("", [], dtype=pl.String), *(attribute.objects for attribute, _ in held)])
    owners = np.concatenate([np.empty(0, np.int64), *(attribute.rows for attribute, _ in held)])
    values = np.concatenate([np.empty(0), *(np.full(len(attribute.rows), weight) for attribute, weight in held)])
    return OwnedNames(objects, owners, values.astype(np.float32), len(network))
