"""The main job on made-up networks: needs no input, and knows the truth."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from factlink.data.files import write_network
from factlink.data.pairs import Truth, write_truth
from factlink.errors import InputError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.manifest import MANIFEST
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import LinkResult, make_run
from factlink.runs.scoring import Scores, evaluate_run
from factlink.storage.durable import remove_tree
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins

NETWORKS = ("chirper", "facepage")
MARK, RUN = "made-by-factlink-demo", "run"


@dataclass(frozen=True, slots=True, eq=False)
class Demo:
    """The run of the demo, its place, and its evaluation."""

    result: LinkResult
    scores: Scores
    truth: Path


def make_demo(folder: Path, people: int, seed: int, on_stage: Callable[[str], None]) -> Demo:
    """Two made-up networks, their truth and a run, in one folder; an earlier demo there is replaced."""
    truth = make_networks(folder, people, seed, on_stage)
    request = LinkRequest(folder / NETWORKS[0], folder / NETWORKS[1], folder / RUN)
    result = make_run(request, FactoidLinker(seed), on_stage)
    return Demo(result, evaluate_run(request.out, truth), truth)


def make_networks(folder: Path, people: int, seed: int, on_stage: Callable[[str], None], form: str = "parquet") -> Path:
    """Two made-up networks in one folder, as files of a format; the file with their truth."""
    _clear(folder)
    on_stage("making up two networks")
    world = twins(Dials(Population(people=people, networks=NETWORKS), seed=seed))
    left, right = world.networks
    for network in world.networks:
        write_network(network, folder / network.name, form)
    truth = folder / "truth.csv"
    pairs = world.truth(*NETWORKS)
    write_truth(Truth(pairs, np.setdiff1d(np.arange(len(left)), pairs.lefts)), truth, left, right)
    return truth


def _clear(folder: Path) -> None:
    """Makes the folder, if it is absent, empty or an earlier demo without judgements."""
    if folder.exists() and not (folder / MARK).exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} exists and is not a demo; name another folder with -o")
    if (folder / RUN / MANIFEST).exists() and Judgements(folder / RUN).overall().height:
        raise InputError(f"{folder / RUN} was judged, and a new demo would lose that; name another folder with -o")
    remove_tree(folder)
    folder.mkdir(parents=True)
    (folder / MARK).touch()
