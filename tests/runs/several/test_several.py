"""Three networks in one run: its parts, its persons, and ids that stay when it is made again."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.frames import frames_from_network, network_from_frames
from factlink.data.pairs import write_pairs
from factlink.errors import InputError, RunError, SettingError
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.explaining import explain_run
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.persons import read_persons
from factlink.runs.folder.several import choose_pair, is_several, load_several
from factlink.runs.folder.store import load_run, read_links
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.several.adding import SeveralAddition
from factlink.runs.several.again import add_several, changed_persons, relink_several
from factlink.runs.several.gathering import gather_persons
from factlink.runs.several.inputs import SeveralRequest
from factlink.runs.several.making import make_several
from factlink.runs.several.planning import plan_several
from factlink.runs.several.scoring import evaluate_several
from factlink.synthetic.worlds import Dials, LinkDials, NameDials, Population, World, twins
from factlink.types import Decision, Verdict

NAMES = ("ant", "bee", "cat")
LATE = 12
"""Accounts of bee that are added later."""


def quiet(stage: str) -> None:
    pass


@pytest.fixture(scope="module")
def world() -> World:
    population = Population(people=260, networks=NAMES, predicates=("username", "screen_name"))
    return twins(Dials(population=population, names=NameDials(hidden=0), links=LinkDials(mean=0), seed=4))


@pytest.fixture(scope="module")
def place(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three network folders, bee without its last accounts, those alone, truth, and a run."""
    place = tmp_path_factory.mktemp("several")
    for network in world.networks:
        users, links = frames_from_network(network)
        early = users.head(-LATE) if network.name == "bee" else users
        write_network(network_from_frames(network.name, early, links), place / network.name)
    late = frames_from_network(world.network("bee"))[0].tail(LATE)
    write_network(network_from_frames("late", late, None), place / "late")
    make_several(SeveralRequest([place / name for name in NAMES], place / "run"), FactoidLinker())
    truth = world.whole_truth("ant", "cat")
    write_pairs(truth, place / "truth.csv", world.network("ant"), world.network("cat"))
    return place


@pytest.fixture
def run(place: Path, tmp_path: Path) -> Path:
    """A copy of the run, to be changed."""
    shutil.copytree(place / "run", tmp_path / "run")
    return tmp_path / "run"


def test_parts_are_runs_of_two_networks(place: Path) -> None:
    run = place / "run"
    assert is_several(run)
    assert sorted(folder.name for folder in (run / "pairs").iterdir()) == ["1-2", "1-3", "2-3"]
    part = load_run(choose_pair(run, "bee:cat"))
    assert (part.manifest.left.name, part.manifest.right.name) == ("bee", "cat")
    assert choose_pair(run, "cat:bee") == part.path
    assert not list(place.glob("*.part*"))


def test_every_account_belongs_to_one_person_with_one_account_per_network(place: Path, world: World) -> None:
    persons = read_persons(place / "run")
    assert persons.height == sum(map(len, world.networks)) - LATE
    assert persons.select("network", "user").n_unique() == persons.height
    assert persons.group_by("person", "network").len()["len"].max() == 1
    assert persons["probability"].is_between(0, 1).all()
    assert pl.read_csv(place / "run" / "persons.csv").columns == ["person", "network", "user", "name", "probability"]


def test_truth_of_two_networks_measures_their_pair_and_the_persons(place: Path) -> None:
    scores = evaluate_several(place / "run", [place / "truth.csv"])
    assert list(scores.pairs) == [("ant", "cat")]
    assert scores.pairs["ant", "cat"].metrics.hits[1] > 0.85
    assert scores.persons.f1 > 0.85
    assert scores.persons.bcubed_f1 > 0.85


def test_truth_as_persons_measures_every_pair(place: Path, world: World) -> None:
    rows = [
        {"person": f"p{person}", "network": network.name, "user": user}
        for network, persons in zip(world.networks, world.persons, strict=True)
        for person, user in zip(persons.tolist(), network.users, strict=True)
    ]
    here = read_persons(place / "run").select("network", "user")
    truth = pl.DataFrame(rows).join(here, on=["network", "user"], how="semi")
    truth.write_csv(place / "persons-truth.csv")
    scores = evaluate_several(place / "run", [place / "persons-truth.csv"])
    assert list(scores.pairs) == [("ant", "bee"), ("ant", "cat"), ("bee", "cat")]
    assert scores.persons.f1 > 0.85


