"""Names of some users as they are compared: in Latin letters, with all that they may be read as, and who holds them."""

from dataclasses import dataclass

import numpy as np

from factlink.encoders.ngrams.owned_rows import OwnedRows
from factlink.encoders.ngrams.rows import Grams, pack_cut
from factlink.encoders.ngrams.spaces import GramSpace
from factlink.encoders.readings.sounds import CLIPPED, FAR, NEAR, PLAIN
from factlink.encoders.readings.written import ALWAYS, Marks, ReadingRules, write_out
from factlink.encoders.transliteration import PackedStrings
from factlink.linkers.factoid.written.owned_names import OwnedNames
from factlink.types import Floats, Ints

EVERY_FAMILY = (NEAR, FAR, CLIPPED)


@dataclass(frozen=True, slots=True, eq=False)
class PackedNames:
    """One string for each name, then those of further spellings and sounds."""

    strings: PackedStrings  # (n_objects + n_more,)
    marks: Marks
    owners: Ints  # (n_objects,)
    weights: Floats  # (n_objects,)
    n_users: int

    @classmethod
    def of(cls, names: OwnedNames, rules: ReadingRules, grams: Grams, families: Ints) -> "PackedNames":
        """Names with the sounds of some families beside those that they need themselves."""
        written = write_out(names.objects, rules, families.tolist())
        strings = pack_cut(written.all_texts, grams)
        return cls(strings, written.marks, names.owners, names.weights, names.n_users)

    @property
    def families(self) -> Ints:
        """The families of sounds of names in another script."""
        read = self.marks.families[self.marks.alternatives != ALWAYS]
        return np.setdiff1d(read, [PLAIN])

    def as_written(self) -> "PackedNames":
        """Without further spellings and sounds."""
        none, nothing = np.empty(0, np.int64), np.zeros(0, np.bool_)
        marks = Marks(self.marks.foreign, none, none, none, nothing)
        n_objects = len(self.owners)
        strings = PackedStrings(
            self.strings.letters[: self.strings.starts[n_objects]], self.strings.starts[: n_objects + 1]
        )
        return PackedNames(strings, marks, self.owners, self.weights, self.n_users)

    def counted(self) -> PackedStrings:
        """The strings that count as new ones: without sounds that only others need."""
        needed = (self.marks.alternatives != ALWAYS) | np.isin(self.marks.families, self.families)
        return self.strings.take(np.concatenate([np.ones(len(self.owners), np.bool_), needed]))

    def beside(self, others: "PackedNames") -> "PackedNames":
        """Those of other users too, who come after these."""
        mine, theirs = (_halves(names) for names in (self, others))
        strings = _joined([mine[0], theirs[0], mine[1], theirs[1]])
        one, other = self.marks, others.marks
        marks = Marks(
            np.concatenate([one.foreign, other.foreign]),
            np.concatenate([one.sources, len(self.owners) + other.sources]),
            np.concatenate([one.families, other.families]),
            np.concatenate([one.alternatives, other.alternatives]),
            np.concatenate([one.sounds, other.sounds]),
        )
        owners = np.concatenate([self.owners, self.n_users + others.owners])
        weights = np.concatenate([self.weights, others.weights])
        return PackedNames(strings, marks, owners, weights, self.n_users + others.n_users)

    def rows(self, space: GramSpace) -> tuple[OwnedRows, Floats]:
        """N-grams of all strings by owner, and what each row counts: further ones count in versions only."""
        owners = np.concatenate([self.owners, self.owners[self.marks.sources]])
        weights = np.concatenate([self.weights, np.zeros(len(self.marks.sources), np.float32)])
        return OwnedRows.of(space.rows_packed(self.strings), owners, self.n_users), weights


def _halves(names: PackedNames) -> tuple[PackedStrings, PackedStrings]:
    """The strings of names as written, and further ones."""
    n, strings = len(names.owners), names.strings
    middle = strings.starts[n]
    further = PackedStrings(strings.letters[middle:], strings.starts[n:] - middle)
    return PackedStrings(strings.letters[:middle], strings.starts[: n + 1]), further


def _joined(parts: list[PackedStrings]) -> PackedStrings:
    """Strings one after another."""
    letters = np.concatenate([part.letters for part in parts])
    lengths = np.concatenate([np.diff(part.starts) for part in parts])
    return PackedStrings(letters, np.concatenate([[0], lengths.cumsum()]))
