"""Networks in any form on the command line: import, plan, link and add."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from factlink.cli.app import app
from factlink.data.sources.networks import read_network
from factlink.errors import FactlinkError, InputError, SettingError

RUNNER = CliRunner(env={"COLUMNS": "200"})


def run(*words: object) -> str:
    result = RUNNER.invoke(app, list(map(str, words)))
    if isinstance(result.exception, FactlinkError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text("user_id;name\n1;Ann Lee\n2;Bob Ray\n3;Cid Moe\n")
    (tmp_path / "b.csv").write_text("uid,name\n7,Ann Lee\n8,Bob Ray\n9,Dan Poe\n")
    (tmp_path / "follows.csv").write_text("a,b\nAnn Lee,Bob Ray\nBob Ray,Zoe\n")
    return tmp_path


def test_import_shows_what_was_understood_and_writes_a_network(files: Path) -> None:
    shown = run("import", files / "a.csv", "-o", files / "net", "--links", files / "follows.csv", "--drop-dangling")
    for line in (
        "a: 3 users, 1 links",
        "a: a.csv: columns are separated by semicolons",
        "a: ids: column 'user_id' (guessed; set another with --id COLUMN)",
        "a: links: 'a' follows 'b' (guessed; set others with --source COLUMN --target COLUMN)",
        "a: the ends of links are given by 'name', not by id",
        "links left out: 1 dangling",
    ):
        assert line in shown
    network = read_network(files / "net")
    assert network.users.to_list() == ["1", "2", "3"]
    assert network.links["follows"].followees.tolist() == [1]


def test_import_for_machines(files: Path) -> None:
    found = json.loads(run("import", files / "b.csv", "-o", files / "net", "--id", "name", "--json"))
    assert found == {
        "network": str(files / "net"),
        "name": "b",
        "users": 3,
        "links": {},
        "columns": {
            "uid": {"kind": "ignore", "because": "the column's name says 'uid'", "users": 3},
            "name": {"kind": "name", "because": "the column's name says 'name'", "users": 3},
        },
        "links_left_out": {"dangling": 0, "self_links": 0, "repeated": 0},
        "unused_columns": [],
        "notes": ["ids: column 'name', which is also compared (--kind 'name=ignore' turns that off)"],
        "unread": [],
    }


def test_import_overwrites_nothing(files: Path) -> None:
    run("import", files / "b.csv", "-o", files / "net")
    with pytest.raises(InputError, match="net exists; name a new folder"):
        run("import", files / "a.csv", "-o", files / "net")


def test_plan_link_and_add_take_files(files: Path) -> None:
    assert json.loads(run("plan", files / "a.csv", files / "b.csv", "--json"))["left"]["users"] == 3
    shown = run(
        "link", files / "a.csv", files / "b.csv", "-o", files / "run", "--linker", "name", "--id", "left=user_id"
    )
    assert "b: ids: column 'uid' (guessed; set another with --id right=COLUMN)" in shown
    manifest = json.loads((files / "run" / "manifest.json").read_text())
    assert manifest["left"]["path"] == str(files / "a.csv")
    assert list(manifest["left"]["checksums"]) == ["a.csv", "as read"]
    assert manifest["right"]["name"] == "b"


def test_options_of_one_network(files: Path) -> None:
    both = ("link", files / "a.csv", files / "b.csv", "-o", files / "run")
    with pytest.raises(SettingError, match=r"^--links takes left=FILE or right=FILE, found 'x.csv'; say whose links"):
        run(*both, "--links", "x.csv")
    with pytest.raises(InputError, match=r"'b': b.csv has no column 'user_id' .*; set --id right='uid'$"):
        run(*both, "--id", "user_id")


def test_a_plan_counts_links_under_another_name(files: Path) -> None:
    (files / "net").mkdir()
    (files / "net" / "users.csv").write_text("id,name\n1,Ann Lee\n2,Bob Ray\n")
    (files / "net" / "edges.csv").write_text("from,to\n1,2\n")
    assert json.loads(run("plan", files / "net", files / "b.csv", "--json"))["left"]["links"] == 1
