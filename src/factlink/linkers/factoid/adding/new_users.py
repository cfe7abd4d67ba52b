"""Further users of one network: neighbours, names and candidates of theirs, and the state that counts them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_matrix, vstack

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.encoders.ngrams.owned_rows import OwnedRows
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.written import ALWAYS, Marks
from factlink.linkers.factoid.state.state import AttributeState, FactoidState, NameState
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import EVERY_FAMILY, PackedNames
from factlink.protocols import Encoder
from factlink.types import Floats, Follows, Halves, Ints, Network
from factlink.vectors import sparse_rows

_MANY = 0.25  # as a share of those who were there first


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


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Pairs of new users (left) with the users of the other side that may be theirs, given by `rows`."""

    rows: Ints  # of the other side, rising
    pairs: CandidatePairs  # their rights are places in `rows`

    @classmethod
    def of(cls, n_new: int, found: Sequence[tuple[Ints, Ints]], barred: Ints) -> "Near":
        """Pairs of new users and rows of the other side, without rows that are barred, which rise."""
        mine, theirs = (np.concatenate([np.empty(0, np.int64), *(part[end] for part in found)]) for end in (0, 1))
        free = np.ones(len(theirs), np.bool_)
        if len(barred):
            free = barred[np.minimum(np.searchsorted(barred, theirs), len(barred) - 1)] != theirs
        rows = np.unique(theirs[free])
        return cls(rows, gather_pairs(n_new, len(rows), [(mine[free], np.searchsorted(rows, theirs[free]))]))

    def joined(self, found: tuple[Ints, Ints], barred: Ints) -> "Near":
        """With further pairs."""
        return Near.of(self.pairs.n_left, [(self.pairs.lefts, self.rows[self.pairs.rights]), found], barred)

    def widened(self, n_others: int) -> CandidatePairs:
        """The same pairs with rows of the other side."""
        return gather_pairs(self.pairs.n_left, n_others, [(self.pairs.lefts, self.rows[self.pairs.rights])])


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
    return sparse_rows(values[kept], columns[kept], ends, n_all)


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


@dataclass(frozen=True, slots=True, eq=False)
class AskedNames:
    """Names that others are looked for by: whose they are, their n-grams, and where they are in the space."""

    owners: Ints  # (n,) places among the new users
    owned: OwnedRows
    weights: Floats  # of the rows of `owned`
    vectors: Floats  # (n, dim)

    def __len__(self) -> int:
        return len(self.owners)

    @classmethod
    def of(cls, names: NameState, packed: PackedNames, owners: Ints) -> "AskedNames":
        """Each user of `packed` is asked about by itself."""
        owned, weights = packed.rows(names.space)
        vectors = owned.vectors(np.arange(packed.n_users), weights, names.space.mean, names.space.seed)
        return cls(owners, owned, weights, vectors)

    def entries(self, place: int) -> tuple[Ints, Floats]:
        """The buckets of one, and their weights."""
        row = self.owned.sums(self.weights, place, place + 1)
        return self.owned.buckets[row.indices], row.data


def read_otherwise(names: NameState, packed: PackedNames) -> AskedNames | None:
    """Further readings of the new users' names, each by itself (Tim Keller as Timothy Keller); None without any."""
    marks = packed.marks
    read = ~marks.sounds & (marks.alternatives != ALWAYS) & (packed.weights[marks.sources] > 0)
    if not read.any():
        return None
    none, n = np.empty(0, np.int64), int(read.sum())
    strings = packed.strings.take(np.concatenate([np.zeros(len(packed.owners), np.bool_), read]))
    as_written = Marks(np.zeros(n, np.bool_), none, none, none, np.zeros(0, np.bool_))
    each = PackedNames(strings, as_written, np.arange(n), np.ones(n, np.float32), n)
    return AskedNames.of(names, each, packed.owners[marks.sources[read]])


def longer(stored: Sequence[Halves], new: Floats) -> Sequence[Halves]:
    """Vectors with the new users' behind them; those of earlier users are moved only when the new are many."""
    first, *later = stored
    added = np.concatenate([*later, new.astype(np.float16)])
    return [first, added] if len(added) < _MANY * len(first) else [np.concatenate([first, added])]


def with_rows(neighbours: csr_matrix, new: csr_matrix) -> csr_matrix:
    """The symmetric matrix with the new users' rows and columns."""
    n_old, n_all = neighbours.shape[0], new.shape[1]
    old = csr_matrix((neighbours.data, neighbours.indices, neighbours.indptr), shape=(n_old, n_all), copy=False)
    whole = vstack([old, new], format="csr")
    if not new.nnz:
        return whole
    known = new[:, :n_old].T.tocsr()  # (n_old, n_new)
    coo = known.tocoo()
    back = csr_matrix((coo.data, (coo.row, coo.col + n_old)), shape=(n_all, n_all))
    return (whole + back).tocsr()
