"""Packed files → plain files in a folder of their own, which is removed after use."""

import bz2
import gzip
import lzma
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any

import zstandard

from factlink.data.opening.content import PACKED, Content
from factlink.errors import InputError

_OPENERS: dict[Content, Callable[..., Any]] = {
    Content.GZIP: gzip.open,
    Content.ZSTD: zstandard.open,
    Content.BZIP2: bz2.open,
    Content.XZ: lzma.open,
}
_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, zstandard.ZstdError, zipfile.BadZipFile, OSError)
_LARGEST = 64 * 2**30
"""Bytes that one packed file may become: a small file can be made that unpacks to fill any disk."""
_BLOCK = 1 << 20


@contextmanager
def unpacked(path: Path, content: Content, origin: str) -> Iterator[Path]:
    """The plain file in a packed one; of a zip archive, the only file in it."""
    with tempfile.TemporaryDirectory(prefix="factlink-") as folder:
        if content is Content.ZIP:
            members = _extracted(path, Path(folder), origin)
            if len(members) != 1:
                names = ", ".join(member.name for member in members[:5]) or "nothing"
                raise InputError(f"{origin} holds {names}; unpack it and name the file to read")
            yield members[0]
        else:
            plain = Path(folder) / _plain_name(path)
            with _sound(origin), _OPENERS[content](path, "rb") as packed:
                _copy(packed, plain, origin)
            yield plain


@contextmanager
def unpacked_folder(path: Path, origin: str) -> Iterator[Path]:
    """The files of a zip archive in a folder; the only folder in it, if all of them are in one."""
    with tempfile.TemporaryDirectory(prefix="factlink-") as folder:
        home = Path(folder)
        if not _extracted(path, home, origin):
            raise InputError(f"{origin} holds no files; pack it again")
        while len(inside := list(home.iterdir())) == 1 and inside[0].is_dir():
            home = inside[0]
        yield home


def files_in_zip(path: Path) -> list[str]:
    """The names of the files in a zip archive, without what systems add; empty where it cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            return [info.filename for info in archive.infolist() if _is_wanted(info)]
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return []


def _extracted(path: Path, folder: Path, origin: str) -> list[Path]:
    members = []
    with _sound(origin), zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not _is_wanted(info):
                continue
            if info.flag_bits & 1:
                raise InputError(f"{origin} is locked with a password; unpack it and give what is inside")
            place = folder.joinpath(*[part for part in PurePosixPath(info.filename).parts if part not in ("..", "/")])
            place.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(info) as packed:
                _copy(packed, place, origin)
            members.append(place)
    return members


def _is_wanted(info: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(info.filename).parts
    return not info.is_dir() and bool(parts) and parts[0] != "__MACOSX" and not parts[-1].startswith(".")


def _copy(packed: IO[bytes], place: Path, origin: str) -> None:
    size = 0
    with place.open("wb") as plain:
        while block := packed.read(_BLOCK):
            size += len(block)
            if size > _LARGEST:
                raise InputError(f"{origin} unpacks to more than {_LARGEST >> 30} GB; unpack it and give a part")
            plain.write(block)


def _plain_name(path: Path) -> str:
    return path.stem if path.suffix.lower() in PACKED else path.name


@contextmanager
def _sound(origin: str) -> Iterator[None]:
    try:
        yield
    except _DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise InputError(f"{origin} is packed and damaged ({reason}); download or pack it again") from None
    except (NotImplementedError, RuntimeError, ValueError) as error:
        raise InputError(f"{origin} cannot be unpacked ({error}); unpack it and give what is inside") from None
