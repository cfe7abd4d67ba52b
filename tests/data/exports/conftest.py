import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Files = Mapping[str, str | bytes]
Pack = Callable[[str, Files], Path]


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


def _folder(place: Path, files: Files) -> Path:
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_bytes(content))
    return place


def _zip(place: Path, files: Files) -> Path:
    path = place.with_name(place.name + ".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, _bytes(content))
    return path


def _tar(place: Path, files: Files) -> Path:
    path = place.with_name(f"archive-{place.name}.tar.gz")
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(_bytes(content))
            archive.addfile(entry, io.BytesIO(_bytes(content)))
    return path


FORMS: dict[str, Callable[[Path, Files], Path]] = {"folder": _folder, "zip": _zip, "tar": _tar}


@pytest.fixture(params=FORMS)
def pack(request: pytest.FixtureRequest, tmp_path: Path) -> Pack:
    """Puts files into a folder, a zip or a tar of some name."""
    return lambda name, files: FORMS[request.param](tmp_path / name, files)


@pytest.fixture
def folder_of(tmp_path: Path) -> Pack:
    """Puts files into a folder of some name."""
    return lambda name, files: _folder(tmp_path / name, files)
