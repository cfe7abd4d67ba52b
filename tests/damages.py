"""What may happen to a file: it is cut, emptied, overwritten, replaced or removed."""

from collections.abc import Callable, Mapping
from pathlib import Path


def _one_bit(file: Path) -> None:
    held = file.read_bytes()
    file.write_bytes(held[:-9] + bytes([held[-9] ^ 1]) + b"12345678" if len(held) > 8 else held + b"1")


DAMAGES: Mapping[str, Callable[[Path], object]] = {
    "cut": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "emptied": lambda file: file.write_bytes(b""),
    "overwritten": lambda file: file.write_bytes(bytes((byte + 1) % 256 for byte in file.read_bytes())),
    "other": lambda file: file.write_bytes(b'{"format": 99}'),
    "one bit": _one_bit,
    "removed": Path.unlink,
}


def files_of(folder: Path) -> list[str]:
    """Paths of all files below a folder."""
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
