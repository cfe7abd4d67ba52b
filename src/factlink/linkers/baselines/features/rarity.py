"""The information content of a name: two rare names that agree are stronger evidence than two common ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from factlink.linkers.baselines.features.similarities import JaroWinkler
from factlink.types import Candidates, Floats, Ints

ORDER = 3  # letters of context
SMOOTHING = 0.1
TYPICAL_BITS = 40


def name_bits(names: Sequence[str]) -> Floats:
    """(n,): −Σ log₂ P(letter | three letters before it) of each name, learned from these names."""
    lengths = np.array([len(name) for name in names], np.int64)
    starts = np.cumsum(lengths + ORDER) - lengths  # of the letters, each name behind ORDER blanks
    text = "".join(" " * ORDER + name.lower()[: len(name)].ljust(len(name)) for name in names)
    _, letters = np.unique(np.frombuffer(text.encode("utf-32-le"), np.uint32), return_inverse=True)
    size = 1 + letters.max(initial=0)
    spots = np.arange(lengths.sum()) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    context = sum(letters[spots - back] * size ** (back - 1) for back in range(1, ORDER + 1))
    seen, after = _counts(context * size + letters[spots]), _counts(context)
    bits = -np.log2((seen + SMOOTHING) / (after + SMOOTHING * size))
    return np.bincount(np.repeat(np.arange(len(names)), lengths), weights=bits, minlength=len(names)).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class RareJaroWinkler:
    """Jaro-Winkler similarity times the bits of the commoner of the two names, over 40."""

    names: JaroWinkler
    left_bits: Floats
    right_bits: Floats

    def scores(self, lefts: Ints) -> Floats:
        """(len(lefts), n_right)."""
        common = np.minimum(self.left_bits[lefts, None], self.right_bits)  # (len(lefts), n_right)
        return np.asarray(self.names.scores(lefts) * common / TYPICAL_BITS, np.float32)

    def nearest(self, lefts: Ints, k: int) -> Candidates:
        """The k most similar right names, rare or not."""
        return self.names.nearest(lefts, k)

    def turned(self) -> "RareJaroWinkler":
        """Left and right exchanged."""
        return RareJaroWinkler(self.names.turned(), self.right_bits, self.left_bits)

    def of_pairs(self, lefts: Ints, rights: Ints) -> Floats:
        """(n,): left name `lefts[i]` with right name `rights[i]`."""
        common = np.minimum(self.left_bits[lefts], self.right_bits[rights])
        return np.asarray(self.names.of_pairs(lefts, rights) * common / TYPICAL_BITS, np.float32)


def _counts(codes: Ints) -> Ints:
    """How often each code occurs, where it occurs."""
    _, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse])
