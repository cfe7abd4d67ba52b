"""Experiments on three networks or more: one fit of all of them, tested on every pair of networks that truth names."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from factlink.data.several_pairs import read_several_pairs
from factlink.data.sources.networks import read_networks
from factlink.errors import InputError, SettingError
from factlink.protocols import Joint, Linker, Scorer
from factlink.types import NO_PAIRS, Ints, Network, Pairs

Places = tuple[int, int]
PairsByPlaces = Mapping[Places, Pairs]


@dataclass(frozen=True, slots=True)
class JointFiles:
    """The files of three networks or more, and their identity."""

    networks: tuple[Path, ...]
    truths: tuple[Path, ...]
    print: Mapping[str, str]  # a checksum of every file

    @property
    def described(self) -> Mapping[str, str]:
        """The files with one checksum of all of them."""
        whole = hashlib.sha256(repr(sorted(self.print.items())).encode()).hexdigest()
        return {"files": ", ".join(sorted(self.print)), "sha256": whole}


@dataclass(frozen=True, slots=True, eq=False)
class JointFold:
    """One way to divide the truth."""

    known: PairsByPlaces
    tested: PairsByPlaces


@dataclass(frozen=True, slots=True, eq=False)
class JointDataset:
    """Networks, and the true pairs of any two of them."""

    networks: Sequence[Network]
    truths: PairsByPlaces

    @property
    def places(self) -> list[Places]:
        """All pairs of networks."""
        return list(combinations(range(len(self.networks)), 2))

    def folds(self, n_folds: int, seed: int = 0) -> list[JointFold]:
        """Persons in parts of equal size, drawn at random; all accounts of a person are known, or tested."""
        if n_folds == 1:
            return [JointFold({}, self.truths)]
        person_of = self._persons(self.truths)
        people = np.unique(np.concatenate([person_of[a][t.lefts] for (a, _), t in self.truths.items()]))
        if n_folds > len(people):
            raise InputError(f"the truth names {len(people)} people, too few for {n_folds} folds; lower folds")
        part_of = np.zeros(people.max() + 1, np.int64)
        part_of[people] = np.random.default_rng(seed).permutation(len(people)) % n_folds
        parts = {(a, b): part_of[person_of[a][t.lefts]] for (a, b), t in self.truths.items()}
        return [
            JointFold(
                self._every_pair({places: _some(t, parts[places] != part) for places, t in self.truths.items()}),
                {places: _some(t, parts[places] == part) for places, t in self.truths.items()},
            )
            for part in range(n_folds)
        ]

    def _persons(self, pairs: PairsByPlaces) -> list[Ints]:
        """(n_users,) by network: a number for each person; accounts that no pair ties are persons of their own."""
        starts = np.cumsum([0, *map(len, self.networks)])
        lefts = np.concatenate([starts[a] + each.lefts for (a, _), each in pairs.items()])
        rights = np.concatenate([starts[b] + each.rights for (_, b), each in pairs.items()])
        graph = coo_array((np.ones(len(lefts)), (lefts, rights)), shape=(starts[-1], starts[-1]))
        return np.split(connected_components(graph, directed=False)[1], starts[1:-1])

    def _every_pair(self, known: PairsByPlaces) -> PairsByPlaces:
        """All pairs of accounts of the persons that known pairs make, also between networks that have no truth."""
        frames = [pl.DataFrame({"person": numbers, "row": np.arange(len(numbers))}) for numbers in self._persons(known)]
        found = {}
        for a, b in self.places:
            both = frames[a].join(frames[b], on="person").sort("row", "row_right")
            found[a, b] = Pairs(both["row"].to_numpy(), both["row_right"].to_numpy())
        return found


def _some(pairs: Pairs, chosen: npt.NDArray[np.bool_]) -> Pairs:
    return Pairs(pairs.lefts[chosen], pairs.rights[chosen])


def read_joint(files: JointFiles) -> JointDataset:
    """Networks and pairs from their files."""
    networks = [reading.network for reading in read_networks(list(files.networks))]
    parts: dict[Places, list[Pairs]] = {}
    for path in files.truths:
        for places, pairs in read_several_pairs(path, networks).items():
            parts.setdefault(places, []).append(pairs)
    truths = {places: _united(some) for places, some in sorted(parts.items())}
    return JointDataset(networks, truths)


def _united(parts: Sequence[Pairs]) -> Pairs:
    rows = np.unique(np.concatenate([np.stack([each.lefts, each.rights], axis=1) for each in parts]), axis=0)
    return Pairs(rows[:, 0], rows[:, 1])


def fit_joint(linker: Linker, dataset: JointDataset, known: PairsByPlaces, *, alone: bool) -> Mapping[Places, Scorer]:
    """A scorer for each pair of networks that truth names: in one model, or each pair alone."""
    if alone:
        return {
            (a, b): linker.fit(dataset.networks[a], dataset.networks[b], known.get((a, b), NO_PAIRS))
            for a, b in dataset.truths
        }
    if not isinstance(linker, Joint):
        raise SettingError(f"linker '{linker.name}' links two networks at a time; give its row alone = true")
    scorers = linker.fit_several(dataset.networks, dataset.places, known, lambda progress: None)
    return {places: scorers[places] for places in dataset.truths}
