import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.sources.networks import check_distinct, distinct_names, read_network, read_networks
from factlink.errors import FactlinkError, InputError, SettingError
from factlink.types import Attribute, Kind, Network

from .conftest import Folder


def objects(network: Network, predicate: str) -> list[tuple[int, str]]:
    attribute = network.attributes[predicate]
    return list(zip(attribute.rows.tolist(), attribute.objects.to_list(), strict=True))


def refused(path: Path, message: str, error: type[FactlinkError] = InputError, **options: object) -> None:
    """Reading fails with one sentence, and writes nothing."""
    before = sorted(path.parent.rglob("*"))
    with pytest.raises(error, match="^" + re.escape(message) + "$"):
        read_network(path, **options)  # type: ignore[arg-type]
    assert sorted(path.parent.rglob("*")) == before


def test_csv_network(folder: Folder) -> None:
    path = folder(
        users__csv='id,name,tags\n007,Ann,"[""a"", ""b""]"\n8,,c\n9," ",\n',
        links__csv="source,target\n8,007\n007,8\n9,8\n",
    )
    network = read_network(path)
    assert network.name == "net"
    assert network.users.to_list() == ["007", "8", "9"]
    assert objects(network, "name") == [(0, "Ann")]
    assert objects(network, "tags") == [(0, "a"), (0, "b"), (1, "c")]
    follows = network.links["follows"]
    assert follows.followers.tolist() == [0, 1, 2]
    assert follows.followees.tolist() == [1, 0, 1]
    assert follows.weights.tolist() == [1, 1, 1]
    assert follows.followers.dtype == follows.followees.dtype == np.int32


def test_jsonl_network_with_scalars_and_lists_in_one_column(folder: Folder) -> None:
    path = folder(
        users__jsonl='{"id": 1, "name": ["Ann", "A.", "Ann"], "n": 7.0}\n\n'
        '{"id": "x", "name": "[Bob]", "n": 2.5}\n{"id": 3}\n'
    )
    network = read_network(path, name="left")
    assert network.name == "left"
    assert network.users.to_list() == ["1", "x", "3"]
    assert objects(network, "name") == [(0, "Ann"), (0, "A."), (1, "[Bob]")]
    assert objects(network, "n") == [(0, "7"), (1, "2.5")]
    assert network.links == {}


def test_parquet_network(folder: Folder) -> None:
    path = folder()
    pl.DataFrame({"id": [1, 2], "name": [["Ann", None, "", "Ann"], []]}).write_parquet(path / "users.parquet")
    pl.DataFrame({"source": [2], "target": [1], "predicate": ["blocks"]}).write_parquet(path / "links.parquet")
    network = read_network(path)
    assert network.users.to_list() == ["1", "2"]
    assert objects(network, "name") == [(0, "Ann")]
    assert list(network.links) == ["blocks"]


def test_words_that_look_like_missing_are_names(folder: Folder) -> None:
    network = read_network(folder(users__csv="id,name\n1,None\n2,nan\n3,null\n4,NA\n"))
    assert objects(network, "name") == [(0, "None"), (1, "nan"), (2, "null"), (3, "NA")]


def test_kinds_are_set_by_argument_then_by_file_then_guessed(folder: Folder) -> None:
    path = folder(
        users__csv="id,name,bio,x\n1,Ann,likes tea,u\n2,Bob,likes cake,v\n",
        kinds__json='{"bio": "category", "x": "text", "gone": "name"}',
    )
    network = read_network(path, kinds={"x": "ignore"})
    assert {predicate: attribute.kind for predicate, attribute in network.attributes.items()} == {
        "name": Kind.NAME,
        "bio": Kind.CATEGORY,
        "x": Kind.IGNORE,
    }


