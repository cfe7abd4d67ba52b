"""No CSV that factlink writes starts a formula, and every one is read back as it was."""

import csv
import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factlink.data.files import write_network
from factlink.data.pairs import read_truth, write_pairs
from factlink.data.sources.networks import read_network
from factlink.data.tables import read_table, write_table
from factlink.errors import InputError
from factlink.evaluation.annotation import SHEET, tally, write_sheet
from factlink.types import Attribute, Kind, Network, Pairs

from .conftest import Folder

STARTS = tuple("=+-@\t\r\n＝＋－＠")
formulas = st.sampled_from(
    ["=1+1", "@amy", "-5", "+49", "\tx", "\rx", "'=x", "'", "x (after ')", "'x (after ')", "a;=1"]
)
cells = formulas | st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
names = st.lists(cells, min_size=1, max_size=4, unique=True)


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    columns = dict.fromkeys(["id", *draw(names)])
    height = draw(st.integers(1, 4))
    column = st.lists(cells.map(lambda cell: cell or None) | st.none(), min_size=height, max_size=height)
    return pl.DataFrame({name: pl.Series(name, draw(column), dtype=pl.String) for name in columns})


@settings(max_examples=100)
@given(table=tables())
def test_writing_and_reading_is_the_identity_and_starts_no_formula(
    table: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "t.csv"
    write_table(table, path)
    for row in csv.reader(io.StringIO(path.read_bytes().decode(), newline="")):
        assert not any(cell.startswith(STARTS) for cell in row), row
    empty = pl.all_horizontal(pl.all().is_null())
    assert read_table(path, "t").rows() == table.filter(~empty).rows()


def test_guards_are_on_whole_columns_and_their_headers(tmp_path: Path) -> None:
    write_table(
        pl.DataFrame({"left": ["@amy", None, "bob"], "right": ["a", "b", "c"], "n": [-1, 2, 3]}), tmp_path / "t.csv"
    )
    assert (tmp_path / "t.csv").read_text() == "'left (after '),right,n\n'@amy,a,-1\n,b,2\n'bob,c,3\n"
    assert read_table(tmp_path / "t.csv", "t").rows() == [("@amy", "a", "-1"), (None, "b", "2"), ("bob", "c", "3")]


def test_apostrophes_of_others_stay(folder: Folder) -> None:
    network = read_network(folder(users__csv="id,'name'\n'=1,'Ann'\n'2,'Bob'\n"))
    assert network.users.to_list() == ["'=1", "'2"]
    assert network.attributes["'name'"].objects.to_list() == ["'Ann'", "'Bob'"]


def test_a_cell_that_lost_its_guard(folder: Folder) -> None:
    path = folder(users__csv="'id (after ')\n'@amy\nbob\n")
    with pytest.raises(
        InputError,
        match=r"^network 'net': users.csv row 2: 'bob' does not start with ' as the other cells of column "
        r'"\'id \(after \'\)" do; put \' before it$',
    ):
        read_network(path)


def test_a_guarded_and_a_bare_column_of_one_name(folder: Folder) -> None:
    with pytest.raises(
        InputError, match=r"^network 'net': users.csv has 2 columns 'id'; give each column its own name"
    ):
        read_network(folder(users__csv="'id (after '),id\n'@amy,1\n"))


def test_ids_that_are_formulas_come_back_as_networks_and_pairs(tmp_path: Path) -> None:
    users = pl.Series(["=cmd|' /C calc'!A0", "-5", "@amy"])
    names = Attribute(Kind.NAME, np.arange(3), pl.Series(["+1", "Bo", "=x"]))
    network = Network("net", users, {"name": names}, {})
    write_network(network, tmp_path / "net", "csv")
    again = read_network(tmp_path / "net")
    assert again.users.to_list() == users.to_list()
    assert again.attributes["name"].objects.to_list() == ["+1", "Bo", "=x"]
    write_pairs(Pairs(np.array([0, 2]), np.array([1, 0])), tmp_path / "pairs.csv", network, network)
    truth = read_truth(tmp_path / "pairs.csv", network, network)
    assert (truth.pairs.lefts.tolist(), truth.pairs.rights.tolist()) == ([0, 2], [1, 0])


def test_annotation_sheets_start_no_formula_and_can_be_judged(tmp_path: Path) -> None:
    name = Attribute(Kind.NAME, np.arange(2), pl.Series(["=1+1", "bob"]))
    network = Network("net", pl.Series(["@a", "b"]), {"name": name}, {})
    write_sheet(tmp_path, network, network, {"FE": Pairs(np.array([0]), np.array([1]))})
    text = (tmp_path / SHEET).read_text()
    assert text.splitlines()[1].startswith("1,'@a,'=1+1,")
    (tmp_path / SHEET).write_text(text.rstrip("\n").removesuffix('""') + "match\n")
    assert tally(tmp_path).rows()[0] == ("FE", "match", 1)
