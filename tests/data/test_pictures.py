from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.sources.networks import read_network
from factlink.types import Attribute, Kind, Network

from .conftest import Folder


def pictures(network: Network) -> list[str]:
    return network.attributes["photo"].objects.to_list()


def test_relative_paths_lie_in_the_folder(folder: Folder) -> None:
    lines = ["a/1.jpg", "/abs/2.png", "../3.jpg", "C:\\4.jpg"]
    path = folder(users__csv="id,photo\n" + "".join(f"{i},{line}\n" for i, line in enumerate(lines)))
    network = read_network(path)
    assert network.attributes["photo"].kind is Kind.IMAGE
    assert pictures(network) == [f"{path}/a/1.jpg", "/abs/2.png", f"{path}/../3.jpg", "C:\\4.jpg"]


def test_addresses_stay(folder: Folder) -> None:
    path = folder(users__csv="id,photo\n1,https://a.org/1.jpg\n")
    assert pictures(read_network(path, kinds={"photo": "image"})) == ["https://a.org/1.jpg"]


def test_other_kinds_keep_their_paths(folder: Folder) -> None:
    path = folder(users__csv="id,photo\n1,a/1.jpg\n")
    assert pictures(read_network(path, kinds={"photo": "category"})) == ["a/1.jpg"]


def test_pictures_are_found_again_after_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "new"
    paths = [f"{home}/a/1.jpg", "here/2.jpg", "/abs/3.jpg", "https://a.org/4.jpg"]
    photo = Attribute(Kind.IMAGE, np.arange(4, dtype=np.int32), pl.Series(paths))
    write_network(Network("new", pl.Series(["1", "2", "3", "4"]), {"photo": photo}, {}), home, "csv")
    stored = (home / "users.csv").read_text().splitlines()
    assert stored == ["id,photo", "1,a/1.jpg", f"2,{tmp_path}/here/2.jpg", "3,/abs/3.jpg", "4,https://a.org/4.jpg"]
    assert pictures(read_network(home)) == [paths[0], f"{tmp_path}/here/2.jpg", *paths[2:]]


@pytest.mark.parametrize("path", ["C:\\me.png", "\\\\server\\me.png", "http://x/me.png", "s3+x://a//b.png"])
def test_places_elsewhere_are_written_as_they_are(tmp_path: Path, path: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "users.csv").write_text(f"id,avatar\n1,{path}\n")
    network = read_network(tmp_path / "in", kinds={"avatar": "image"})
    write_network(network, tmp_path / "out")
    assert read_network(tmp_path / "out").attributes["avatar"].objects.to_list() == [path]


def test_a_scheme_in_the_middle_of_a_path_is_none(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "users.csv").write_text("id,avatar\n1,a b://me.png\n")
    write_network(read_network(tmp_path / "in", kinds={"avatar": "image"}), tmp_path / "out")
    assert read_network(tmp_path / "out").attributes["avatar"].objects.to_list() == [f"{tmp_path}/in/a b:/me.png"]
