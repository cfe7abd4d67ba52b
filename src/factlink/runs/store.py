"""A run folder: links, candidates and the two networks they speak of. It is made as RUN.part and
takes its name when it is whole.

RUN/manifest.json       what made it; written last, so a folder without it is an unfinished run
RUN/links.parquet       left, right, score, probability, decision, runner_up, margin, source: the pair is *known* (given
                        with --known), *judged* (a person called it a match) or *found*; null where there is none
RUN/candidates.parquet  per left user the best right rows, best first, and their scores
RUN/evidence.parquet    what speaks for the links: left, right, kind, predicate, left_object, right_object, weight, note
RUN/vectors.npz         vectors of the users of some links, as far as the linker has vectors: rows of links, left, right
RUN/left/, RUN/right/   the networks as read, themselves network folders
RUN/encoded/            vectors of names, texts and pictures by what they were made from, for runs with other settings
RUN/space/              what it takes to add accounts later, where the linker can
RUN/doubts.parquet      earlier links that accounts added later beat, if any
RUN/known.parquet       the known pairs it was given, if any
RUN/judgements.sqlite   what people said of pairs; it outlives the making anew of a run
"""

import glob
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.tables import QUICK, write_table
from factlink.errors import RunError
from factlink.objects.remembered import Shelf, remembered
from factlink.runs.judgements import move_judgements
from factlink.runs.manifest import Manifest, parse_manifest
from factlink.types import DECISIONS, SOURCES, Candidates, Floats, Ints, Links, Network, Source

MANIFEST, LINKS, CANDIDATES, KNOWN = "manifest.json", "links.parquet", "candidates.parquet", "known.parquet"
EVIDENCE, VECTORS, ENCODED = "evidence.parquet", "vectors.npz", "encoded"
GROUP = 16_384
"""Users per row group of the candidates."""

_NEEDED = (LINKS, CANDIDATES, "left/users.parquet", "left/kinds.json", "right/users.parquet", "right/kinds.json")


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A finished run, as loaded."""

    path: Path
    manifest: Manifest
    left: Network  # users only; `read_network(path / "left")` has all of it
    right: Network
    links: pl.DataFrame
    candidates: Candidates


def check_writable(path: Path, *, overwrite: bool) -> None:
    """Refuses a place that holds a finished run, or something that is no run."""
    if not path.exists():
        return
    if path.is_dir() and (path / MANIFEST).exists():
        if not overwrite:
            raise RunError(f"{path} holds a finished run; name another folder, or replace it with --overwrite")
    elif not path.is_dir() or any(path.iterdir()):
        raise RunError(f"{path} exists and is not a run; name another folder")


@contextmanager
def unfinished_run(path: Path, suffix: str = ".part") -> Iterator[Path]:
    """A folder beside the run's place; it takes that place when all went well, and stays if there is work to resume."""
    part = path.with_name(f"{path.name}{suffix}")
    _put_back(path)
    for side in ("left", "right"):
        shutil.rmtree(part / side, ignore_errors=True)
    part.mkdir(parents=True, exist_ok=True)
    try:
        yield part
    except BaseException:
        if not any(part.iterdir()):
            part.rmdir()
        raise
    if path.exists():
        old = path.with_name(f".{path.name}.{os.getpid()}.old")
        path.rename(old)
        move_judgements(old, part)
        part.rename(path)
        shutil.rmtree(old)
    else:
        part.rename(path)


def _put_back(path: Path) -> None:
    """Gives a run its place again if a kill came while it was being replaced."""
    for old in path.parent.glob(f".{glob.escape(path.name)}.*.old"):
        if not path.exists():
            old.rename(path)


def save_links(path: Path, links: Links, left: Network, right: Network) -> None:
    """Links with ids, ready for other tools."""
    write_table(link_frame(links, left, right), path / LINKS)


def link_frame(links: Links, left: Network, right: Network) -> pl.DataFrame:
    """Links as a frame of ids; no right user and no probability are nulls."""
    return pl.DataFrame(
        {
            "left": left.users.gather(links.lefts),
            "right": _users_or_null(right, links.rights),
            "score": pl.Series(links.scores, dtype=pl.Float32),
            "probability": pl.Series(links.probabilities, dtype=pl.Float32).fill_nan(None),
            "decision": pl.Series([str(DECISIONS[place]) for place in range(len(DECISIONS))]).gather(links.decisions),
            "runner_up": _users_or_null(right, links.runners_up),
            "margin": pl.Series(links.margins, dtype=pl.Float32),
            "source": _sources_or_null(links),
        }
    )


