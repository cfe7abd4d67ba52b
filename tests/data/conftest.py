from collections.abc import Callable
from pathlib import Path

import pytest

Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Makes a folder of files: names with dots are given with '__', as in folder(users__csv='id\\n1\\n')."""

    def make(name: str = "net", **files: str | bytes) -> Path:
        path = tmp_path / name
        path.mkdir(exist_ok=True)
        for file, content in files.items():
            data = content if isinstance(content, bytes) else content.encode()
            (path / file.replace("__", ".")).write_bytes(data)
        return path

    return make