def test_reports_say_why_and_what_was_dropped(folder: Folder) -> None:
    left = folder(
        "left", users__csv="id,name\n1,Ann\n2,Bob\n", links__csv="source,target,at\n1,1,x\n1,2,y\n1,2,z\n9,1,w\n"
    )
    right = folder("right", users__csv="id,bio\n1,I like tea\n")
    readings = read_networks([left, right], kinds={"bio": Kind.TEXT}, drop_dangling=True)
    assert [reading.network.name for reading in readings] == ["left", "right"]
    links = readings[0].links
    assert (links.dangling, links.self_links, links.repeated, links.unused_columns) == (1, 1, 1, ("at",))
    assert readings[0].guesses["name"].reason == "the column's name says 'name'"
    assert readings[1].guesses["bio"].reason == "set"


def test_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "gone"
    refused(path, f"there is no folder or file {path}; check the path")


def test_a_file_for_a_folder(folder: Folder) -> None:
    path = folder(users__csv="id\n1\n", links__csv="source,target\n") / "users.csv"
    reading = read_networks([path])[0]
    assert reading.network.name == "users"
    assert reading.network.users.to_list() == ["1"]
    assert reading.unread == (f"links.csv beside it is not read; add --links {path.parent / 'links.csv'}",)


def test_no_users_file(folder: Folder) -> None:
    path = folder()
    refused(
        path,
        f"network 'net': {path} holds no users file; add users.csv (or .parquet, .jsonl, .xlsx) with a column 'id', "
        "or name the file that holds the users",
    )


def test_two_users_files(folder: Folder) -> None:
    path = folder(users__csv="id\n1\n", users__jsonl='{"id": 1}\n')
    refused(path, f"network 'net': {path} holds users.csv and users.jsonl; keep one of them")


@pytest.mark.parametrize("content", ["", "id\n", "\n"])
def test_empty_network(folder: Folder, content: str) -> None:
    path = folder(users__csv=content)
    refused(path, "network 'net': users.csv holds no users; give a column 'id' and one row for each user")


def test_empty_network_with_attributes(folder: Folder) -> None:
    refused(folder(users__csv="id,name\n"), "network 'net': users.csv holds no users; give one row for each user")


def test_no_id(folder: Folder) -> None:
    refused(
        folder(users__csv="place,born\nOslo,1980\nRome,1980\n"),
        "network 'net': users.csv has no column that is called like an id (columns found: 'place', 'born'); "
        "name a column that tells users apart, for example --id 'place'; if the rows are links, set --source 'place' "
        "--target 'born'",
    )


def test_semicolons(folder: Folder) -> None:
    reading = read_networks([folder(users__csv="id;name\n1;Ann, B.\n")])[0]
    assert objects(reading.network, "name") == [(0, "Ann, B.")]
    assert reading.notes == ("users.csv: columns are separated by semicolons",)


def test_repeated_id(folder: Folder) -> None:
    refused(
        folder(users__csv="id,name\nu1,Ann\nu2,Bob\nu1,Cid\n"),
        "network 'net': users.csv row 3: id 'u1' is also in row 1; "
        "give each user one row, with a list where there are several values",
    )


@pytest.mark.parametrize("cell", ["", '""', "  "])
def test_empty_id(folder: Folder, cell: str) -> None:
    path = folder(users__csv=f"id,name\nu1,Ann\n{cell},Bob\n")
    refused(path, "network 'net': users.csv row 2: the id is empty; give every user an id")


def test_several_ids(folder: Folder) -> None:
    path = folder(users__jsonl='{"id": ["a", "b"]}\n')
    refused(path, "network 'net': users.jsonl row 1: column 'id' holds a list, ['a', 'b']; give one value")


def test_unknown_kind(folder: Folder) -> None:
    refused(
        folder(users__csv="id,bio\n1,x\n"),
        "no kind is called 'prose'; there are: name, text, image, category, date, number, location, handle, url, "
        "ignore",
        SettingError,
        kinds={"bio": "prose"},
    )


