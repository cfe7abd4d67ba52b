"""Several accounts of one person in one network, beside links across networks."""

from pathlib import Path

import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.frames import frames_from_network, network_from_frames
from factlink.errors import SettingError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.explaining import explain_run
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.persons import read_persons
from factlink.runs.folder.several import choose_pair, load_several
from factlink.runs.folder.store import load_manifest, read_links
from factlink.runs.several.adding import SeveralAddition
from factlink.runs.several.again import add_several, relink_several
from factlink.runs.several.inputs import SeveralRequest
from factlink.runs.several.making import make_several
from factlink.runs.several.scoring import evaluate_several
from factlink.synthetic.worlds import Dials, LinkDials, NameDials, Population, twins
from factlink.types import Decision, Verdict

TWICE = 15
"""People with a second account in ant."""


def quiet(stage: str) -> None:
    pass


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two networks; fifteen people of ant have a second account there; truth as persons; and a run."""
    place = tmp_path_factory.mktemp("within")
    population = Population(people=150, networks=("ant", "bee"), predicates=("username", "screen_name"))
    world = twins(Dials(population=population, names=NameDials(hidden=0), links=LinkDials(mean=0), seed=4))
    ant, _ = frames_from_network(world.network("ant"))
    second = ant.head(TWICE).with_columns(pl.col("id") + "-2", pl.col("username") + "2")
    write_network(network_from_frames("ant", pl.concat([ant, second]), None), place / "ant")
    bee, _ = frames_from_network(world.network("bee"))
    write_network(network_from_frames("bee", bee.head(-3), None), place / "bee")
    write_network(network_from_frames("late", bee.tail(3), None), place / "late")
    people = [
        pl.DataFrame({"person": persons, "network": network.name, "user": network.users})
        for network, persons in zip(world.networks, world.persons, strict=True)
    ]
    truth = pl.concat([*people, people[0].head(TWICE).with_columns(pl.col("user") + "-2")])
    here = truth.filter(~pl.col("user").is_in(bee["id"].tail(3).to_list()))
    here.write_csv(place / "truth.csv")
    make_several(SeveralRequest([place / "bee", place / "ant"], place / "run", within=["ant"]), FactoidLinker())
    return place


def test_second_accounts_are_of_the_same_person_as_those_elsewhere(place: Path) -> None:
    assert load_several(place / "run").pairs == [(1, 0), (1, 1)]
    persons = read_persons(place / "run")
    truth = pl.read_csv(place / "truth.csv")
    elsewhere = truth.filter(network="bee").select(true="person")
    second = (
        truth.filter(pl.col("user").str.ends_with("-2")).select(true="person", user="user").join(elsewhere, on="true")
    )
    first = second.join(persons, on="user").select("person", user=pl.col("user").str.head(-2))
    assert second.height >= 10
    assert first.join(persons, on=["person", "user"]).height >= 0.8 * second.height
    assert persons.filter(network="bee").group_by("person").len()["len"].max() == 1
    three = persons.group_by("person").agg(pl.len(), pl.col("network").n_unique())
    assert three.filter(len=3, network=2).height >= 0.6 * TWICE


def test_the_part_within_a_network_is_a_run_of_duplicates(place: Path) -> None:
    part = choose_pair(place / "run", "ant:ant")
    assert part.name == "2-2"
    assert load_manifest(part).within
    links = read_links(part).filter(decision=Decision.LINK.value)
    assert (links["left"] != links["right"]).all()
    explained = explain_run(part, [links["left"][0], links["right"][0]], lambda seconds: None)
    assert explained[0].explanation.parts


def test_truth_as_persons_counts_second_accounts(place: Path) -> None:
    scores = evaluate_several(place / "run", [place / "truth.csv"])
    assert list(scores.pairs) == [("ant", "bee")]
    assert scores.persons.f1 > 0.85


def test_accounts_are_added_and_a_judged_split_lasts(place: Path, tmp_path: Path) -> None:
    before = read_persons(place / "run")
    part = choose_pair(place / "run", "ant:ant")
    link = read_links(part).filter(decision=Decision.LINK.value).row(0, named=True)
    Judgements(part).add(link["right"], link["left"], Verdict.NON_MATCH, "amy")
    relink_several(place / "run", tmp_path / "again", False, quiet)
    persons = read_persons(tmp_path / "again").filter(pl.col("user").is_in([link["left"], link["right"]]))
    assert persons["person"].n_unique() == 2
    add_several(SeveralAddition(tmp_path / "again", place / "late", "bee"), quiet)
    assert read_persons(tmp_path / "again").height == before.height + 3
    persons = read_persons(tmp_path / "again").filter(pl.col("user").is_in([link["left"], link["right"]]))
    assert persons["person"].n_unique() == 2


def test_an_unknown_network_is_refused(place: Path, tmp_path: Path) -> None:
    request = SeveralRequest([place / "ant", place / "bee"], tmp_path / "run", within=["dog"])
    with pytest.raises(SettingError, match="--within names 'dog', which is not linked; there are: ant, bee"):
        make_several(request, FactoidLinker())
