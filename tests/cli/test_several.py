"""Three networks on the command line."""

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from factlink.cli.app import app
from factlink.data.files import write_network
from factlink.data.frames import network_from_frames
from factlink.serve.warm.run import open_run, work_folder

PEOPLE = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov", "Donald Knuth"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three networks of the same six people, and a run."""
    place = tmp_path_factory.mktemp("cli")
    for name in ("ant", "bee", "cat"):
        users = pl.DataFrame({"id": [f"{name}{i}" for i in range(len(PEOPLE))], "name": PEOPLE})
        write_network(network_from_frames(name, users, None), place / name)
    pl.DataFrame({"left": ["ant0", "bee1"], "right": ["bee0", "cat1"]}).write_csv(place / "truth.csv")
    made = say("link", *(str(place / name) for name in ("ant", "bee", "cat")), "-o", str(place / "run"))
    assert "6 persons have 3 accounts." in made
    return place


def say(*words: str) -> str:
    done = CliRunner().invoke(app, list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def refuse(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exception is not None
    return str(done.exception)


def test_persons_are_shown_and_listed(place: Path) -> None:
    assert "6 persons have 3 accounts." in say("persons", str(place / "run"))
    listed = json.loads(say("persons", str(place / "run"), "--json"))
    assert listed["sizes"] == {"3": 6}
    assert [account["user"] for account in listed["persons"][0]["accounts"]] == ["ant0", "bee0", "cat0"]
    assert listed["splits"] == listed["disagreements"] == []


def test_nothing_changed_in_the_run_itself(place: Path) -> None:
    same = say("persons", str(place / "run"), "--changes", str(place / "run"), "--json")
    assert json.loads(same) == {"changes": []}


def test_truth_of_any_two_networks(place: Path) -> None:
    scores = json.loads(say("evaluate", str(place / "run"), str(place / "truth.csv"), "--json"))
    assert list(scores["pairs"]) == ["ant:bee", "bee:cat"]
    assert scores["persons"]["bcubed_f1"] == 1.0
    assert "B-cubed" in say("evaluate", str(place / "run"), str(place / "truth.csv"))


def test_a_pair_is_chosen(place: Path) -> None:
    assert "Ada Lovelace" in say("explain", str(place / "run"), "ant0", "cat0", "--pair", "ant:cat")
    say("export", str(place / "run"), "-o", str(place / "links.csv"), "--pair", "bee:cat")
    assert pl.read_csv(place / "links.csv").height == 6
    assert "choose two with --pair: ant:bee, ant:cat, bee:cat" in refuse("explain", str(place / "run"), "ant0")


def test_the_report_shows_accounts_side_by_side(place: Path) -> None:
    say("report", str(place / "run"))
    page = (place / "run" / "report.html").read_text("utf-8")
    assert page.count("<section") == 6
    assert "<bdi>Grace Hopper</bdi>" in page
    assert json.loads(say("report", str(place / "run"), "--json"))["sizes"] == [[3, 6]]


def test_plan(place: Path) -> None:
    networks = [str(place / name) for name in ("ant", "bee", "cat")]
    planned = json.loads(say("plan", *networks, "--pairs", "ant:bee,ant:cat", "--json"))
    assert [pair["right"]["name"] for pair in planned["pairs"]] == ["bee", "cat"]
    assert "Pairs of networks" in say("plan", *networks)


def test_what_three_networks_cannot_have_is_refused(place: Path) -> None:
    networks = [str(place / name) for name in ("ant", "bee", "cat")]
    assert "--memory works for two networks" in refuse("link", *networks, "-o", str(place / "x"), "--memory", "1GB")
    assert "link takes two networks or more, got 1" in refuse("link", networks[0], "-o", str(place / "x"))
    assert not (place / "x").exists()


def test_two_of_the_networks_are_served_and_nothing_is_written_into_the_run(place: Path) -> None:
    run = str(place / "run")
    assert refuse("serve", run).endswith("choose two with --pair: ant:bee, ant:cat, bee:cat")
    assert "factlink add" in refuse("serve", run, "--pair", "ant:bee", "--write")
    assert work_folder(place / "run" / "pairs" / "1-2") == place / "run-1-2.serve"
    assert work_folder(place / "run") == place / "run.serve"
    opened = open_run(place / "run" / "pairs" / "1-2", place / "run-1-2.serve")
    assert (opened.manifest.left.name, opened.manifest.right.name) == ("ant", "bee")


def test_accounts_are_added_to_any_network(place: Path) -> None:
    users = pl.DataFrame({"id": ["bee9"], "name": ["Radia Perlman"]})
    write_network(network_from_frames("new", users, None), place / "new")
    before = {row["user"]: row["person"] for row in pl.read_parquet(place / "run" / "persons.parquet").to_dicts()}
    say("add", str(place / "run"), str(place / "new"), "--network", "bee")
    after = {row["user"]: row["person"] for row in pl.read_parquet(place / "run" / "persons.parquet").to_dicts()}
    assert {user: after[user] for user in before} == before
    assert after["bee9"] not in before.values()
