"""Which files of a folder are a network, which are named as unread, and what cannot be a file."""

import os
import stat
from pathlib import Path

import pytest

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.data.sizes import measure_size
from factlink.data.sources.networks import read_network, read_networks
from factlink.data.tables import read_table
from factlink.errors import InputError
from factlink.types import NO_PAIRS

from .conftest import Folder

USERS = "id,name\n1,Ann\n2,Bob\n"
WHERE = "a network is users.* and links.*: add what it holds to one of them, or move it away"


@pytest.mark.parametrize(
    ("file", "advice"),
    [
        ("edges.feather", "save it as links.csv, .parquet or .jsonl"),
        ("users2.csv", "add its rows to users.csv, or move it away"),
        ("Users.parquet", "add its rows to users.csv, or move it away"),
        ("posts.csv", WHERE),
        ("data.tsv", WHERE),
    ],
)
def test_unread_files_are_named(folder: Folder, file: str, advice: str) -> None:
    path = folder(users__csv=USERS)
    (path / file).write_text("source,target\n1,2\n")
    assert read_networks([path])[0].unread == (f"{file} is not read; {advice}",)


def test_a_second_links_file_is_named(folder: Folder) -> None:
    path = folder(users__csv=USERS, links__csv="source,target\n1,2\n", edges__csv="source,target\n1,2\n")
    assert read_networks([path])[0].unread == ("edges.csv is not read; add its rows to links.csv, or move it away",)


@pytest.mark.parametrize("file", ["edges.csv", "follows.csv", "Links.CSV", "links.txt", "friend-graph.tsv"])
def test_links_under_another_name(folder: Folder, file: str) -> None:
    path = folder(users__csv=USERS)
    (path / file).write_text("source\ttarget\n1\t2\n" if file.endswith("v") else "source,target\n1,2\n")
    reading = read_networks([path])[0]
    assert reading.network.links["follows"].followees.tolist() == [1]
    assert reading.unread == ()


def test_two_files_that_may_be_links(folder: Folder) -> None:
    path = folder(users__csv=USERS, edges__csv="source,target\n1,2\n", follows__csv="source,target\n2,1\n")
    with pytest.raises(
        InputError, match=r"edges.csv and follows.csv, which may all be the links; name one with --links"
    ):
        read_network(path)
    assert len(read_network(path, path / "edges.csv").links["follows"]) == 1


@pytest.mark.parametrize(
    "file",
    [
        "README.md",
        "readme.txt",
        "LICENSE.txt",
        ".users.csv.part",
        "truth.csv",
        "known_pairs.csv",
        "stats.json",
        "a.jpg",
    ],
)
def test_what_is_no_part_of_a_network_is_not_named(folder: Folder, file: str) -> None:
    path = folder(users__csv=USERS, kinds__json="{}")
    (path / file).write_text("x")
    (path / "pictures.csv").mkdir()
    assert read_networks([path])[0].unread == ()


def test_users_under_another_name(folder: Folder) -> None:
    path = folder(accounts__csv=USERS)
    reading = read_networks([path])[0]
    assert reading.network.users.to_list() == ["1", "2"]
    assert reading.notes == ("users: accounts.csv",)


def test_folders_pipes_and_devices_are_no_files(folder: Folder) -> None:
    path = folder()
    (path / "users.csv").mkdir()
    with pytest.raises(InputError, match=r"net/users.csv is a folder; give a file$"):
        read_network(path)
    (path / "users.csv").rmdir()
    os.mkfifo(path / "users.csv")
    with pytest.raises(InputError, match=r"net/users.csv is a device or a pipe; give a file$"):
        read_network(path)
    (path / "users.csv").unlink()
    (path / "users.csv").write_text(USERS)
    os.mkfifo(path / "links.csv")
    with pytest.raises(InputError, match=r"net/links.csv is a device or a pipe; give a file$"):
        read_network(path)
    with pytest.raises(InputError, match=r"net/links.csv is a device or a pipe; give a file$"):
        measure_size(path)
    with pytest.raises(InputError, match=r"^/dev/null is a device or a pipe, not a network; give a folder or a file$"):
        read_network("/dev/null")


def test_kinds_that_are_a_folder(folder: Folder) -> None:
    path = folder(users__csv=USERS)
    (path / "kinds.json").mkdir()
    with pytest.raises(InputError, match=r"^network 'net': kinds.json is not a file; remove it, or write a file like"):
        read_network(path)


def test_links_that_lead_in_a_circle(folder: Folder, tmp_path: Path) -> None:
    path = folder()
    (path / "users.csv").symlink_to(path / "users.csv")
    with pytest.raises(InputError, match=r"there is no file .*net/users.csv; check the path"):
        read_network(path)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for read in (read_network, measure_size, lambda place: read_networks([place, path])):
        with pytest.raises(InputError, match=r"loop cannot be read \(Too many levels of symbolic links\); check"):
            read(tmp_path / "loop")


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("a\0b", r"'a\\x00b' is not a path \(embedded null byte\); check it"),
        ("x" * 5000, r"x+ … x+ cannot be read \(File name too long\); check the path and its permissions"),
        ("\ud800", r"'\\ud800' is not a path \(.*surrogates not allowed\); check it"),
        ("", r"there is no folder|holds no users file"),
    ],
    ids=["nul", "long", "half", "empty"],
)
def test_paths_that_are_none(path: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_network(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_files_that_may_not_be_read(folder: Folder) -> None:
    path = folder(users__csv=USERS)
    (path / "users.csv").chmod(0)
    with pytest.raises(
        InputError, match=r"users.csv cannot be read \(Permission denied\); check the path and its perm"
    ):
        read_network(path)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_empty_and_foreign_files(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t.{suffix}"
    path.write_bytes(b"\x7fELF\x02\x01\x01\0\xff\xfe" * 50)
    with pytest.raises(InputError, match=r"^t (line 1: byte 0xff is not UTF-8|is not a complete Parquet file)"):
        read_table(path, "t")
    path.write_bytes(b"")
    if suffix == "parquet":
        with pytest.raises(InputError, match=r"^t is not a complete Parquet file"):
            read_table(path, "t")
    else:
        assert read_table(path, "t").shape == (0, 0)


def test_what_is_written_is_for_its_owner_alone(folder: Folder, tmp_path: Path) -> None:
    network = read_network(folder(users__csv=USERS, links__csv="source,target\n1,2\n"))
    write_network(network, tmp_path / "new" / "net", "jsonl")
    write_pairs(NO_PAIRS, tmp_path / "pairs.csv", network, network)
    written = [*(tmp_path / "new" / "net").iterdir(), tmp_path / "pairs.csv"]
    assert sorted(path.name for path in written) == ["kinds.json", "links.jsonl", "pairs.csv", "users.jsonl"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in written} == {0o600}
    assert stat.S_IMODE((tmp_path / "new" / "net").stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made(folder: Folder) -> None:
    path = folder(users__csv=USERS)
    with pytest.raises(InputError, match=r"users.csv/net cannot be made \(.*\); name another folder"):
        write_network(read_network(path), path / "users.csv" / "net")
