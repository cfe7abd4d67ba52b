"""What made a run: settings, versions, inputs with checksums, timings and peak memory."""

import hashlib
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from factlink.data.authors import is_authors_layout
from factlink.data.layout import is_network_folder
from factlink.errors import RunError
from factlink.types import Network

MANIFEST = "manifest.json"
FORMAT = 2
"""1 kept neither checksums of its files nor judgements from the start."""
PACKAGES = ("factlink", "numpy", "scipy", "scikit-learn", "polars", "numba", "faiss-cpu", "rapidfuzz", "pillow")
CHECKSUM = "checksum"
AS_READ = "as read"
_AT_ONCE = 100_000


def installed_versions() -> dict[str, str]:
    """Versions of Python, the platform and every package whose code can change a result."""
    versions = {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    for package in PACKAGES:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    return versions


@dataclass(frozen=True, slots=True)
class Input:
    """One network as it was read: where from, how large, which kinds, and a checksum of every file."""

    name: str
    path: str
    users: int
    links: int
    kinds: Mapping[str, str]  # by predicate
    checksums: Mapping[str, str]  # SHA-256 by file name


FORMER_NOTES = {"bar": "decision_rule", "correction": "platt_scaling", "worths": "channel_weights"}
"""Notes by the names they have in runs of version 0.1.0."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """A run's own account of itself."""

    linker: str
    settings: Mapping[str, Any]
    left: Input
    right: Input
    known_pairs: int
    seconds: Mapping[str, float]  # by stage
    peak_memory_bytes: int
    created: str
    notes: Mapping[str, Any] = field(default_factory=dict)  # what the linker learned, for later commands
    versions: Mapping[str, str] = field(default_factory=installed_versions)
    files: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of the run's own files by path
    format: int = FORMAT

    @property
    def within(self) -> bool:
        """Whether the pairs are within one network, which left and right both are."""
        return bool(self.notes.get("within", False))

    def to_json(self) -> str:
        """The manifest as a person can read it in an editor, with a checksum of itself."""
        fields = asdict(self)
        return json.dumps(fields | {CHECKSUM: checksum_of(fields)}, indent=2, ensure_ascii=False) + "\n"


def parse_manifest(text: str, path: Path) -> Manifest:
    """A manifest from its JSON; refuses one that was changed, or that another version made."""
    try:
        fields = json.loads(text)
        found, checksum = fields["format"], fields.pop(CHECKSUM, None)
        if found not in (1, FORMAT):
            raise RunError(f"{path} has format {found}, this version reads {FORMAT}; link again into a new folder")
        if found == FORMAT and checksum != checksum_of(fields):
            raise RunError(f"{path} is damaged (its checksum differs); put it back from a copy, or link again")
        if "networks" in fields:
            names = " and ".join(network["name"] for network in fields["networks"])
            raise RunError(f"{path.parent} links {names}; this needs two of them: choose with --pair A:B")
        left, right = Input(**fields.pop("left")), Input(**fields.pop("right"))
        notes = {FORMER_NOTES.get(name, name): note for name, note in fields.pop("notes", {}).items()}
        return Manifest(left=left, right=right, notes=notes, **fields)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunError(f"{path} is not a manifest of a run ({error}); link again into a new folder") from None


def is_before_judgements(run: Path) -> bool:
    """Whether a folder is not a run yet, or one of format 1, which had no judgement file at first."""
    try:
        return bool(json.loads((run / MANIFEST).read_text("utf-8"))["format"] == 1)
    except FileNotFoundError:
        return True
    except (OSError, ValueError, KeyError, TypeError):
        return False


def file_checksums(run: Path, without: Collection[str]) -> dict[str, str]:
    """SHA-256 of every file of a run by path, but for some files and folders of it."""
    files = sorted(file for file in run.rglob("*") if file.is_file() and file.relative_to(run).parts[0] not in without)
    return {file.relative_to(run).as_posix(): sha256(file) for file in files}


def find_changed(run: Path, files: Mapping[str, str]) -> list[str]:
    """The files that do not match their checksums."""
    return [name for name, checksum in files.items() if sha256(run / name) != checksum]


def checksum_of(fields: Mapping[str, Any]) -> str:
    """Of a manifest's fields without the checksum itself."""
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def checksums(source: object, network: Network) -> dict[str, str]:
    """SHA-256 of the data files of a network folder by name, without pictures; of other sources as they were read."""
    path = Path(source) if isinstance(source, str | os.PathLike) else None
    if path is not None and (is_network_folder(path) or is_authors_layout(path)):
        files = sorted(path.glob("*.*") if path.is_dir() else path.parent.glob(f"{path.name}_*.txt"))
    else:
        files = [path] if path is not None and path.is_file() else []
    found = {file.name: sha256(file) for file in files if file.is_file()}
    return found if path is not None and (path.is_dir() and files) else found | {AS_READ: network_checksum(network)}


def network_checksum(network: Network) -> str:
    """SHA-256 of the users, attributes and links of a network as it was read."""
    digest = hashlib.sha256()
    columns = [("id", network.users), *((name, held.objects) for name, held in network.attributes.items())]
    for name, column in columns:
        digest.update(f"{name}\x1f{len(column)}\x1f".encode())
        for part in column.to_frame("text").iter_slices(_AT_ONCE):
            digest.update("\x1f".join(part["text"].to_list()).encode())
    for held in network.attributes.values():
        digest.update(held.rows.astype("<i8").tobytes())
    for name, follows in network.links.items():
        digest.update(name.encode())
        for ends in (follows.followers, follows.followees):
            digest.update(ends.astype("<i8").tobytes())
        digest.update(follows.weights.astype("<f4").tobytes())
    return digest.hexdigest()


class Stopwatch:
    """Wall-clock seconds by stage; reports when one starts."""

    def __init__(self, on_stage: Callable[[str], None]) -> None:
        self.seconds: dict[str, float] = {}
        self._on_stage = on_stage
        self._stage = ""

    def tell(self, progress: str) -> None:
        """Reports the progress of the current stage, or only its name."""
        self._on_stage(f"{self._stage}: {progress}" if progress else self._stage)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time inside to the stage's."""
        self._stage = name
        self._on_stage(name)
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + time.perf_counter() - start, 3)


def sha256(file: Path) -> str:
    """The checksum of a file; an unchanged file is read once per command."""
    found = file.stat()
    return _sha256(file, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


@lru_cache(maxsize=1_000)
def _sha256(file: Path, *_state: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
