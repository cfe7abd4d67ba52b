"""What made a figure: command, commit, data and code, so that a later reader sees whether it still holds."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from factlink.errors import InputError
from factlink.experiments.sources import PACKAGE, digest, sources_of

SOURCES = ("src", "benchmarks/*.py", "experiments")  # what makes a checkout dirty; results do not


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a figure comes from."""

    command: str
    commit: str | None  # none outside a checkout
    dirty: bool  # whether the checkout held changes of the code that are not in the commit
    entries: Sequence[str]  # modules, or files relative to the checkout, that do the work
    sources: Mapping[str, str]  # by part of the package: a hash of what the entries need of it
    data: Mapping[str, str]  # the files with their combined SHA-256, or seed and dials of made-up networks

    def as_json(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self) | {"entries": list(self.entries)}


def provenance(command: str, entries: Sequence[str], data: Mapping[str, str]) -> Provenance:
    """The provenance of figures that are measured now."""
    commit, dirty = checkout_state(PACKAGE)
    return Provenance(command, commit, dirty, tuple(entries), sources_of(tuple(entries)), data)


def command_line() -> str:
    """The command that runs now, without the folders of this machine that it names."""
    program, *words = sys.argv
    folder = Path(program).resolve().parent
    name = f"python {folder.name}/{Path(program).name}" if folder.name == "benchmarks" else "factlink"
    return f"{name} {shlex.join(map(_without_place, words))}".rstrip()


def _without_place(word: str) -> str:
    option, named, place = word.rpartition("=")
    return f"{option}{named}FOLDER" if Path(place).is_absolute() else word


def share(rows: Iterable[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rows that name their provenance (`made`) by a short key, and each provenance once by its key."""
    shared: dict[str, Any] = {}
    named = []
    for row in rows:
        made = row.get("made")
        key = None if made is None else digest(json.dumps(made, sort_keys=True), 8)
        shared |= {} if key is None else {key: made}
        named.append(dict(row) if key is None else {**row, "made": key})
    return named, shared


def checksum(places: Iterable[Path]) -> str:
    """One SHA-256 of all files at these places and below, by their names and contents; their order does not matter."""
    files = {file for place in places for file in ([place] if place.is_file() else place.rglob("*")) if file.is_file()}
    if not files:
        raise InputError("there is no file to take a checksum of; name files or folders that hold some")
    return digest("\n".join(sorted(f"{file.parent.name}/{file.name} {_of_file(file)}" for file in files)), 64)


@cache
def checkout_state(folder: Path) -> tuple[str | None, bool]:
    """The commit of the checkout that tracks this folder, and whether its code has changed since."""
    if _git(folder, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None, False
    root = Path((_git(folder, "rev-parse", "--show-toplevel") or "").strip())
    changes = _git(root, "status", "--porcelain", "--", *SOURCES)
    return (_git(folder, "rev-parse", "HEAD") or "").strip() or None, bool(changes and changes.strip())


def _git(folder: Path, *words: str) -> str | None:
    """What git prints, or nothing where it fails or is not there."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def _of_file(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()
