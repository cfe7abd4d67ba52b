from pathlib import Path

import pytest

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network, read_networks
from factlink.errors import InputError
from factlink.types import Kind, Network

from .conftest import Folder


@pytest.fixture
def data(folder: Folder) -> Path:
    path = folder(
        "fb_tw",
        fb_user_names__txt="100\tAnn Lee\n007\tNone\n8\tRené\n",
        fb_screen_names__txt='8\t"rene"\n100\tann.lee\n555\tghost\n007\t \n',
        fb_sub_network__txt="100\t007\n8 100\n",
        tw_user_names__txt="55\tann_lee\r\n66\tNone\r\n",
        tw_sub_network__txt="55\t66\n",
        ground_truth__txt="100\t55\n8\t66\n",
    )
    (path / "images" / "fb").mkdir(parents=True)
    for user in ("8", "100", "4"):
        (path / "images" / "fb" / f"{user}.jpg").write_bytes(b"")
    (path / "fold_1").mkdir()
    (path / "fold_1" / "training.txt").write_text("8\t66\n")
    return path


def objects(network: Network, predicate: str) -> list[tuple[int, str]]:
    attribute = network.attributes[predicate]
    return list(zip(attribute.rows.tolist(), attribute.objects.to_list(), strict=True))


def test_a_network_in_the_layout_of_the_authors(data: Path) -> None:
    network = read_network(data / "fb")
    assert network.name == "fb"
    assert network.users.to_list() == ["100", "007", "8"]
    assert objects(network, "username") == [(0, "Ann Lee"), (2, "René")]
    assert objects(network, "screen_name") == [(0, "ann.lee"), (2, '"rene"')]
    assert objects(network, "image") == [(0, f"{data}/images/fb/100.jpg"), (2, f"{data}/images/fb/8.jpg")]
    assert [attribute.kind for attribute in network.attributes.values()] == [Kind.NAME, Kind.NAME, Kind.IMAGE]
    follows = network.links["follows"]
    assert (follows.followers.tolist(), follows.followees.tolist()) == ([0, 2], [1, 0])


def test_a_network_without_screen_names_and_pictures(data: Path) -> None:
    network = read_network(data / "tw")
    assert list(network.attributes) == ["username"]
    assert objects(network, "username") == [(0, "ann_lee")]


def test_pairs_of_the_authors(data: Path) -> None:
    left, right = (reading.network for reading in read_networks([data / "fb", data / "tw"]))
    truth = read_pairs(data / "ground_truth.txt", left, right)
    assert (truth.lefts.tolist(), truth.rights.tolist()) == ([0, 2], [0, 1])
    assert read_pairs(data / "fold_1" / "training.txt", right, left).rights.tolist() == [2]


def test_the_folder_alone_names_its_networks(data: Path) -> None:
    with pytest.raises(InputError, match=f"holds no users file; it is in .* authors: give {data}/fb or {data}/tw$"):
        read_network(data)


def test_a_name_line_without_a_tab(data: Path) -> None:
    (data / "tw_user_names.txt").write_text("55\tann_lee\n66 None\n")
    with pytest.raises(
        InputError, match=r"^network 'tw': tw_user_names.txt row 2: '66 None' has no tab; write id, tab, name$"
    ):
        read_network(data / "tw")


def test_a_name_that_is_not_utf8(data: Path) -> None:
    (data / "tw_user_names.txt").write_bytes(b"55\tRen\xe9\n")
    with pytest.raises(InputError, match=r"^network 'tw': tw_user_names.txt line 1: byte 0xe9 is not UTF-8; save"):
        read_network(data / "tw")


def test_a_link_to_nobody(data: Path) -> None:
    (data / "tw_sub_network.txt").write_text("55\t66\n55\t77\n")
    with pytest.raises(
        InputError, match=r"^network 'tw': tw_sub_network.txt row 2: followee '77' is not in tw_user_names.txt"
    ):
        read_network(data / "tw")
    assert len(read_network(data / "tw", drop_dangling=True).links["follows"]) == 1


def test_half_a_link(data: Path) -> None:
    (data / "tw_sub_network.txt").write_text("55\n")
    with pytest.raises(
        InputError, match=r"^network 'tw': tw_sub_network.txt row 1: '55' stands alone; give two ids on each"
    ):
        read_network(data / "tw")


def test_no_users(data: Path) -> None:
    (data / "tw_user_names.txt").write_text("\n")
    with pytest.raises(
        InputError, match=r"^network 'tw': tw_user_names.txt holds no users; give one row for each user"
    ):
        read_network(data / "tw")
