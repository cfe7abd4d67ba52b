"""The files of an export, in a folder, a zip, a tar or alone: read in place, never unpacked.

Limits hold whatever the headers claim: nothing outside is reached through `..`, absolute names or links, and no file
that unpacks to 200 times its size and more than 100 MB is read.
"""

import io
import os
import tarfile
import zipfile
import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from factlink.errors import InputError

MOST_NAMES = 100_000
DEEPEST = 6
_LARGE = 100 * 2**20
_RATIO = 200
_MEDIA = ("media", "photos", "videos", "images", "messages", "inbox", "stories")
_ERRORS = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    UnicodeDecodeError,
)


class Bundle(Protocol):
    """Files by name, in order of their names."""

    shown: str

    @property
    def names(self) -> list[str]:
        """Paths inside, with slashes."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """One file, to be closed."""
        ...

    def close(self) -> None:
        """Let go of the files."""
        ...


class Folder:
    """A folder on disk, with what is in the archives that lie in it; symbolic links in it are not followed."""

    def __init__(self, path: Path, *, with_damaged: bool) -> None:
        self.shown, self._path, self._archives = str(path), path, dict[str, Bundle]()
        names = list(_files_in(path))
        for name in names:
            if "/" not in name and _is_archive(name):
                try:
                    with damage(name, self.shown):
                        self._archives[name] = Zip(path / name) if name.lower().endswith("zip") else Tar(path / name)
                except InputError:
                    if not with_damaged:
                        self.close()
                        raise
        here = {base_of(name) for name in names}  # an archive that was unpacked beside itself counts once
        inside = [
            f"{archive}/{name}"
            for archive, bundle in self._archives.items()
            for name in bundle.names
            if base_of(name) not in here
        ]
        self.names = sorted(names + inside)

    def open(self, name: str) -> IO[bytes]:
        """One file."""
        archive, _, inside = name.partition("/")
        if archive in self._archives and inside:
            return self._archives[archive].open(inside)
        return (self._path / name).open("rb")

    def close(self) -> None:
        """Closes the archives."""
        for bundle in self._archives.values():
            bundle.close()


class SingleFile:
    """A file that is an export by itself."""

    def __init__(self, path: Path) -> None:
        self.shown, self._path, self.names = str(path.parent), path, [path.name]

    def open(self, name: str) -> IO[bytes]:
        """The file."""
        return self._path.open("rb")

    def close(self) -> None:
        """Nothing is kept open."""


class Zip:
    """A zip, as most exports come."""

    def __init__(self, path: Path) -> None:
        self.shown, self._zip = str(path), zipfile.ZipFile(path)
        self.names = sorted(entry.filename for entry in self._zip.infolist() if _is_inside(entry.filename))

    def open(self, name: str) -> IO[bytes]:
        """One file."""
        entry = self._zip.getinfo(name)
        _refuse_bomb(self.shown, name, entry.file_size, entry.compress_size)
        return self._zip.open(entry)

    def close(self) -> None:
        """Closes the zip."""
        self._zip.close()


class Tar:
    """A tar, plain or compressed; its list is read once."""

    def __init__(self, path: Path) -> None:
        self.shown, self._packed = str(path), path.stat().st_size
        self._tar = tarfile.open(path)  # noqa: SIM115
        try:
            self._entries = {entry.name: entry for entry in self._listed()}
        except BaseException:
            self._tar.close()
            raise
        self.names = sorted(self._entries)

    def open(self, name: str) -> IO[bytes]:
        """One file."""
        return self._tar.extractfile(self._entries[name]) or io.BytesIO()

    def close(self) -> None:
        """Closes the tar."""
        self._tar.close()

    def _listed(self) -> Iterator[tarfile.TarInfo]:
        size = 0
        for count, entry in enumerate(self._tar):
            size += entry.size
            _refuse_bomb(self.shown, entry.name, size, self._packed)
            if count >= MOST_NAMES:
                raise InputError(f"{self.shown} holds more than {MOST_NAMES:,} files; give only those of the export")
            if entry.isfile() and _is_inside(entry.name):
                yield entry


@contextmanager
def open_bundle(path: Path, *, with_damaged: bool = False) -> Iterator[Bundle]:
    """The files of a folder, a zip, a tar or a single file; damaged archives in a folder are refused, or left out."""
    bundle = Folder(path, with_damaged=with_damaged) if path.is_dir() else _bundle(path)
    try:
        yield bundle
    finally:
        bundle.close()


def _is_archive(name: str) -> bool:
    return name.lower().endswith((".zip", ".tar", ".tgz", ".tar.gz"))


def _bundle(path: Path) -> Bundle:
    with damage(path.name, f"{path.parent}"):
        if zipfile.is_zipfile(path):
            return Zip(path)
        if path.suffixes[-2:] == [".tar", ".gz"] or path.suffix in (".tar", ".tgz"):
            return Tar(path)
    return SingleFile(path)


@contextmanager
def opened(bundle: Bundle, name: str) -> Iterator[IO[bytes]]:
    """One file of the export; whatever is wrong with it is said in one sentence."""
    with damage(name, bundle.shown), bundle.open(name) as file:
        yield file


@contextmanager
def damage(name: str, shown: str) -> Iterator[None]:
    """Inside, errors of a damaged file become an `InputError`."""
    try:
        yield
    except _ERRORS as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"{shown}: {name} cannot be read ({reason}); download the export again") from None


def head_of(bundle: Bundle, name: str, size: int = 4096) -> str:
    """The beginning of a file as text, '' where it cannot be read."""
    try:
        with bundle.open(name) as file:
            return file.read(size).decode("utf-8", "replace").lstrip("\ufeff")
    except (*_ERRORS, InputError, KeyError):
        return ""


def base_of(name: str) -> str:
    """The last part of a name, in small letters."""
    return PurePosixPath(name).name.lower()


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name.replace("\\", "/"))
    return not name.endswith("/") and not path.is_absolute() and ".." not in path.parts and "__MACOSX" not in path.parts


def _files_in(folder: Path) -> Iterator[str]:
    """Nearest first, so that the limit leaves out what lies deepest; folders of pictures are not looked into."""
    waiting, count = deque([(folder, "", 0)]), 0
    while waiting and count < MOST_NAMES:
        place, prefix, depth = waiting.popleft()
        for entry in _entries(place):
            if entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth < DEEPEST and not any(word in entry.name.lower() for word in _MEDIA):
                    waiting.append((Path(entry.path), f"{prefix}{entry.name}/", depth + 1))
            elif entry.is_file(follow_symlinks=False):
                count += 1
                yield prefix + entry.name


def _entries(place: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(place) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _refuse_bomb(shown: str, name: str, size: int, packed: int) -> None:
    if size > _LARGE and size > _RATIO * max(1, packed):
        raise InputError(
            f"{shown}: {name} unpacks to {size:,} bytes, more than {_RATIO} times what is stored; "
            "it is not read, because no export looks like this"
        )
