"""Every format is read back by the program it is for, or by its own library."""

import json
import resource
from pathlib import Path

import networkx
import openpyxl
import polars as pl
import pytest

from factlink.data.tables import read_table
from factlink.errors import FactlinkError, InputError, describe_os_error
from factlink.export.exporting import ENDINGS, FORMATS, export_follows, export_run
from factlink.export.selection import Selection
from factlink.runs.folder.listing import COLUMNS

PAIRS = [("a", "1"), ("b", "2"), ("c", "3")]


def pairs_of(frame: pl.DataFrame) -> list[tuple[str, str]]:
    return frame.select("left", "right").rows()  # type: ignore[return-value]


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".jsonl"])
def test_tables_are_read_back_as_they_were(run: Path, tmp_path: Path, ending: str) -> None:
    exported = export_run(run, tmp_path / f"links{ending}")
    table = read_table(tmp_path / f"links{ending}", "links")
    assert (exported.rows, exported.format) == (3, ending[1:])
    assert tuple(table.columns) == COLUMNS
    assert pairs_of(table) == PAIRS
    assert table["left_name"][1] == "=2+5 Bob"


def test_a_workbook_holds_text_where_a_formula_could_be(run: Path, tmp_path: Path) -> None:
    export_run(run, tmp_path / "links.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "links.xlsx").active
    rows = list(sheet.iter_rows())
    assert [cell.value for cell in rows[0]] == list(COLUMNS)
    assert (rows[2][1].value, rows[2][1].data_type) == ("=2+5 Bob", "s")
    assert rows[1][4].data_type == "n"


@pytest.mark.parametrize(("ending", "read"), [(".graphml", networkx.read_graphml), (".gexf", networkx.read_gexf)])
def test_graphs_hold_both_networks_and_the_links(run: Path, tmp_path: Path, ending: str, read: object) -> None:
    export_run(run, tmp_path / f"graph{ending}")
    graph = read(tmp_path / f"graph{ending}")  # type: ignore[operator]
    assert sorted(graph.nodes) == ["left:a", "left:b", "left:c", "right:1", "right:2", "right:3"]
    ends = {(a, b): data["kind"] for a, b, data in graph.edges(data=True)}
    links = [pair for pair, kind in ends.items() if kind == "link"]
    assert sorted(links) == [("left:a", "right:1"), ("left:b", "right:2"), ("left:c", "right:3")]
    assert ends["left:a", "left:b"] == "follows"
    ann = graph.nodes["left:a"]
    assert (ann["label"], ann["network"], ann["side"], ann["network_"]) == ('Ann <Lee> & "Co"', "old", "left", "one")
    assert graph.nodes["left:c"]["label"] == "Cid� Moe"
    assert 0.5 <= graph.edges["left:a", "right:1"]["weight"] <= 1


def test_statements_give_linked_persons_one_canonical_id(run: Path, tmp_path: Path) -> None:
    export_run(run, tmp_path / "links.ftm.json")
    said = [json.loads(line) for line in (tmp_path / "links.ftm.json").read_text("utf-8").splitlines()]
    persons = {each["entity_id"]: each["canonical_id"] for each in said if each["schema"] == "Person"}
    assert (len(persons), len(set(persons.values()))) == (6, 3)
    owners = [each for each in said if each["prop"] == "owner"]
    assert len(owners) == 6
    assert {each["value"] for each in owners} == set(persons)
    ann = next(each for each in said if each["prop"] == "username" and each["value"] == "a")
    assert (ann["dataset"], ann["schema"], ann["canonical_id"]) == ("old", "UserAccount", ann["entity_id"])
    assert len({each["id"] for each in said}) == len(said)


def test_rows_can_be_chosen(run: Path, tmp_path: Path) -> None:
    listed = pl.read_parquet(run / "links.parquet")
    least = float(listed["probability"].max())  # type: ignore[arg-type]
    chosen = export_run(run, tmp_path / "a.csv", Selection("link", round(least - 1e-5, 6)))
    assert chosen.rows == int((listed["probability"] >= least - 1e-5).sum())


def test_the_same_run_gives_the_same_bytes_that_others_cannot_read(run: Path, tmp_path: Path) -> None:
    for ending in ENDINGS:
        first, second = tmp_path / f"1{ending}", tmp_path / f"2{ending}"
        export_run(run, first)
        export_run(run, second)
        assert first.read_bytes() == second.read_bytes(), ending
        assert first.stat().st_mode & 0o777 == 0o600
    assert len(list(tmp_path.iterdir())) == 2 * len(ENDINGS)  # nothing is left over


def test_inputs_and_the_run_itself_are_not_written_over(run: Path, tmp_path: Path) -> None:
    users = run.parent / "old" / "users.parquet"
    (tmp_path / "copy.csv").write_bytes(users.read_bytes())
    for file, refusal in (
        (users, "is what .* was made from; name another file"),
        (tmp_path / "copy.csv", "is what .* was made from; name another file"),
        (run / "links.csv", "is a part of the run; name another file"),
    ):
        before = file.read_bytes()
        with pytest.raises(InputError, match=refusal):
            export_run(run, file)
        with pytest.raises(InputError, match=refusal):
            export_follows(run, file, "mastodon")
        assert file.read_bytes() == before


def test_every_format_has_an_ending() -> None:
    assert set(ENDINGS.values()) == set(FORMATS)


@pytest.mark.parametrize(
    ("file", "selection", "form", "message"),
    [
        ("links.doc", {}, "", r"'links\.doc' ends in no known format; there are: \.ftm\.json, .*--format"),
        ("links", {}, "word", r"no format is called 'word'; there are: csv, xlsx"),
        (
            "links.csv",
            {"decision": "maybe"},
            "",
            r"no decision is called 'maybe'; there are: link, unknown, no account",
        ),
        ("links.csv", {"min_probability": 2.0}, "", r"min_probability is 2\.0; use a number from 0 to 1"),
        ("links.csv", {"decision": "no account"}, "", r"none of the 3 rows of .* has the decision 'no account'"),
        ("no/links.csv", {}, "", r"there is no folder .*no; make it"),
    ],
)
def test_a_mistake_is_one_sentence(
    run: Path, tmp_path: Path, file: str, selection: dict[str, object], form: str, message: str
) -> None:
    with pytest.raises(FactlinkError, match=message):
        export_run(run, tmp_path / file, Selection(**selection), form)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".jsonl", ".xlsx", ".graphml", ".gexf", ".ftm.json"])
def test_a_full_disk_is_a_system_error_that_names_the_file(run: Path, tmp_path: Path, ending: str) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(OSError) as refused:  # noqa: PT011
            export_run(run, tmp_path / f"links{ending}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = describe_os_error(refused.value)
    assert f"links{ending}" in said
    assert said.endswith(": file too large; raise the limit of file sizes (ulimit -f)")
    assert list(tmp_path.iterdir()) == []
