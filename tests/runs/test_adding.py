"""Accounts added later: nearly as good as linking everybody at once, and nobody else is moved."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.frames import frames_from_network
from factlink.data.pairs import write_pairs
from factlink.data.sources.networks import read_network
from factlink.errors import InputError, RunError, SettingError
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import Added, AddRequest, add_users
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.states import load_state
from factlink.runs.folder.store import load_manifest, load_run
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.scoring import evaluate_run
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import Network, Pairs, Verdict


def quiet(stage: str) -> None:
    pass


def add(run: Path, folder: Path, side: str = "left") -> Added:
    return add_users(AddRequest(run, folder, side), quiet)


@dataclass(frozen=True)
class Homes:
    """Networks and truth on disk: whole ones, and each without its last fifth, which is a folder of its own."""

    place: Path
    left: Network
    right: Network

    def run(self, left: str, right: str, name: str) -> Path:
        make_run(LinkRequest(self.place / left, self.place / right, self.place / name), FactoidLinker())
        return self.place / name

    def copy(self, run: Path, name: str) -> Path:
        shutil.copytree(run, self.place / name)
        return self.place / name


def split(network: Network, place: Path) -> None:
    """The first four fifths as `<name>-old`, the rest as `<name>-new`."""
    users, links = frames_from_network(network)
    old = users.head(users.height * 4 // 5)
    among_old = pl.col("source").is_in(old["id"].implode()) & pl.col("target").is_in(old["id"].implode())
    parts = {"old": (old, links.filter(among_old)), "new": (users.tail(-old.height), links.filter(~among_old))}
    for part, (some, follows) in parts.items():
        folder = place / f"{network.name}-{part}"
        folder.mkdir()
        some.write_parquet(folder / "users.parquet")
        follows.write_parquet(folder / "links.parquet")


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Homes:
    place = tmp_path_factory.mktemp("homes")
    world = twins(Dials(seed=3, population=Population(people=700)))
    left, right = world.networks
    for network in world.networks:
        write_network(network, place / network.name)
        split(network, place)
    truth = world.truth(left.name, right.name)
    for side, rows, network in (("left", truth.lefts, left), ("right", truth.rights, right)):
        new = np.flatnonzero(rows >= len(network) * 4 // 5)
        write_pairs(Pairs(truth.lefts[new], truth.rights[new]), place / f"truth-of-new-{side}.csv", left, right)
    return Homes(place, left, right)


@pytest.fixture(scope="module")
def whole(homes: Homes) -> Path:
    return homes.run(homes.left.name, homes.right.name, "whole")


@pytest.fixture(scope="module")
def short_left(homes: Homes) -> Path:
    return homes.run(f"{homes.left.name}-old", homes.right.name, "short-left")


@pytest.fixture(scope="module")
def short_right(homes: Homes) -> Path:
    return homes.run(homes.left.name, f"{homes.right.name}-old", "short-right")


def hit_rate(run: Path, truth: Path) -> float:
    return evaluate_run(run, truth).metrics.hits[1]


def test_left_accounts_added_later_are_found_nearly_as_well(homes: Homes, whole: Path, short_left: Path) -> None:
    run = homes.copy(short_left, "grown-left")
    before = load_run(run)
    added = add(run, homes.place / f"{homes.left.name}-new")
    after = load_run(run)
    truth = homes.place / "truth-of-new-left.csv"
    assert hit_rate(run, truth) > hit_rate(whole, truth) - 0.03
    assert after.left.users.to_list() == homes.left.users.to_list()
    assert after.links.head(before.links.height).equals(before.links)
    assert added.outcomes.height == len(homes.left) - before.links.height
    assert after.candidates.rights.shape == (len(homes.left), before.candidates.rights.shape[1])
    grown = read_network(run / "left", name=homes.left.name)
    assert {p: len(f) for p, f in grown.links.items()} == {p: len(f) for p, f in homes.left.links.items()}
    linked = after.links.filter(decision="link")["right"]
    assert linked.n_unique() == linked.len()


def test_right_accounts_added_later_are_found_nearly_as_well(homes: Homes, whole: Path, short_right: Path) -> None:
    run = homes.copy(short_right, "grown-right")
    before = load_run(run)
    add(run, homes.place / f"{homes.right.name}-new", "right")
    after = load_run(run)
    truth = homes.place / "truth-of-new-right.csv"
    assert hit_rate(run, truth) > hit_rate(whole, truth) - 0.03
    assert after.right.users.to_list() == homes.right.users.to_list()
    earlier = before.links.filter(decision="link")
    assert after.links.filter(pl.col("left").is_in(earlier["left"].implode())).equals(earlier)
    linked = after.links.filter(decision="link")["right"]
    assert linked.n_unique() == linked.len()
    assert after.links["left"].to_list() == before.links["left"].to_list()


def test_vectors_of_earlier_accounts_are_not_written_again_until_new_ones_are_many(
    homes: Homes, short_left: Path, tmp_path: Path
) -> None:
    run = homes.copy(short_left, "grown-in-steps")
    first, later = (run / "space" / f"{name}.npy" for name in ("left.vectors", "left.vectors.later"))
    users = pl.read_parquet(homes.place / f"{homes.left.name}-new" / "users.parquet")
    file, n_old = first.stat().st_ino, len(np.load(first))
    seen = 0
    for n_new, n_stored in ((40, (n_old, 40)), (30, (n_old, 70)), (users.height - 70, (n_old + users.height,))):
        folder = tmp_path / str(seen)
        folder.mkdir()
        users.slice(seen, n_new).write_parquet(folder / "users.parquet")
        add(run, folder)
        seen += n_new
        assert tuple(len(np.load(part)) for part in (first, later) if part.exists()) == n_stored
        assert (first.stat().st_ino == file) == (len(n_stored) == 2)
    truth = homes.place / "truth-of-new-left.csv"
    assert hit_rate(run, truth) > 0.5


def test_a_killed_addition_leaves_the_run_as_it_was(
    homes: Homes, short_left: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = homes.copy(short_left, "killed")
    before = (run / "links.parquet").read_bytes()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("factlink.runs.adding.save_manifest", killed)
    with pytest.raises(KeyboardInterrupt):
        add(run, homes.place / f"{homes.left.name}-new")
    assert (run / "links.parquet").read_bytes() == before
    monkeypatch.undo()
    assert (
        add(run, homes.place / f"{homes.left.name}-new").outcomes.height == len(homes.left) - len(homes.left) * 4 // 5
    )


NAMES = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra", "Barbara Liskov", "Donald Knuth"]


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Six people on both sides; the left Ada is there under half her name only."""
    for side in ("chirper", "facepage"):
        (tmp_path / side).mkdir()
        shown = ["Ada L", *NAMES[1:]] if side == "chirper" else NAMES
        rows = "".join(f"{side[0]}{i},{name}\n" for i, name in enumerate(shown))
        (tmp_path / side / "users.csv").write_text("id,name\n" + rows)
        follows = "".join(f"{side[0]}{i},{side[0]}{(i + 1) % 6}\n" for i in range(6))
        (tmp_path / side / "links.csv").write_text("source,target\n" + follows)
    make_run(LinkRequest(tmp_path / "chirper", tmp_path / "facepage", tmp_path / "run"), FactoidLinker())
    return tmp_path


