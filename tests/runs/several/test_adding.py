"""Accounts added to a run of three networks: they join persons, and nothing else moves."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.frames import frames_from_network, network_from_frames
from factlink.errors import InputError, RunError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.persons import read_persons
from factlink.runs.folder.several import choose_pair, load_several
from factlink.runs.folder.store import read_links
from factlink.runs.several import adding
from factlink.runs.several.adding import SeveralAdded, SeveralAddition
from factlink.runs.several.again import add_several
from factlink.runs.several.inputs import SeveralRequest
from factlink.runs.several.making import make_several
from factlink.synthetic.worlds import Dials, LinkDials, NameDials, Population, World, twins
from factlink.types import Decision, Verdict

NAMES = ("ant", "bee", "cat")
LATE = 10
"""People whose accounts in bee and cat come later."""


def quiet(stage: str) -> None:
    pass


@pytest.fixture(scope="module")
def world() -> World:
    population = Population(people=150, networks=NAMES, predicates=("username", "screen_name"))
    return twins(Dials(population=population, names=NameDials(hidden=0), links=LinkDials(mean=0), seed=4))


@pytest.fixture(scope="module")
def late(world: World) -> pl.DataFrame:
    """Columns person, bee, cat: accounts of people who are in all networks."""
    users = [
        pl.DataFrame({"person": persons, name: network.users})
        for name, network, persons in zip(NAMES, world.networks, world.persons, strict=True)
    ]
    both = users[0].join(users[1], on="person").join(users[2], on="person").sort("person")
    return both.tail(LATE)


@pytest.fixture(scope="module")
def place(world: World, late: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three network folders, bee and cat without the late accounts, those alone, and a run."""
    place = tmp_path_factory.mktemp("adding")
    for network in world.networks:
        users, _ = frames_from_network(network)
        late_ids = late[network.name].to_list() if network.name != "ant" else []
        new = users["id"].is_in(late_ids)
        write_network(network_from_frames(network.name, users.filter(~new), None), place / network.name)
        if network.name != "ant":
            write_network(network_from_frames("late", users.filter(new), None), place / f"late-{network.name}")
    make_several(SeveralRequest([place / name for name in NAMES], place / "run"), FactoidLinker())
    return place


@pytest.fixture
def run(place: Path, tmp_path: Path) -> Path:
    shutil.copytree(place / "run", tmp_path / "run")
    return tmp_path / "run"


def add(run: Path, place: Path, network: str) -> SeveralAdded:
    added = add_several(SeveralAddition(run, place / f"late-{network}", network), quiet)
    assert isinstance(added, SeveralAdded)
    return added


def test_new_accounts_join_their_persons_and_nobody_else_moves(run: Path, place: Path, late: pl.DataFrame) -> None:
    before = read_persons(run)
    untouched = {file.relative_to(run): file.read_bytes() for file in choose_pair(run, "ant:cat").rglob("*.parquet")}
    added = add(run, place, "bee")
    after = read_persons(run)
    assert after.height == before.height + LATE
    old = before.join(after, on=["network", "user"], suffix="_new")
    assert (old["person"] == old["person_new"]).all()
    right = late.select("bee", other="ant").join(
        added.parts["ant"].outcomes.filter(decision=Decision.LINK.value).select(bee="user", other="partner"),
        on=["bee", "other"],
    )
    assert right.height >= 0.8 * LATE
    joined = added.persons.filter(pl.col("others").list.len() > 0)
    assert joined.height >= 0.8 * LATE
    assert {file: (run / file).read_bytes() for file in untouched} == untouched
    assert load_several(run).networks[1].users == before.filter(network="bee").height + LATE
    assert not list(run.parent.glob("*.part*"))


def test_accounts_added_later_find_those_added_before(run: Path, place: Path, late: pl.DataFrame) -> None:
    add(run, place, "bee")
    added = add(run, place, "cat")
    links = added.parts["bee"].outcomes.filter(decision=Decision.LINK.value).select(cat="user", bee="partner")
    assert links.join(late, on=["cat", "bee"]).height >= 0.7 * LATE
    persons = read_persons(run)
    three = persons.filter(pl.col("user").is_in(late["cat"].to_list())).select("person")
    assert persons.join(three, on="person").group_by("person").len()["len"].max() == 3
    assert [note["side"] for note in load_several(run).notes["additions"]] == ["bee", "cat"]


def test_other_networks_count_for_new_accounts(
    run: Path, place: Path, late: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = add(run, place, "bee").parts["ant"].outcomes
    shutil.copytree(place / "run", tmp_path / "deaf")
    monkeypatch.setattr(adding._Addition, "_heard", lambda *_: None)
    unheard = add(tmp_path / "deaf", place, "bee").parts["ant"].outcomes
    found = [each.select(bee="user", ant="partner").join(late, on=["bee", "ant"]).height for each in (heard, unheard)]
    assert min(found) >= 0.7 * LATE
    assert heard.sort("user")["probability"].to_list() != unheard.sort("user")["probability"].to_list()


def test_a_judged_non_match_is_not_joined_by_way_of_others(run: Path, place: Path, late: pl.DataFrame) -> None:
    part = choose_pair(run, "ant:cat")
    link = read_links(part).filter(decision=Decision.LINK.value).sort("left").row(0, named=True)
    Judgements(part).add(link["left"], link["right"], Verdict.NON_MATCH, "amy")
    add(run, place, "bee")
    persons = read_persons(run)
    ends = [persons.filter(network=n, user=u)["person"][0] for n, u in (("ant", link["left"]), ("cat", link["right"]))]
    assert ends[0] != ends[1]
    assert Judgements(part).pairs(Verdict.NON_MATCH).height == 1


def test_accounts_that_are_there_already_are_refused_and_nothing_changes(run: Path, place: Path) -> None:
    before = {file: file.read_bytes() for file in run.rglob("*") if file.is_file()}
    with pytest.raises(InputError, match="is in the run already"):
        add_several(SeveralAddition(run, place / "bee", "bee"), quiet)
    assert {file: file.read_bytes() for file in run.rglob("*") if file.is_file()} == before


def test_every_damaged_file_is_named_in_one_sentence(run: Path, place: Path) -> None:
    files = [*(run / "pairs" / "1-2" / "space").glob("*.npy"), run / "pairs" / "2-3" / "space" / "space.json"]
    files += [run / "persons.parquet", run / "manifest.json", run / "pairs" / "1-2" / "links.parquet"]
    files += [run / "pairs" / "1-3" / "manifest.json", run / "pairs" / "2-3" / "left" / "users.parquet"]
    for file in files:
        sound = file.read_bytes()
        middle = len(sound) // 2
        file.write_bytes(sound[:middle] + bytes([sound[middle] ^ 1]) + sound[middle + 1 :])
        with pytest.raises((RunError, InputError), match=r".") as told:
            add_several(SeveralAddition(run, place / "late-bee", "bee"), quiet)
        assert "\n" not in str(told.value), file
        file.write_bytes(sound)
    assert isinstance(add(run, place, "bee"), SeveralAdded)
