"""The data set of an experiment as files that every job reads: made up once, or in their own folders."""

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from factlink.data.files import write_network
from factlink.data.pairs import read_known, read_pairs, write_pairs
from factlink.data.sources.networks import read_networks
from factlink.errors import InputError
from factlink.evaluation.folds import Fold, make_folds, rest_of
from factlink.experiments.experiment import Data
from factlink.experiments.joint import JointFiles
from factlink.experiments.sources import sources_of
from factlink.synthetic.worlds import Dials, preset, twins
from factlink.types import Network, Pairs

SYNTHETIC = twins.__module__
WHOLE_TRUTH = "whole-truth.parquet"


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a data set, and its identity."""

    left: Path
    right: Path
    truth: Path
    known: Path | None
    print: Mapping[str, str]  # a preset's dials, or a checksum of every file

    @property
    def whole_truth(self) -> Path | None:
        """All pairs of a made-up set, labelled or not."""
        path = self.truth.parent / WHOLE_TRUTH
        return path if "preset" in self.print else None

    @property
    def described(self) -> Mapping[str, str]:
        """The data set for a result: a preset's dials, or the files with one checksum of all of them."""
        if "preset" in self.print:
            return self.print
        whole = hashlib.sha256(repr(sorted(self.print.items())).encode()).hexdigest()
        return {"files": ", ".join(sorted(self.print)), "sha256": whole}


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Two networks and their truth, as read."""

    left: Network
    right: Network
    truth: Pairs
    known: Pairs | None

    def folds(self, n_folds: int) -> list[Fold]:
        """The known pairs as given, or folds of the truth."""
        return make_folds(self.truth, n_folds) if self.known is None else [rest_of(self.truth, self.known)]


def prepare(data: Data, folder: Path) -> Files | JointFiles:
    """The files of a data set; a made-up one is drawn into the folder, once."""
    if data.networks:
        places = [*data.networks, *data.truths]
        return JointFiles(data.networks, data.truths, _checksums(_there(places)))
    if data.preset is None:
        return _given(data)
    dials = scaled(preset(data.preset), data.scale)
    drawn = {"preset": data.preset, "scale": f"{data.scale:g}", "pictures": str(data.pictures), "seed": str(dials.seed)}
    home = folder / f"{data.preset}-{data.scale:g}{'-pictures' if data.pictures else ''}-{_drawing_code()}"
    if not home.exists():
        _draw(dials, home, pictures=data.pictures)
    left, right = (home / name for name in dials.population.networks)
    return Files(left, right, home / "truth.parquet", None, drawn)


def _drawing_code() -> str:
    """A hash of the generator's code."""
    return hashlib.sha256(repr(sources_of((SYNTHETIC,))).encode()).hexdigest()[:8]


def read_dataset(files: Files) -> Dataset:
    """Networks and pairs from their files."""
    left, right = (reading.network for reading in read_networks([files.left, files.right]))
    known = read_known(files.known, left, right) if files.known else None
    return Dataset(left, right, read_pairs(files.truth, left, right), known)


def scaled(dials: Dials, scale: float) -> Dials:
    """The dials with people, links and labelled pairs multiplied by the scale."""
    population, links = dials.population, dials.links
    population = replace(
        population,
        people=round(population.people * scale),
        users=tuple(round(n * scale) for n in population.users),
        revealed=None if population.revealed is None else round(population.revealed * scale),
    )
    return replace(
        dials, population=population, links=replace(links, counts=tuple(round(n * scale) for n in links.counts))
    )


def _draw(dials: Dials, home: Path, *, pictures: bool) -> None:
    """Draws under another name first, so that a set that is there is whole."""
    part = home.with_name(f"{home.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    world = twins(dials, part if pictures else None)
    left, right = world.networks
    for network in world.networks:
        write_network(network, part / network.name)
    write_pairs(world.truth(left.name, right.name), part / "truth.parquet", left, right)
    write_pairs(world.whole_truth(left.name, right.name), part / WHOLE_TRUTH, left, right)
    part.rename(home)


def _given(data: Data) -> Files:
    if data.left is None or data.right is None or data.truth is None:
        raise InputError("a data set needs left, right and truth")
    places = _there([data.left, data.right, data.truth, *filter(None, [data.known])])
    return Files(data.left, data.right, data.truth, data.known, _checksums(places))


def _there(places: list[Path]) -> list[Path]:
    for place in places:
        if not place.exists():
            raise InputError(f"{place} is not there; name the folder that the experiment's data lies in with --data")
    return places


def _checksums(places: list[Path]) -> dict[str, str]:
    """SHA-256 of every file by its folder and name."""
    found = (file for place in places for file in ([place] if place.is_file() else sorted(place.glob("*.*"))))
    return {f"{file.parent.name}/{file.name}": hashlib.sha256(file.read_bytes()).hexdigest() for file in found}
