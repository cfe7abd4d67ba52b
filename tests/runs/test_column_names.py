"""A run of columns with awkward names says the same as one of harmless names: links, evidence, report, additions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from factlink.data.files import write_network
from factlink.evaluation.open_world import keep_users
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.report.gathering import gather_report
from factlink.review.view_models import ViewModels
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.explaining import explain_run
from factlink.runs.folder.store import load_manifest
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.synthetic.worlds import Dials, LinkDials, Population, World, twins
from factlink.types import Kind, Network

HARMLESS = ("zq0", "zq1", "zq2", "zq3")
AWKWARD = (
    ("names", "linked neighbours", "links", "votes"),
    ("row", "links", "friends", "linked neighbours"),
    ("follows", "row", "object", "names"),
)


def called(network: Network, names: tuple[str, ...]) -> Network:
    """The network with other words for its username, bio, place (a category here) and links."""
    words = dict(zip(("username", "bio", "location"), names, strict=False))
    place = replace(network.attributes["location"], kind=Kind.CATEGORY)
    attributes = {words.get(p, p): place if p == "location" else a for p, a in network.attributes.items()}
    return replace(network, attributes=attributes, links={names[3]: network.links["follows"]})


def write_new(network: Network, n_old: int, folder: Path) -> None:
    """The users from a row on as a folder to add, with the links that end at one of them."""
    write_network(network, folder)
    users = pl.read_parquet(folder / "users.parquet")
    new = pl.col("source").is_in(users["id"].tail(-n_old).implode()) | pl.col("target").is_in(
        users["id"].tail(-n_old).implode()
    )
    links = pl.read_parquet(folder / "links.parquet").filter(new)
    users.tail(-n_old).write_parquet(folder / "users.parquet")
    links.write_parquet(folder / "links.parquet")


@pytest.fixture(autouse=True)
def without_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """The map of a report takes longer than all else, and shows no column."""
    monkeypatch.setattr("factlink.report.gathering.map_links", lambda run, links: None)


@pytest.fixture(scope="module")
def world() -> World:
    population = Population(people=140, presence=0.9, predicates=("username", "screen_name", "bio", "location"))
    return twins(Dials(population, links=LinkDials(mean=8), seed=4))


def make(world: World, names: tuple[str, ...], place: Path) -> Path:
    """A run of most left users and all right ones, and the other left users in a folder beside it."""
    left, right = (called(network, names) for network in world.networks)
    n_old = len(left) - 12
    write_network(keep_users(left, pl.arange(len(left), eager=True).to_numpy() < n_old), place / "left")
    write_network(right, place / "right")
    write_new(left, n_old, place / "new")
    make_run(LinkRequest(place / "left", place / "right", place / "run"), FactoidLinker())
    return place / "run"


@pytest.fixture(scope="module")
def plain(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(world, HARMLESS, tmp_path_factory.mktemp("plain"))


def same_words(value: Any, names: tuple[str, ...]) -> Any:
    """What a run of harmless names says, as one of other names should say it."""
    text = json.dumps(value, ensure_ascii=False)
    for harmless, name in zip(HARMLESS, names, strict=True):
        text = text.replace(harmless, name)
    return json.loads(text)


def said(run: Path) -> dict[str, Any]:
    """All that a run says of itself and of two pairs, in plain values."""
    links = pl.read_parquet(run / "links.parquet")
    first = links.drop_nulls("right").row(0, named=True)
    explained = explain_run(run, [first["left"], first["right"]], lambda seconds: None)[0]
    views = ViewModels(run)
    rows = views.left.row_of(first["left"]), views.right.row_of(first["right"])
    report = gather_report(run)
    return {
        "channel_weights": load_manifest(run).notes["channel_weights"],
        "parts": [(part.kind, part.predicate, part.weight) for part in explained.explanation.parts],
        "report": {key: report[key] for key in ("channel_weights", "strata", "surest", "most_doubtful", "outcomes")},
        "evidence": views.pair(*rows, "ann", blind=False)["evidence"],
        "rows": views.pair(*rows, "ann", blind=False)["rows"],
    }


@pytest.mark.parametrize("names", AWKWARD, ids=" ".join)
def test_links_evidence_report_and_review_are_the_same(
    world: World, plain: Path, tmp_path: Path, names: tuple[str, ...]
) -> None:
    run = make(world, names, tmp_path)
    assert_frame_equal(pl.read_parquet(run / "links.parquet"), pl.read_parquet(plain / "links.parquet"))
    evidence = pl.read_parquet(plain / "evidence.parquet")
    expected = evidence.with_columns(pl.Series("predicate", same_words(evidence["predicate"].to_list(), names)))
    assert_frame_equal(pl.read_parquet(run / "evidence.parquet"), expected)
    assert json.loads(json.dumps(said(run))) == same_words(said(plain), names)


def test_accounts_that_are_added_find_the_same_links(world: World, tmp_path: Path) -> None:
    outcomes = []
    for place, names in (("plain", HARMLESS), ("awkward", AWKWARD[1])):
        run = make(world, names, tmp_path / place)
        outcomes.append(add_users(AddRequest(run, tmp_path / place / "new"), lambda stage: None).outcomes)
        users = pl.read_parquet(run / "left" / "users.parquet")
        assert users.columns == ["id", names[0], "screen_name", names[1], names[2]]
    assert outcomes[0]["partner"].drop_nulls().len() > 3
    assert_frame_equal(outcomes[0], outcomes[1])