def new_users(place: Path, users: str, links: str | None = None) -> Path:
    folder = place / "new"
    folder.mkdir(exist_ok=True)
    (folder / "users.csv").write_text(users)
    if links is not None:
        (folder / "links.csv").write_text(links)
    return folder


def test_a_new_account_that_beats_an_earlier_link_calls_it_into_doubt(small: Path) -> None:
    run = small / "run"
    assert load_run(run).links.filter(left="c0")["right"].to_list() == ["f0"]
    added = add(run, new_users(small, "id,name\nc6,Ada Lovelace\n", "source,target\nc6,c1\nc5,c6\n"))
    assert added.doubts.select("left", "right", "rival").rows() == [("c0", "f0", "c6")]
    assert added.doubts["rival_probability"][0] > added.doubts["probability"][0]
    assert added.outcomes.select("user", "partner", "decision").rows() == [("c6", "f0", "unknown")]
    assert load_run(run).links.filter(left="c0").select("right", "decision").rows() == [("f0", "link")]
    assert pl.read_parquet(run / "doubts.parquet").equals(added.doubts)
    notes = json.loads((run / "manifest.json").read_text())["notes"]["additions"]
    assert [(note["side"], note["users"], note["links"]) for note in notes] == [("left", 1, 2)]


def test_accounts_added_one_after_another_meet(small: Path) -> None:
    run = small / "run"
    add(run, new_users(small, "id,name\nf6,Margaret Hamilton\n"), "right")
    added = add(run, new_users(small, "id,name\nc6,margaret_hamilton\n"))
    assert added.outcomes.select("user", "partner").rows() == [("c6", "f6")]
    assert len(load_state(run, load_manifest(run)).arrays["left.vectors.later"]) == 1
    assert load_run(run).manifest.right.users == 7


