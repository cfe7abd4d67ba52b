"""Texts of users in Latin letters, those of a user together, so that a few users' are gathered at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from factlink.encoders.transliteration import PackedStrings
from factlink.serve.warm.mapped import mapped
from factlink.serve.warm.runs_of import ends_of, places_of
from factlink.storage.arrays import write_array
from factlink.types import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Strings:
    """All texts of all users of a side in one column."""

    users: Ints  # (n_users + 1,) where the strings of each user begin
    starts: Ints  # (n_strings + 1,) where the letters of each string begin
    letters: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.users) - 1

    @classmethod
    def of(cls, strings: PackedStrings, owners: Ints, n_users: int) -> "Strings":
        """Strings and whose each is, rising."""
        return cls(ends_of(np.bincount(owners, minlength=n_users)), strings.starts, strings.letters)

    def gather(self, rows: Ints) -> tuple[Ints, PackedStrings]:
        """Whose each text of some users is, as places in `rows`, and the texts."""
        strings = places_of(self.users, rows)
        letters = self.letters[places_of(self.starts, strings)]
        owners = np.repeat(np.arange(len(rows)), self.users[rows + 1] - self.users[rows])
        return owners, PackedStrings(letters, ends_of(self.starts[strings + 1] - self.starts[strings]))

    def save(self, folder: Path) -> None:
        """As files of a folder that is there."""
        for name in _FILES:
            write_array(folder / f"{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path) -> "Strings":
        """Mapped: only what is asked for is read."""
        return cls(*(mapped(folder / f"{name}.npy") for name in _FILES))

    @classmethod
    def join(cls, parts: "Sequence[Strings]") -> "Strings":
        """Texts of users after those of others."""
        ends = [ends_of(np.concatenate([np.diff(getattr(part, name)) for part in parts])) for name in _FILES[:2]]
        return cls(ends[0], ends[1], np.concatenate([part.letters for part in parts]))


_FILES = ("users", "starts", "letters")