def test_kind_of_no_column(folder: Folder) -> None:
    refused(
        folder(users__csv="id,bio,name\n1,x,y\n"),
        "a kind is set for 'boi', which is not a column of network 'net'; there are: bio, name",
        SettingError,
        kinds={"boi": "text"},
    )


@pytest.mark.parametrize(
    ("content", "problem"), [("[1]", "does not map columns to kinds"), ('{"a": 1}', "does not map")]
)
def test_kinds_file_of_another_shape(folder: Folder, content: str, problem: str) -> None:
    path = folder(users__csv="id\n1\n", kinds__json=content)
    with pytest.raises(InputError, match=f"network 'net': kinds.json {problem}.*write it like"):
        read_network(path)


def test_unknown_kind_in_a_kinds_file(folder: Folder) -> None:
    with pytest.raises(
        InputError, match=r"^network 'net': kinds.json: no kind is called 'prose'; there are: name, text"
    ):
        read_network(folder(users__csv="id\n1\n", kinds__json='{"bio": "prose"}'))


def test_kinds_file_that_is_no_json(folder: Folder) -> None:
    with pytest.raises(InputError, match=r"network 'net': kinds.json is not JSON"):
        read_network(folder(users__csv="id\n1\n", kinds__json="bio=text"))


def test_same_folder(folder: Folder, tmp_path: Path) -> None:
    path = folder(users__csv="id\n1\n")
    (tmp_path / "alias").symlink_to(path)
    with pytest.raises(InputError, match=r"net' and '.*alias' are the same folder; give two different networks"):
        read_networks([path, tmp_path / "alias"])
    check_distinct([path, tmp_path / "other"])


def test_names_are_told_apart() -> None:
    assert distinct_names(["a/fb", "a/tw/"]) == ["fb", "tw"]
    assert distinct_names(["/x/2019/fb", "/x/2020/fb"]) == ["2019/fb", "2020/fb"]
    assert distinct_names([".."]) == [Path.cwd().parent.name]
    assert distinct_names([]) == []


def test_writing_refuses_another_format_and_another_network(folder: Folder, tmp_path: Path) -> None:
    network = read_network(folder(users__csv="id\n1\n"))
    with pytest.raises(SettingError, match="no format is called 'xml'; there are: parquet, csv, jsonl"):
        write_network(network, tmp_path / "new", "xml")
    with pytest.raises(
        InputError, match="net already holds a network; write to another folder or remove this one first"
    ):
        write_network(network, tmp_path / "net")
    assert not (tmp_path / "new").exists()


def test_writing_leaves_no_parts(folder: Folder, tmp_path: Path) -> None:
    network = read_network(folder(users__csv="id,name\n1,Ann\n2,Bob\n", links__csv="source,target\n1,2\n"))
    write_network(network, tmp_path / "a" / "b", "csv")
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["kinds.json", "links.csv", "users.csv"]
    assert (tmp_path / "a" / "b" / "users.csv").read_text() == "id,name\n1,Ann\n2,Bob\n"
    assert (tmp_path / "a" / "b" / "links.csv").read_text() == "source,target,predicate,weight\n1,2,follows,1.0\n"


def test_a_failed_write_is_no_network(folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = read_network(folder(users__csv="id\n1\n2\n", links__csv="source,target\n1,2\n"))

    def fail(*_: object, **__: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fail)
    with pytest.raises(OSError, match="disk full"):
        write_network(network, tmp_path / "new", "csv")
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["kinds.json"]


def test_cells_that_look_like_lists_survive_csv(tmp_path: Path) -> None:
    rows = np.array([0, 1, 2], np.int32)
    odd = pl.Series(['["x"]', "[]", "[hello] world"])
    network = Network("odd", pl.Series(["a", "b", "c"]), {"name": Attribute(Kind.NAME, rows, odd)}, {})
    write_network(network, tmp_path / "odd", "csv")
    assert objects(read_network(tmp_path / "odd"), "name") == [(0, '["x"]'), (1, "[]"), (2, "[hello] world")]
