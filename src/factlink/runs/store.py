"""A run folder: links, candidates and the two networks they speak of. Every file is written whole or not at all.

RUN/manifest.json       what made it; written last, so a folder without it is an unfinished run
RUN/links.parquet       left, right, score, probability, decision, runner_up, margin
RUN/candidates.parquet  per left user the best right rows, best first, and their scores
RUN/left/, RUN/right/   the networks as read, themselves network folders
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.errors import RunError
from factlink.runs.manifest import Manifest, parse_manifest
from factlink.types import DECISIONS, Candidates, Ints, Links, Network

MANIFEST, LINKS, CANDIDATES = "manifest.json", "links.parquet", "candidates.parquet"


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A finished run, as loaded."""

    path: Path
    manifest: Manifest
    left_users: pl.Series
    right_users: pl.Series
    links: pl.DataFrame
    candidates: Candidates


def check_writable(path: Path, *, overwrite: bool) -> None:
    """Refuses a folder that holds a finished run, or anything else than a run."""
    if not path.exists():
        return
    if not path.is_dir():
        raise RunError(f"{path} is a file; name a folder for the run")
    if (path / MANIFEST).exists():
        if not overwrite:
            raise RunError(f"{path} holds a finished run; name another folder, or replace it with --overwrite")
    elif any(path.iterdir()) and not (path / "left").is_dir():
        raise RunError(f"{path} is not empty and not a run; name another folder")


def save_links(path: Path, links: Links, left: Network, right: Network) -> None:
    """Links with ids, ready for other tools."""
    write_atomically(path / LINKS, lambda file: link_frame(links, left, right).write_parquet(file))


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
        }
    )


def save_candidates(path: Path, candidates: Candidates) -> None:
    """Candidates as rows of the run's own networks."""
    frame = pl.DataFrame({"rights": candidates.rights, "scores": candidates.scores})
    write_atomically(path / CANDIDATES, frame.write_parquet)


def save_manifest(path: Path, manifest: Manifest) -> None:
    """The manifest: from here on the run is finished."""
    write_atomically(path / MANIFEST, lambda file: file.write_text(manifest.to_json(), encoding="utf-8"))


def load_run(path: str | Path) -> Run:
    """A finished run."""
    path = Path(path)
    if not path.is_dir():
        raise RunError(f"there is no run folder {path}; make one with: factlink link LEFT RIGHT -o {path}")
    if not (path / MANIFEST).exists():
        raise RunError(f"{path} holds no finished run (no {MANIFEST}); run the same link command again to finish it")
    manifest = parse_manifest((path / MANIFEST).read_text(encoding="utf-8"), path / MANIFEST)
    users = [pl.read_parquet(path / side / "users.parquet", columns=["id"])["id"] for side in ("left", "right")]
    frame = pl.read_parquet(path / CANDIDATES)
    candidates = Candidates(frame["rights"].to_numpy(), frame["scores"].to_numpy())
    return Run(path, manifest, users[0], users[1], pl.read_parquet(path / LINKS), candidates)


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Writes beside the file and puts the result in its place: a kill leaves the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        with part.open("rb") as stream:
            os.fsync(stream.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _users_or_null(network: Network, rows: Ints) -> pl.Series:
    places = pl.Series(rows, dtype=pl.Int64)
    return network.users.gather(places.set(places < 0, None))