def test_users_of_judged_matches_are_nobody_elses(small: Path) -> None:
    run = small / "run"
    Judgements(run).add("c0", "f0", Verdict.MATCH, "amy")
    added = add(run, new_users(small, "id,name\nc6,Ada Lovelace\n"))
    assert not added.doubts.height
    assert 0 not in load_run(run).candidates.rights[6]
    assert Judgements(run).overall().height == 1


@pytest.mark.parametrize(
    ("users", "links", "says"),
    [
        ("id,name\nc1,Ann\n", None, "users.csv row 1: id 'c1' is in the run already; leave it out, or link again"),
        ("id,name,age\nc9,Ann,7\n", None, "has a column 'age' that the run does not know; there are: id, name"),
        ("id,name\nc9,Ann\n", "source,target\nc9,x\n", "row 1: followee 'x' is not in users.csv or the run"),
        ("id,name\nc9,Ann\n", "source,target\nc1,c3\n", "'c1' and 'c3' are both in the run already"),
        ("id,name\nc9,Ann\n", "source,target,predicate\nc9,c1,likes\n", "no links called 'likes' on this side"),
        ("id,name\nc9,Ann\nc9,Ann\n", None, "row 2: id 'c9' is also in row 1"),
        ("city\nOslo\n", None, "has no column that is called like an id"),
    ],
)
def test_what_cannot_be_added_is_one_sentence_and_nothing_is_written(
    small: Path, users: str, links: str | None, says: str
) -> None:
    before = {file: file.read_bytes() for file in (small / "run").rglob("*") if file.is_file()}
    with pytest.raises(InputError, match=says) as caught:
        add(small / "run", new_users(small, users, links))
    assert "\n" not in str(caught.value)
    assert {file: file.read_bytes() for file in (small / "run").rglob("*") if file.is_file()} == before
    assert sorted(path.name for path in small.iterdir()) == ["chirper", "facepage", "new", "run"]


def test_other_linkers_say_that_they_cannot(small: Path) -> None:
    make_run(LinkRequest(small / "chirper", small / "facepage", small / "named"), NameLinker())
    with pytest.raises(RunError, match="made by linker 'name', which keeps no space to add accounts to"):
        add(small / "named", new_users(small, "id,name\nc6,Ann\n"))


def test_a_run_without_its_space_says_so(small: Path) -> None:
    shutil.rmtree(small / "run" / "space")
    with pytest.raises(RunError, match=r"has lost space/left.levels.npy, .*; put that back, or link again"):
        add(small / "run", new_users(small, "id,name\nc6,Ann\n"))


def test_there_are_two_sides() -> None:
    with pytest.raises(SettingError, match="no side 'middle'; there are: left, right"):
        AddRequest(Path("run"), Path("new"), "middle")
