"""Names of decoys: two names crossed."""

import numpy as np


def cross(first: str, second: str, rng: np.random.Generator) -> str:
    """The first words of one name and the last of another; single words change where both have the same two letters.

    Each gives half of its words, so that whoever has the name of one of the two agrees less with both together.
    """
    words, others = first.split(), second.split()
    if len(words) > 1 and len(others) > 1:
        return " ".join(words[: _half(words, rng)] + others[_half(others, rng) :])
    cuts = _cuts(first, second)
    if cuts:
        here, there = cuts[rng.integers(len(cuts))]
        return first[: here + 1] + second[there + 1 :]
    return first[: (len(first) + 1) // 2] + second[len(second) // 2 :]


def _half(words: list[str], rng: np.random.Generator) -> int:
    """Half of how many words there are; of an odd number the smaller or the larger half."""
    return (len(words) + int(rng.integers(2))) // 2


def _cuts(first: str, second: str) -> list[tuple[int, int]]:
    """Places where both names have the same two letters, and crossing there gives neither of them again."""
    mine, theirs = first.lower(), second.lower()
    places: dict[str, list[int]] = {}
    for there in range(1, len(theirs) - 1):
        places.setdefault(theirs[there - 1 : there + 1], []).append(there)
    return [
        (here, there)
        for here in range(1, len(mine) - 1)
        for there in places.get(mine[here - 1 : here + 1], ())
        if first[: here + 1] + second[there + 1 :] not in (first, second)
    ]
