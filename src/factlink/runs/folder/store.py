"""A run folder: links, candidates and the two networks. It is moved to its place when it is complete.

RUN/manifest.json       what made it, and a checksum of every file below but the last two
RUN/links.parquet       left, right, score, probability, decision, runner_up, margin, source: the pair is *known* (given
                        with --known), *judged* (a person called it a match) or *found*; null where there is none
RUN/links.csv           the same with names and a sentence of evidence, for people (`listing.py`)
RUN/candidates.parquet  per left user the best right rows, best first, and their scores
RUN/evidence.parquet    evidence for the links: left, right, kind, predicate, left_object, right_object, weight, note
RUN/vectors.npz         vectors of the users of some links, as far as the linker has vectors: rows of links, left, right
RUN/left/, RUN/right/   the networks as read, themselves network folders
RUN/space/              what it takes to add accounts later, where the linker can
RUN/doubts.parquet      earlier links that accounts added later beat, if any
RUN/known.parquet       the known pairs it was given, if any
RUN/encoded/            vectors of names, texts and pictures by what they were made from, for runs with other settings
RUN/judgements.sqlite   judgements of people; kept when a run is made again
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.formats.parquet import write_parquet
from factlink.data.tables import write_table
from factlink.encoders.cache import EncoderCache, caching
from factlink.errors import RunError
from factlink.runs.folder.drafts import ENCODED, remove_leftovers
from factlink.runs.folder.judgement_file import JUDGEMENTS
from factlink.runs.folder.manifest import MANIFEST, Manifest, file_checksums, find_changed, parse_manifest
from factlink.storage.arrays import read_arrays, write_arrays
from factlink.types import DECISIONS, SOURCES, Candidates, Floats, Ints, Links, LinkSource, Network

LINKS, CANDIDATES, KNOWN = "links.parquet", "candidates.parquet", "known.parquet"
EVIDENCE, VECTORS, SPACE, REPORT = "evidence.parquet", "vectors.npz", "space", "report.html"
GROUP = 16_384
"""Users per row group of the candidates."""

WITHOUT_CHECKSUM = (MANIFEST, JUDGEMENTS, ENCODED, REPORT)
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
    """Refuses a place that holds a finished run, or something that is not a run."""
    if not path.exists():
        return
    if path.is_dir() and (path / MANIFEST).exists():
        if not overwrite:
            remove_leftovers(path)
            raise RunError(f"{path} holds a finished run; name another folder, or replace it with --overwrite")
    elif not path.is_dir() or any(path.iterdir()):
        raise RunError(f"{path} exists and is not a run; name another folder")


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
    with (path / CANDIDATES).open("wb") as file:
        write_parquet(frame, file, GROUP)


def save_evidence(path: Path, evidence: pl.DataFrame) -> None:
    """Evidence by left user, in groups small enough to read one user's alone."""
    with (path / EVIDENCE).open("wb") as file:
        write_parquet(evidence, file, GROUP)


def save_vectors(path: Path, places: Ints, left: Floats, right: Floats) -> None:
    """Vectors of both users of some links, given as places among the links."""
    halves = {"left": left.astype(np.float16), "right": right.astype(np.float16)}
    write_arrays(path / VECTORS, {"places": places, **halves})


def load_vectors(path: Path) -> tuple[Ints, Floats, Floats] | None:
    """Places of links, left and right vectors; None if the run has none."""
    if not (path / VECTORS).exists():
        return None
    stored = read_arrays(path / VECTORS)
    return stored["places"], stored["left"].astype(np.float32), stored["right"].astype(np.float32)


@contextmanager
def kept_vectors(folder: Path, earlier: Sequence[Path], *, half: bool = False) -> Iterator[EncoderCache]:
    """Inside, encoders keep their vectors in a folder, and take them from it and from earlier runs."""
    with caching(EncoderCache(folder, [run / ENCODED for run in earlier], half=half)) as encoder_cache:
        yield encoder_cache
    encoder_cache.tidy()


@contextmanager
def reused_vectors(run: Path, whole: Path | None = None) -> Iterator[None]:
    """Inside, encoders take their vectors from a finished run, or the whole it is a part of, which stays as it is."""
    with caching(EncoderCache(None, [(whole or run) / ENCODED], half=keeps_half(load_manifest(run)))):
        yield


def keeps_half(manifest: Manifest) -> bool:
    """Whether a run keeps vectors in float16."""
    return bool(manifest.notes.get("half", False))


def save_manifest(path: Path, manifest: Manifest) -> None:
    """The manifest, which makes a folder a run; to be written last."""
    files = file_checksums(path, WITHOUT_CHECKSUM)
    (path / MANIFEST).write_text(replace(manifest, files=files).to_json(), encoding="utf-8")


def check_run(path: Path) -> None:
    """Raises an error if the folder is not a finished run."""
    if path.is_file():
        raise RunError(f"{path} is a file, not a run; the folder given to factlink link -o comes first")
    if not path.is_dir():
        raise RunError(f"there is not a run folder {path}; make one with: factlink link LEFT RIGHT -o {path}")
    if not (path / MANIFEST).exists():
        raise RunError(f"{path} is not a run (it has no {MANIFEST}); name the folder given to factlink link -o")


def load_manifest(path: Path) -> Manifest:
    """What made a finished run that still has all of its files as they were written; `space` is checked when used."""
    check_run(path)
    manifest = _read_manifest(path)
    check_files(path, [name for name in (*_NEEDED, *manifest.files) if not name.startswith(f"{SPACE}/")], manifest)
    return manifest


def check_files(path: Path, names: Collection[str], manifest: Manifest) -> None:
    """Refuses a run that has lost one of some files, or whose file is not what was written."""
    names = dict.fromkeys(names)
    lost = [name for name in names if not (path / name).is_file()]
    if lost:
        raise RunError(f"run {path} has lost {', '.join(lost)}; put that back, or link again with --overwrite")
    changed = find_changed(path, {name: manifest.files[name] for name in names if name in manifest.files})
    if changed:
        raise RunError(
            f"run {path}: {', '.join(changed)} is not what was written; put it back from a copy, or link again with "
            "--overwrite"
        )


def _read_manifest(path: Path) -> Manifest:
    try:
        text = (path / MANIFEST).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RunError(f"{path / MANIFEST} is damaged ({error}); put it back from a copy, or link again") from None
    return parse_manifest(text, path / MANIFEST)


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
    """The links of a run, with their source: for older runs it is derived from their known pairs."""
    links = pl.read_parquet(path / LINKS)
    if "source" in links.columns:
        return links
    is_known = pl.lit(value=False)
    if (path / KNOWN).exists():
        known = pl.read_parquet(path / KNOWN).select("left", "right").unique().with_columns(is_known=pl.lit(value=True))
        links = links.join(known, on=["left", "right"], how="left", maintain_order="left")
        is_known = pl.col("is_known").fill_null(value=False)
    source = pl.when(is_known).then(pl.lit(LinkSource.KNOWN.value)).otherwise(pl.lit(LinkSource.FOUND.value))
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
