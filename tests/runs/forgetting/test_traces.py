"""What is left of an account in the files of a folder."""

from pathlib import Path

import polars as pl
import pytest

from factlink.runs.forgetting.accounts import Account
from factlink.runs.forgetting.traces import find_traces, telling_values, written_forms

AMY = Account("left", "home", "amy7", 0)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    for side, names in (("left", ["Bo Ek", "met Rare Ann there"]), ("right", ["Cy Orr", "Dee"])):
        (tmp_path / side).mkdir()
        users = pl.DataFrame({"id": [f"{side}1", f"{side}2"], "name": names, "tags": [["golf", "chess"], None]})
        users.write_parquet(tmp_path / side / "users.parquet")
    return tmp_path


def test_values_that_others_have_or_that_are_short_are_not_looked_for(run: Path) -> None:
    values = {"amy7", "Rare Ann", "chess", "Cy Orr", "abc", "éa", "ééé", "Lone Wolf"}
    assert telling_values(values, run) == ["Lone Wolf", "amy7", "ééé"]


def test_a_value_is_found_as_any_file_writes_it() -> None:
    assert set(written_forms('a"b&é')) == {
        'a"b&é'.encode(),
        b'a\\"b&\\u00e9',
        'a""b&é'.encode(),
        "a&quot;b&amp;é".encode(),
    }


def test_files_are_searched_as_bytes_and_tables_as_text(run: Path) -> None:
    assert find_traces(run, [AMY], ["Lone Wolf"]) == []
    (run / "note.txt").write_text("a Lone Wolf")
    (run / "empty.txt").touch()
    (run / "page.html").write_text("nobody")
    pl.DataFrame({"note": [["x", "the Lone Wolf"]] * 50}).write_parquet(run / "packed.parquet")
    assert find_traces(run, [AMY], ["Lone Wolf"]) == ["note.txt", "packed.parquet"]


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ({"left": ["amy7", "x"]}, True),
        ({"right": ["amy7", "x"]}, False),  # an id of the other network is another account
        ({"runner_up": ["amy7", "x"]}, False),
        ({"left": [7, 8]}, False),
        ({"other": ["amy7", "x"]}, False),
    ],
)
def test_an_id_is_looked_for_where_ids_of_its_network_stand(
    run: Path, table: dict[str, list[object]], found: bool
) -> None:
    pl.DataFrame(table).write_parquet(run / "some.parquet")
    assert find_traces(run, [AMY], []) == (["some.parquet"] if found else [])
    right = Account("right", "away", "amy7", 0)
    expected = ["some.parquet"] if set(table) & {"right", "runner_up"} else []
    assert find_traces(run, [right], []) == expected


def test_an_id_is_looked_for_among_the_users_and_links_of_its_network(run: Path) -> None:
    pl.DataFrame({"source": ["left1"], "target": ["amy7"]}).write_parquet(run / "left" / "links.parquet")
    pl.DataFrame({"source": ["amy7"], "target": ["right1"]}).write_parquet(run / "right" / "links.parquet")
    assert find_traces(run, [AMY], []) == ["left/links.parquet"]
