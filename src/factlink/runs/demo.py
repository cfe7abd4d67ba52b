"""The main job on made-up networks: needs no input, and knows the truth."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from factlink.data.files import write_network
from factlink.data.pairs import Truth, write_truth
from factlink.errors import InputError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.folder.judgement_file import JUDGEMENTS, PATIENCE, begin, named_faults
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import LinkResult, make_run
from factlink.runs.scoring import Scores, evaluate_run
from factlink.storage.durable import locked_folder, remove_tree
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins

NETWORKS = ("chirper", "facepage")
MARK, RUN, TRUTH = "made-by-factlink-demo", "run", "truth.csv"
_MADE = (MARK, TRUTH, *NETWORKS, RUN, f"{RUN}.part", f"{RUN}.serve")


@dataclass(frozen=True, slots=True, eq=False)
class Demo:
    """The run of the demo, its place, and its evaluation."""

    result: LinkResult
    scores: Scores
    truth: Path


def make_demo(folder: Path, people: int, seed: int, on_stage: Callable[[str], None]) -> Demo:
    """Two made-up networks, their truth and a run, in one folder; an earlier demo there is replaced."""
    with _cleared(folder):
        truth = _write_networks(folder, people, seed, on_stage)
        request = LinkRequest(folder / NETWORKS[0], folder / NETWORKS[1], folder / RUN)
        result = make_run(request, FactoidLinker(seed), on_stage)
        return Demo(result, evaluate_run(request.out, truth), truth)


def make_networks(folder: Path, people: int, seed: int, form: str) -> Path:
    """Two made-up networks in one folder, as files of a format; the file with their truth."""
    with _cleared(folder):
        return _write_networks(folder, people, seed, lambda stage: None, form)


def _write_networks(
    folder: Path, people: int, seed: int, on_stage: Callable[[str], None], form: str = "parquet"
) -> Path:
    on_stage("making up two networks")
    world = twins(Dials(Population(people=people, networks=NETWORKS), seed=seed))
    left, right = world.networks
    for network in world.networks:
        write_network(network, folder / network.name, form)
    truth = folder / TRUTH
    pairs = world.truth(*NETWORKS)
    write_truth(Truth(pairs, np.setdiff1d(np.arange(len(left)), pairs.lefts)), truth, left, right)
    return truth


@contextmanager
def _cleared(folder: Path) -> Iterator[None]:
    """Inside, only this process makes a demo there; the folder is new, or was that of an earlier one."""
    home = Path(os.path.realpath(folder))
    with locked_folder(home.with_name(f"{home.name}.part"), f"{folder} is being written"):
        _clear(folder)
        yield


def _clear(folder: Path) -> None:
    """Makes the folder, if it is absent, empty or an earlier demo without judgements and nothing else."""
    if folder.exists() and not (folder / MARK).exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} exists and is not a demo; name another folder with -o")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()
    there = sorted(path for path in folder.iterdir() if path.name != MARK)
    for other in there:
        if other.name not in _MADE:
            raise InputError(f"{other} is not of the demo, and a new one would remove it; name another folder with -o")
    _remove_judgements(folder / RUN)
    for path in there:
        remove_tree(path) if path.is_dir() else path.unlink()


def _remove_judgements(run: Path) -> None:
    """Removes the file of a run that nobody judged; whoever judges at this moment is told so."""
    if not (run / JUDGEMENTS).exists():
        return
    with named_faults(run / JUDGEMENTS), closing(begin(run / JUDGEMENTS, PATIENCE)) as db:
        if db.execute("SELECT 1 FROM standing").fetchone() is not None:
            raise InputError(f"{run} was judged, and a new demo would lose that; name another folder with -o")
        (run / JUDGEMENTS).unlink()