def test_a_third_network_helps(place: Path, tmp_path: Path) -> None:
    make_run(LinkRequest(place / "ant", place / "cat", tmp_path / "alone"), FactoidLinker())
    alone = read_links(tmp_path / "alone").filter(decision=Decision.LINK.value)
    together = read_links(choose_pair(place / "run", "ant:cat")).filter(decision=Decision.LINK.value)
    truth = pl.read_csv(place / "truth.csv")
    right = [links.join(truth, on=["left", "right"], how="semi").height for links in (alone, together)]
    assert right[1] >= right[0]
    weights = load_run(choose_pair(place / "run", "ant:cat")).manifest.notes["channel_weights"]
    assert [w["left"] for w in weights if w["source"] == "other networks"] == ["bee"]


def test_explanations_of_kept_and_of_other_pairs_add_up(place: Path) -> None:
    part = choose_pair(place / "run", "ant:cat")
    links = read_links(part).filter(decision=Decision.LINK.value)
    kept = explain_run(part, [links["left"][0], links["right"][0]], lambda seconds: pytest.fail("it is kept"))
    again: list[float] = []
    other = explain_run(part, [links["left"][0], links["right"][5]], again.append)
    assert len(again) == 1
    for explained in (*kept, *other):
        if explained.explanation.score is not None:
            total = sum(piece.weight for piece in explained.explanation.parts)
            assert total == pytest.approx(explained.explanation.score, abs=1e-3)
    assert any(piece.predicate == "account in bee" for piece in kept[0].explanation.parts)


def test_the_same_networks_in_another_order_of_rows_give_the_same_persons(place: Path, tmp_path: Path) -> None:
    for name in NAMES:
        (tmp_path / name).mkdir()
        users = pl.read_parquet(place / name / "users.parquet")
        users.reverse().write_parquet(tmp_path / name / "users.parquet")
        shutil.copy(place / name / "kinds.json", tmp_path / name / "kinds.json")
    make_several(SeveralRequest([tmp_path / name for name in NAMES], tmp_path / "run"), FactoidLinker())
    assert (tmp_path / "run" / "persons.parquet").read_bytes() == (place / "run" / "persons.parquet").read_bytes()


def test_made_again_in_its_place_it_keeps_judgements_and_ids(run: Path, place: Path) -> None:
    part = choose_pair(run, "ant:bee")
    link = read_links(part).filter(decision=Decision.LINK.value).row(0, named=True)
    Judgements(part).add(link["left"], link["right"], Verdict.MATCH, "amy")
    before = read_persons(run)
    make_several(SeveralRequest([place / name for name in NAMES], run, overwrite=True), FactoidLinker())
    assert Judgements(part).pairs(Verdict.MATCH).select("left", "right").rows() == [(link["left"], link["right"])]
    assert read_persons(run).equals(before)


def test_ids_stay_when_accounts_are_added_and_pairs_are_judged(run: Path, place: Path, tmp_path: Path) -> None:
    before = read_persons(run)
    add_several(SeveralAddition(run, place / "late", "bee"), quiet)
    added = read_persons(run)
    assert added.height == before.height + LATE
    part = choose_pair(run, "ant:cat")
    wrong = read_links(part).filter(decision=Decision.LINK.value).sort("probability").row(0, named=True)
    Judgements(part).add(wrong["left"], wrong["right"], Verdict.NON_MATCH, "amy")
    relink_several(run, tmp_path / "again", False, quiet)
    after = read_persons(tmp_path / "again")
    changed = changed_persons(tmp_path / "again", run)
    assert changed.height < 0.1 * after.height
    for old, new in ((before, added), (added, after)):
        groups = [
            frame.sort("network", "user").group_by("person").agg(pl.format("{}:{}", "network", "user").str.join(" "))
            for frame in (old, new)
        ]
        same = groups[0].join(groups[1], on="network", suffix="_new")
        assert same.height > 0.8 * groups[0].height
        assert (same["person"] == same["person_new"]).all()
    both = after.filter(
        ((pl.col("network") == "ant") & (pl.col("user") == wrong["left"]))
        | ((pl.col("network") == "cat") & (pl.col("user") == wrong["right"]))
    )
    assert both["person"].n_unique() == 2
    assert Judgements(choose_pair(tmp_path / "again", "ant:cat")).pairs(Verdict.NON_MATCH).height == 1


def test_pairs_limit_what_is_linked(place: Path, tmp_path: Path) -> None:
    request = SeveralRequest([place / name for name in NAMES], tmp_path / "run", ["ant:bee", "cat:ant"])
    make_several(request, FactoidLinker())
    assert load_several(tmp_path / "run").pairs == [(0, 1), (0, 2)]
    with pytest.raises(SettingError, match="did not link bee:cat; it linked ant:bee, ant:cat"):
        choose_pair(tmp_path / "run", "bee:cat")


