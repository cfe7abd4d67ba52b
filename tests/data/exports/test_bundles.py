"""Nothing outside is reached, nothing is unpacked without end, and damage is said."""

import struct
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from factlink.data.exports import read, recognises
from factlink.data.exports.bundles import open_bundle, opened
from factlink.data.protocol import SourceOptions
from factlink.errors import InputError
from tests.data.exports.conftest import Pack

FOLLOWING = 'window.YTD.following.part0 = [{"following": {"accountId": "22"}}]'


def names(path: Path) -> list[str]:
    with open_bundle(path) as bundle:
        return bundle.names


def test_names_that_lead_outside_are_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in (
            "../following.js",
            "/etc/following.js",
            "a/../../following.js",
            "__MACOSX/following.js",
            "following.js",
        ):
            archive.writestr(name, FOLLOWING)
    assert names(path) == ["following.js"]


def test_links_in_a_tar_are_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "archive-1.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        link = tarfile.TarInfo("actor.json")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert names(path) == []


def test_a_zip_that_unpacks_to_too_much_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("data/following.js", "w", force_zip64=True) as file,
    ):
        file.write(FOLLOWING.encode())
        for _ in range(101):
            file.write(b" " * 2**20)
    assert path.stat().st_size < 2**20
    too_much = r"following.js unpacks to 105,\d+,\d+ bytes, more than 200 times"
    with open_bundle(path) as bundle, pytest.raises(InputError, match=too_much), opened(bundle, "data/following.js"):
        pass
    assert not recognises(path)


def test_a_tar_that_unpacks_to_too_much_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "archive-2.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo("outbox.json")
        entry.size = 101 * 2**20
        archive.addfile(entry, BytesIO(b" " * entry.size))
    with pytest.raises(InputError, match=r"outbox.json unpacks to 105,906,176 bytes, more than 200 times"):
        names(path)


def test_a_zip_with_a_password(tmp_path: Path) -> None:
    path = tmp_path / "locked.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("following.js", FOLLOWING)
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        where = data.find(mark) + offset
        struct.pack_into("<H", data, where, 1)
    path.write_bytes(data)
    locked = pytest.raises(InputError, match=r"following.js cannot be read \(.*encrypted")
    with open_bundle(path) as bundle, locked, opened(bundle, "following.js"):
        pass


def test_damaged_bytes_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/following.js", FOLLOWING + " " * 50_000 + "//")
    data = bytearray(path.read_bytes())
    data[data.rfind(b"//")] = ord("?")
    path.write_bytes(data)
    assert recognises(path)
    with pytest.raises(InputError, match=r"following.js cannot be read \(Bad CRC-32.*\); download the export again"):
        read(path, SourceOptions("x"))


@pytest.mark.parametrize("source", [None, 3, "nowhere", b"x", "a\0b", "x" * 5000, {"a": 1}])
def test_what_is_not_an_export(source: object) -> None:
    assert not recognises(source)


def test_folders_and_files_of_other_kinds(folder_of: Pack) -> None:
    path = folder_of(
        "net",
        {"users.csv": "id\n1\n", "links.csv": "source,target\n", "a.json": "[]", "b.zip": "no zip", "c.tgz": "no"},
    )
    assert not recognises(path)
    assert not any(recognises(path / name) for name in ("users.csv", "a.json", "b.zip", "c.tgz"))
    for damaged in ("b.zip", "c.tgz"):
        with pytest.raises(InputError, match=rf"{damaged} cannot be read .*; download the export again"):
            read(path, SourceOptions("x"))
        (path / damaged).unlink()
    with pytest.raises(InputError, match=r"is not an export that is known; docs/own-data.md lists them"):
        read(path, SourceOptions("x"))