def save_candidates(path: Path, candidates: Candidates) -> None:
    """Candidates as rows of the run's own networks, in groups small enough to read one user's alone."""
    frame = pl.DataFrame({"rights": candidates.rights, "scores": candidates.scores})
    frame.write_parquet(path / CANDIDATES, compression_level=QUICK, row_group_size=GROUP)


def save_evidence(path: Path, evidence: pl.DataFrame) -> None:
    """Evidence by left user, in groups small enough to read one user's alone."""
    evidence.write_parquet(path / EVIDENCE, row_group_size=GROUP)


def save_vectors(path: Path, places: Ints, left: Floats, right: Floats) -> None:
    """Vectors of both users of some links, given as places among the links."""
    np.savez(path / VECTORS, places=places, left=left.astype(np.float16), right=right.astype(np.float16))


def load_vectors(path: Path) -> tuple[Ints, Floats, Floats] | None:
    """Places of links, left and right vectors; None if the run has none."""
    if not (path / VECTORS).exists():
        return None
    with np.load(path / VECTORS, allow_pickle=False) as stored:
        return stored["places"], stored["left"].astype(np.float32), stored["right"].astype(np.float32)


@contextmanager
def kept_vectors(folder: Path, earlier: Sequence[Path], *, half: bool = False) -> Iterator[Shelf]:
    """Inside, encoders keep their vectors in an unfinished run, and take them from it and from earlier runs."""
    with remembered(Shelf(folder / ENCODED, [run / ENCODED for run in earlier], half=half)) as shelf:
        yield shelf
    shelf.tidy()


@contextmanager
def reused_vectors(run: Path) -> Iterator[None]:
    """Inside, encoders take their vectors from a finished run, which stays as it is."""
    with remembered(Shelf(None, [run / ENCODED], half=keeps_half(load_manifest(run)))):
        yield


def keeps_half(manifest: Manifest) -> bool:
    """Whether a run keeps vectors in float16."""
    return bool(manifest.notes.get("half", False))


def save_manifest(path: Path, manifest: Manifest) -> None:
    """The manifest, which makes a folder a run."""
    (path / MANIFEST).write_text(manifest.to_json(), encoding="utf-8")


def check_run(path: Path) -> None:
    """Refuses what is no finished run."""
    if not path.is_dir():
        raise RunError(f"there is no run folder {path}; make one with: factlink link LEFT RIGHT -o {path}")
    if not (path / MANIFEST).exists():
        raise RunError(f"{path} is not a run (it has no {MANIFEST}); name the folder given to factlink link -o")


def load_manifest(path: Path) -> Manifest:
    """What made a finished run that still has all of its parts."""
    check_run(path)
    lost = [name for name in _NEEDED if not (path / name).exists()]
    if lost:
        raise RunError(f"run {path} has lost {', '.join(lost)}; put that back, or link again with --overwrite")
    return parse_manifest((path / MANIFEST).read_text(encoding="utf-8"), path / MANIFEST)


def load_run(path: str | Path) -> Run:
    """A finished run."""
    path = Path(path)
    manifest = load_manifest(path)
    left = _users_only(path / "left", manifest.left.name)
    right = _users_only(path / "right", manifest.right.name)
    frame = pl.read_parquet(path / CANDIDATES)
    candidates = Candidates(frame["rights"].to_numpy(), frame["scores"].to_numpy())
    return Run(path, manifest, left, right, read_links(path), candidates)


def read_links(path: Path) -> pl.DataFrame:
    """The links of a run, with their source: runs made before there was that column tell it by their known pairs."""
    links = pl.read_parquet(path / LINKS)
    if "source" in links.columns:
        return links
    is_known = pl.lit(value=False)
    if (path / KNOWN).exists():
        known = pl.read_parquet(path / KNOWN).select("left", "right").unique().with_columns(is_known=pl.lit(value=True))
        links = links.join(known, on=["left", "right"], how="left", maintain_order="left")
        is_known = pl.col("is_known").fill_null(value=False)
    source = pl.when(is_known).then(pl.lit(Source.KNOWN.value)).otherwise(pl.lit(Source.FOUND.value))
    with_source = links.with_columns(source=pl.when(pl.col("right").is_not_null()).then(source))
    return with_source.drop("is_known", strict=False)


def _sources_or_null(links: Links) -> pl.Series:
    sources = pl.Series([source.value for source in SOURCES]).gather(links.all_sources())
    return sources.set(pl.Series(links.rights < 0), None)


def _users_or_null(network: Network, rows: Ints) -> pl.Series:
    places = pl.Series(rows, dtype=pl.Int64)
    return network.users.gather(places.set(places < 0, None))


def _users_only(folder: Path, name: str) -> Network:
    return Network(name, pl.read_parquet(folder / "users.parquet", columns=["id"])["id"], {}, {})