def test_a_network_in_no_pair_is_refused(place: Path, tmp_path: Path) -> None:
    request = SeveralRequest([place / name for name in NAMES], tmp_path / "run", ["ant:bee"])
    with pytest.raises(SettingError, match="links cat with no other network"):
        make_several(request, FactoidLinker())
    assert not list(tmp_path.iterdir())


def test_known_pairs_of_any_two_networks_are_linked(place: Path, tmp_path: Path) -> None:
    known = pl.read_csv(place / "truth.csv").head(5).select(left="right", right="left")
    known.write_csv(tmp_path / "known.csv")
    request = SeveralRequest([place / name for name in NAMES], tmp_path / "run", known=tmp_path / "known.csv")
    make_several(request, FactoidLinker())
    links = read_links(choose_pair(tmp_path / "run", "ant:cat")).filter(source="known")
    assert sorted(links["left"]) == sorted(known["right"])


def test_what_needs_two_networks_asks_which(place: Path) -> None:
    with pytest.raises(RunError, match=r"links ant and bee and cat; this needs two of them: choose with --pair A:B"):
        load_run(place / "run")
    with pytest.raises(RunError, match="choose two with --pair: ant:bee, ant:cat, bee:cat"):
        choose_pair(place / "run", "")
    with pytest.raises(SettingError, match="found 'ant:dog'; there are: ant, bee, cat"):
        choose_pair(place / "run", "ant:dog")


def test_a_part_takes_no_accounts_of_its_own(run: Path, place: Path) -> None:
    with pytest.raises(RunError, match="add to the whole"):
        add_users(AddRequest(choose_pair(run, "ant:bee"), place / "late", "right"), quiet)


def test_adding_to_an_unknown_network_is_refused(run: Path, place: Path) -> None:
    with pytest.raises(SettingError, match="is called 'dog'; there are: ant, bee, cat"):
        add_several(SeveralAddition(run, place / "late", "dog"), quiet)


def test_a_run_of_other_networks_is_not_replaced(run: Path, place: Path, tmp_path: Path) -> None:
    turned = SeveralRequest([place / name for name in NAMES[::-1]], run, overwrite=True)
    with pytest.raises(RunError, match="name another folder, so that its judgements stay"):
        make_several(turned, FactoidLinker())
    with pytest.raises(RunError, match="links ant, bee, cat; name another folder"):
        make_run(LinkRequest(place / "ant", place / "bee", run, overwrite=True), FactoidLinker())


def test_a_changed_file_is_noticed(run: Path) -> None:
    (run / "persons.parquet").write_bytes(b"x")
    with pytest.raises(RunError, match=r"persons.parquet is not what was written"):
        load_several(run)


def test_linkers_of_two_networks_say_so(place: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="linker 'name' links two networks only"):
        make_several(SeveralRequest([place / name for name in NAMES], tmp_path / "run"), NameLinker())


def test_ids_that_several_networks_have_are_refused(tmp_path: Path) -> None:
    for name in NAMES:
        write_network(
            network_from_frames(name, pl.DataFrame({"id": ["1", "2"], "name": ["Amy Tan", "Bo Li"]}), None),
            tmp_path / name,
        )
    pl.DataFrame({"left": ["1"], "right": ["1"]}).write_csv(tmp_path / "known.csv")
    request = SeveralRequest([tmp_path / name for name in NAMES], tmp_path / "run", known=tmp_path / "known.csv")
    with pytest.raises(InputError, match="left '1' is in networks ant and bee and cat; say which"):
        make_several(request, FactoidLinker())


def test_persons_are_gathered_with_their_names(place: Path) -> None:
    found = gather_persons(place / "run")
    assert found.names == NAMES
    assert sum(accounts * persons for accounts, persons in found.sizes()) == found.members.height
    assert max(accounts for accounts, _ in found.sizes()) == 3


def test_the_plan_adds_up_pairs(place: Path) -> None:
    plan = plan_several(SeveralRequest([place / name for name in NAMES], place / "unused"), pace=1.0)
    assert [(pair.left.name, pair.right.name) for pair in plan.pairs] == [
        ("ant", "bee"),
        ("ant", "cat"),
        ("bee", "cat"),
    ]
    assert plan.seconds == pytest.approx(1.3 * sum(pair.seconds for pair in plan.pairs))
