"""One linker with one seed on some folds, in a process of its own, so that its time and its memory are its own.

    python -m factlink.experiments.jobs < job.json

A fold's result is a file named by what made it. It is written when the fold is done and stays: the same job again finds
it there.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
import polars as pl

from factlink.candidates.top_k import blocks
from factlink.encoders.cache import JARO_WINKLER, NEAREST_NAMES, PICTURES, WALKS, EncoderCache, caching
from factlink.errors import FactlinkError
from factlink.evaluation.metrics import free_rights
from factlink.execution.memory import peak_memory_bytes
from factlink.experiments.datasets import SYNTHETIC, Dataset, Files, read_dataset
from factlink.experiments.joint import JointFiles, PairsByPlaces, Places, fit_joint, read_joint
from factlink.experiments.sources import digest, sources_of
from factlink.linkers.settings import make_linker
from factlink.protocols import Linker, Scorer
from factlink.ranks import middle_ranks
from factlink.storage.durable import replaced_file
from factlink.types import NO_PAIRS, Floats, Kind, Network, Pairs

T = TypeVar("T")
ENTRIES = ("factlink.data.files", "factlink.data.pairs", "factlink.evaluation.folds", "factlink.evaluation.metrics")
"""The modules that every linker's figures come from."""

SHARED = (PICTURES, JARO_WINKLER, NEAREST_NAMES, WALKS)
"""What jobs make for each other: it depends on neither fold nor linker, and hardly on the seed."""
MAKERS = (
    "factlink.encoders.pictures.images",
    "factlink.encoders.jaro_winkler",
    "factlink.linkers.baselines.features.similarities",
    "factlink.embedding.walks.deepwalk",
)
"""The modules that make it."""

RANKED = "right users in no known pair"
"""What a rank is among; a result by another rule is another result."""


class PreparedLinker(Protocol):
    """What a linker knows of two networks before it knows any pair."""

    def fit(self, known: Pairs) -> Scorer: ...


@runtime_checkable
class Preparer(Protocol):
    """A linker that can be fitted to many sets of known pairs with half the work."""

    def prepare(self, left: Network, right: Network) -> PreparedLinker: ...


