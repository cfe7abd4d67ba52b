"""The names of all users of a side, ready to be compared: every version of a user, and the strings it is the sum of."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from factlink.encoders.ngrams.owned_rows import weighted_sums
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.sounds import PLAIN
from factlink.encoders.transliteration import PackedStrings
from factlink.linkers.factoid.written.memberships import Held, find_memberships
from factlink.linkers.factoid.written.packed_names import PackedNames
from factlink.serve.warm.mapped import mapped
from factlink.serve.warm.runs_of import ends_of, places_of
from factlink.storage.arrays import write_array
from factlink.types import Floats, Ints

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Strings of users, those of a user together; and the versions of users, their names as written first."""

    users: Ints  # (n_users + 1,) where the versions of each user begin
    owned: Ints  # (n_users + 1,) where the strings of each user begin
    foreign: Flags  # (n_users,) who has a name in another script
    families: npt.NDArray[np.int8]  # (n_versions,) of sounds
    members: Ints  # (n_versions + 1,) where the strings of each version begin in the next two
    strings: Ints  # (n_members,) which of the user's strings
    weights: Floats  # (n_members,)
    starts: Ints  # (n_strings + 1,) where the letters of each string begin
    letters: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.users) - 1

    @classmethod
    def of(cls, names: PackedNames) -> "Named":
        """All versions of names that were packed with the sounds of every family."""
        n = names.n_users
        found = find_memberships(names.marks, Held(names.owners, names.weights), n)
        written = np.flatnonzero(names.weights > 0)
        written = written[np.argsort(names.owners[written], kind="stable")]
        own = np.bincount(names.owners[written], minlength=n)
        owners = np.concatenate([np.arange(n), found.owners])
        sizes = np.concatenate([own, np.diff(found.starts)])
        texts = np.concatenate([written, found.texts])
        weights = np.concatenate([names.weights[written], found.counted[found.texts]])
        order = np.argsort(owners, kind="stable")
        taken = places_of(ends_of(sizes), order)
        owner_of = np.concatenate([names.owners, names.owners[names.marks.sources]])
        by_owner = np.argsort(owner_of, kind="stable")
        place = np.empty(len(owner_of), np.int64)
        place[by_owner] = np.arange(len(owner_of))
        owned = ends_of(np.bincount(owner_of, minlength=n))
        texts = texts[taken]
        lengths = np.diff(names.strings.starts)
        return cls(
            ends_of(np.bincount(owners, minlength=n)),
            owned,
            found.foreign,
            np.concatenate([np.full(n, PLAIN), found.families])[order].astype(np.int8),
            ends_of(sizes[order]),
            (place[texts] - owned[owner_of[texts]]).astype(np.int32),
            weights[taken].astype(np.float32),
            ends_of(lengths[by_owner]),
            names.strings.letters[places_of(names.strings.starts, by_owner)],
        )

    def written(self, users: Ints, space: GramSpace) -> csr_matrix:
        """(n, n_buckets): n-grams of the names of some users, as written."""
        own = self.users[users]
        sizes = self.members[own + 1] - self.members[own]
        members = places_of(self.members, own)
        strings = np.repeat(self.owned[users], sizes) + self.strings[members]
        texts = PackedStrings(
            self.letters[places_of(self.starts, strings)], ends_of(self.starts[strings + 1] - self.starts[strings])
        )
        return weighted_sums(space.rows_packed(texts), np.arange(len(strings)), ends_of(sizes), self.weights[members])

    def save(self, folder: Path) -> None:
        """As files of a folder that is there."""
        for name in _FILES:
            write_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> "Named":
        """Mapped: only what is asked for is read."""
        return cls(*(mapped(folder / f"{name}.npy") for name in _FILES))

    @classmethod
    def join(cls, parts: "Sequence[Named]") -> "Named":
        """Names of users after those of others."""
        arrays: list[Any] = []
        for name in _FILES:
            values = [getattr(part, name) for part in parts]
            arrays.append(ends_of(np.concatenate([*map(np.diff, values)])) if name in _ENDS else np.concatenate(values))
        return cls(*arrays)


_ENDS = ("users", "owned", "members", "starts")
_FILES = ("users", "owned", "foreign", "families", "members", "strings", "weights", "starts", "letters")
