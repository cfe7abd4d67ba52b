"""Further users of one network: their neighbours among all, where their names are, and the state that counts them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.spaces import GramSpace
from factlink.linkers.factoid.state import AttributeState, FactoidState, NameState
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import EVERY_FAMILY, PackedNames
from factlink.protocols import Encoder
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
        used = [(follows, weights[predicate]) for predicate, follows in links.items() if predicate in weights]
        ends = [np.concatenate([np.empty(0, np.int64), *some]) for some in _both_ways(follows for follows, _ in used)]
        values = [follows.weights * np.float32(weight) for follows, weight in used]
        strengths = np.concatenate([np.empty(0, np.float32), *values, *values])
        return cls(side, network, _new_rows(n_all, len(network), ends[0], ends[1], strengths))

    def __len__(self) -> int:
        return len(self.network)


def _both_ways(links: Iterable[Follows]) -> tuple[list[Ints], list[Ints]]:
    """The two ends of all links, and then of all links the other way round."""
    there = list(links)
    followers, followees = [f.followers for f in there], [f.followees for f in there]
    return followers + followees, followees + followers


def _new_rows(n_all: int, n_new: int, rows: Ints, columns: Ints, values: Floats) -> csr_matrix:
    """(n_new, n_all): the strongest link of each of the last users with every other; nobody is their own neighbour."""
    first = n_all - n_new
    mine = (rows >= first) & (rows != columns) & (values > 0)
    rows, columns, values = rows[mine] - first, columns[mine], values[mine]
    order = np.lexsort((-values, columns, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    kept = np.ones(len(rows), np.bool_)
    kept[1:] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    ends = np.concatenate([[0], np.bincount(rows[kept], minlength=n_new).cumsum()])
    return csr_matrix((values[kept], columns[kept], ends), shape=(n_new, n_all))


def new_names(state: FactoidState, new_users: NewUsers) -> PackedNames | None:
    """The new users' names with all that they may be compared by; None where names count nothing."""
    names = state.names
    if names is None:
        return None
    owned = own_names(new_users.network, names.weights[new_users.side])
    return PackedNames.of(owned, names.rules, names.space.grams, np.array(EVERY_FAMILY))


def grown_state(state: FactoidState, new_users: NewUsers, packed: PackedNames | None) -> FactoidState:
    """The state with the new users' strings counted; `packed` are their names."""
    names = state.names
    if names and packed:
        names = replace(names, space=names.space.grown_packed(packed.counted()))
    attributes = [replace(attribute, encoder=_grown_encoder(attribute, new_users)) for attribute in state.attributes]
    return replace(state, names=names, attributes=tuple(attributes))


def _grown_encoder(attribute: AttributeState, new_users: NewUsers) -> Encoder:
    held = new_users.network.attributes.get(attribute.predicates[new_users.side])
    if held is None or not isinstance(attribute.encoder, GramSpace):
        return attribute.encoder
    return attribute.encoder.grown(held.objects)


def name_vectors(names: NameState | None, packed: PackedNames | None, n_new: int) -> Floats:
    """(n_new, dim): where the new users' names are."""
    if names is None or packed is None:
        return np.zeros((n_new, 0), np.float32)
    rows, weights = packed.as_written().rows(names.space)
    return rows.vectors(np.arange(n_new), weights, names.space.mean, names.space.seed)