@dataclass(frozen=True, slots=True)
class Job:
    """A linker and its data set."""

    linker: str
    settings: Mapping[str, str]
    seed: int
    known: bool  # whether it is given the known pairs
    files: Files | JointFiles
    folds: int
    alone: bool = False  # pairs of networks one by one

    @property
    def entries(self) -> tuple[str, ...]:
        """The modules that its figures come from."""
        drawn = [SYNTHETIC] if "preset" in self.files.print else []
        return (type(make_linker(self.linker, self.settings)).__module__, *ENTRIES, *drawn)

    def print(self) -> dict[str, Any]:
        """The identity of a job, including the linker's code; the places of files do not matter."""
        made_by = {key: getattr(self, key) for key in ("linker", "settings", "seed", "known", "folds", "alone")}
        sources = sources_of(self.entries)
        return {**made_by, "data": dict(self.files.print), "sources": sources, "ranked": RANKED}

    def file(self, folder: Path, fold: int) -> Path:
        """The file with the result of a fold."""
        digest = sha256(json.dumps(self.print(), sort_keys=True).encode()).hexdigest()[:12]
        return folder / f"{self.linker}-{digest}-fold{fold}.json"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a fold gave: ranks as `rank_tested` gives them, and the cost of fitting and ranking."""

    ranks: Sequence[float]
    seconds: float  # to prepare, to fit and to rank
    peak_memory_bytes: int


def run_job(job: Job, places: Sequence[int], folder: Path) -> None:
    """Fits, once for all folds if nothing is known, ranks the tested pairs of some folds, and writes each result.

    Pictures are described once for all jobs, before any clock runs; the first job that needs vectors fitted to
    Jaro-Winkler, nearest names or walks makes them for all.
    """
    with shared_between_jobs(folder):
        task = _task(job)
        describe_pictures(task.networks)
        _run_folds(job, task, places, folder)


def shared_between_jobs(folder: Path) -> AbstractContextManager[EncoderCache]:
    """Inside, what jobs of the folder make for each other is found or kept, by the code that makes it."""
    made_by = digest(json.dumps(sources_of(MAKERS), sort_keys=True))
    return caching(EncoderCache(folder / f"shared-{made_by}", only=SHARED))


def describe_pictures(networks: Sequence[Network]) -> None:
    """Encodes the pictures of the networks for later jobs."""
    parts = [a.objects for n in networks for a in n.attributes.values() if a.kind is Kind.IMAGE]
    if all(any(a.kind is Kind.IMAGE for a in n.attributes.values()) for n in networks):
        from factlink.encoders.pictures.images import ImageEncoder
        from factlink.encoders.pictures.pixels import Decoding

        ImageEncoder(decoding=Decoding(threads=os.cpu_count() or 1)).encode(pl.concat(parts).to_list())


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """What a job does with folds, of two networks or of more."""

    networks: Sequence[Network]
    folds: Sequence[Any]  # with known and tested pairs, as `fit` and `rank` take them
    nothing: Any  # known pairs where there are none
    begin: Callable[[], Callable[[Any], Any]]  # the work before any pair is known; what fits known pairs
    rank: Callable[[Any, Any, Any], Floats]  # what was fitted, tested and known pairs → ranks


def _task(job: Job) -> _Task:
    linker = make_linker(job.linker, job.settings, job.seed)
    if isinstance(job.files, JointFiles):
        joint = read_joint(job.files)
        fit = partial(fit_joint, linker, joint, alone=job.alone)
        return _Task(joint.networks, joint.folds(job.folds), {}, lambda: fit, rank_joint)
    dataset = read_dataset(job.files)
    networks = dataset.left, dataset.right
    return _Task(networks, dataset.folds(job.folds), NO_PAIRS, lambda: _fitter(linker, dataset), rank_tested)


def _run_folds(job: Job, task: _Task, places: Sequence[int], folder: Path) -> None:
    folds = task.folds
    fit, preparing = _timed(task.begin)
    scorer, fitting = _timed(partial(fit, folds[places[0]].known if job.known else task.nothing))
    for place in places:
        known = folds[place].known if job.known else task.nothing
        if job.known and place != places[0]:
            scorer, fitting = _timed(partial(fit, known))
        ranks, ranking = _timed(partial(task.rank, scorer, folds[place].tested, known))
        seconds = round(preparing + fitting + ranking, 2)
        outcome = Outcome(ranks.tolist(), seconds, peak_memory_bytes())
        write_atomically(job.file(folder, place), {"made_by": job.print(), **asdict(outcome)})


def _fitter(linker: Linker, dataset: Dataset) -> Callable[[Pairs], Scorer]:
    """How to fit any known pairs, with all work done that is the same for all of them."""
    if isinstance(linker, Preparer):
        return linker.prepare(dataset.left, dataset.right).fit
    return partial(linker.fit, dataset.left, dataset.right)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    return work(), time.perf_counter() - start


def read_outcome(path: Path) -> Outcome:
    """The result of a fold."""
    fields = json.loads(path.read_text("utf-8"))
    return Outcome(**{key: fields[key] for key in Outcome.__slots__})


def rank_tested(scorer: Scorer, tested: Pairs, known: Pairs) -> Floats:
    """The rank of every tested left user's right one among the right users that are in no known pair.

    By left row; who has several right ones counts by the best.
    """
    lefts, user_of = np.unique(tested.lefts, return_inverse=True)
    ranks, free = np.full(len(lefts), np.inf, np.float32), free_rights(len(scorer.right), known)
    for pairs in blocks(len(user_of), len(scorer.right)):
        scores = scorer.scores(tested.lefts[pairs])
        np.minimum.at(ranks, user_of[pairs], middle_ranks(scores, tested.rights[pairs], free))
    return ranks


def rank_joint(scorers: Mapping[Places, Scorer], tested: PairsByPlaces, known: PairsByPlaces) -> Floats:
    """The ranks of the tested users of all pairs of networks, one pair of networks after the other."""
    ranks = [rank_tested(scorers[at], pairs, known.get(at, NO_PAIRS)) for at, pairs in tested.items()]
    return np.concatenate(ranks)


def write_atomically(path: Path, value: Mapping[str, Any]) -> None:
    """JSON under its name when it is whole."""
    with replaced_file(path) as part:
        part.write_text(json.dumps(value, ensure_ascii=False) + "\n", "utf-8")


def as_json(job: Job, places: Sequence[int], folder: Path) -> str:
    """A job as the process that runs it reads it."""
    return json.dumps({"job": asdict(job), "places": list(places), "folder": folder}, default=str)


def from_json(text: str) -> tuple[Job, list[int], Path]:
    """The job that `as_json` wrote."""
    described = json.loads(text)
    files = _files(described["job"].pop("files"))
    return Job(**described["job"], files=files), described["places"], Path(described["folder"])


def _files(described: Mapping[str, Any]) -> Files | JointFiles:
    if "networks" in described:
        networks, truths = (tuple(map(Path, described[key])) for key in ("networks", "truths"))
        return JointFiles(networks, truths, described["print"])
    paths = {key: described[key] and Path(described[key]) for key in ("left", "right", "truth", "known")}
    return Files(**paths, print=described["print"])


def main() -> None:
    """Runs the job on standard input; a user's mistake is one sentence on stderr and exit code 2."""
    try:
        run_job(*from_json(sys.stdin.read()))
    except FactlinkError as error:
        sys.stderr.write(str(error))
        sys.exit(2)


if __name__ == "__main__":
    main()
