"""An account that was forgotten is in no file of the run, and everybody else is as before."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.errors import InputError, RunError, SettingError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import load_run, load_vectors
from factlink.runs.forgetting.forget import forget
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.types import Verdict
from tests.crash.world import make_world

LEFT = "18a1bc1154492c80"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("forgetting")
    make_world(place, people=40)
    make_run(LinkRequest(place / "left", place / "right", place / "run", place / "known.csv"), FactoidLinker())
    return place / "run"


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "run"))


def linked_right(run: Path) -> str:
    """A right user who is linked, somebody's runner-up and a candidate of several."""
    links = pl.read_parquet(run / "links.parquet")
    both = links.filter(decision="link").filter(pl.col("right").is_in(links["runner_up"].drop_nulls().implode()))
    return str(both["right"][0])


def texts_of(run: Path) -> str:
    """Everything that a run says: bytes of all files, and the text of packed tables."""
    files = [file for file in run.rglob("*") if file.is_file()]
    packed = [pl.read_parquet(file).write_json() for file in files if file.suffix == ".parquet"]
    return " ".join([file.read_bytes().decode("utf-8", "replace") for file in files] + packed)


@pytest.mark.parametrize("side", ["left", "right"])
def test_no_file_holds_anything_of_the_account(run: Path, side: str) -> None:
    user = LEFT if side == "left" else linked_right(run)
    values = pl.read_parquet(run / side / "users.parquet").filter(id=user).row(0)
    before = texts_of(run)
    assert user in before
    forgotten = forget(run, user)
    after = texts_of(run)
    assert user not in after
    others = pl.concat([pl.read_parquet(run / each / "users.parquet") for each in ("left", "right")]).write_csv()
    own = [value for value in values if value and value not in others]
    assert own
    assert [value for value in own if value in after] == []
    assert forgotten.searched >= len(own)
    assert not (run / "encoded").exists()
    assert not (run / "report.html").exists()
    assert not run.with_name("run.part").exists()


def test_everybody_else_keeps_candidates_links_and_scores(run: Path) -> None:
    user, before = linked_right(run), load_run(run)
    forget(run, user)
    after = load_run(run)
    assert len(after.right) == len(before.right) - 1
    assert after.manifest.right.users == len(after.right)
    for left in range(len(before.left)):
        old = [
            (before.right.users[int(row)], score)
            for row, score in zip(before.candidates.rights[left], before.candidates.scores[left], strict=True)
            if row >= 0 and before.right.users[int(row)] != user
        ]
        new = [
            (after.right.users[int(row)], score)
            for row, score in zip(after.candidates.rights[left], after.candidates.scores[left], strict=True)
            if row >= 0
        ]
        assert new == old
    same = before.links.filter(pl.col("right").ne_missing(user) & pl.col("runner_up").ne_missing(user))
    assert after.links.join(same.select("left"), on="left", how="semi").equals(same)
    lost = before.links.filter(right=user)["left"]
    now = after.links.filter(pl.col("left").is_in(lost.implode()))
    assert now["decision"].unique().to_list() == ["no account"]
    assert now["right"].null_count() == now.height


def test_the_fitted_state_still_takes_in_new_accounts(run: Path) -> None:
    forget(run, LEFT)
    forget(run, linked_right(run))
    added = add_users(AddRequest(run, run_inputs(run) / "new"), lambda stage: None)
    assert added.outcomes.height == 3
    places, left, right = load_vectors(run) or pytest.fail("no vectors")
    links = load_run(run).links
    assert len(places) == len(left) == len(right)
    assert links[places.tolist()]["right"].null_count() == 0


def name_of(run: Path) -> str:
    return str(pl.read_parquet(run / "left" / "users.parquet").filter(id=LEFT)["username"][0])


def run_inputs(run: Path) -> Path:
    return Path(load_run(run).manifest.left.path).parent


def test_judgements_of_the_account_go_and_all_others_stay(run: Path) -> None:
    said = Judgements(run)
    said.add("5875038710a3655f", "x", Verdict.MATCH, "ann", f"met {name_of(run)} there")
    said.add(LEFT, "x", Verdict.MATCH, "ann")
    said.add(LEFT, "y", Verdict.NON_MATCH, "bob", "no")
    said.withdraw_last("bob")
    said.add("13ac731db576beef", "z", Verdict.NON_MATCH, "bob")
    said.withdraw_last("bob")
    said.add("0f6aecb0fd84eee5", "z", Verdict.UNKNOWN, "bob", "hard")
    assert forget(run, LEFT).judgements == 3
    with closing(sqlite3.connect(run / "judgements.sqlite")) as db:
        rows = db.execute("SELECT id, left, right, verdict, reviewer, note, withdraws FROM judgement").fetchall()
    assert rows == [
        (1, "5875038710a3655f", "x", "match", "ann", "", None),
        (2, "13ac731db576beef", "z", "non-match", "bob", "", None),
        (3, "13ac731db576beef", "z", "non-match", "bob", "", 2),
        (4, "0f6aecb0fd84eee5", "z", "unknown", "bob", "hard", None),
    ]
    assert Judgements(run).overall()["left"].to_list() == ["5875038710a3655f", "0f6aecb0fd84eee5"]


def test_it_says_whom_the_account_was_linked_with(run: Path) -> None:
    links = pl.read_parquet(run / "links.parquet").filter(decision="link")
    left, right = links.select("left", "right").row(0)
    assert list(forget(run, left).partners) == [("right", "right", right)]


def test_a_file_that_nobody_knows_stops_it_and_the_run_stays(run: Path) -> None:
    from factlink.runs.folder.store import load_manifest, save_manifest

    (run / "extra.txt").write_text(f"seen: {LEFT}\n")
    save_manifest(run, load_manifest(run))
    before = texts_of(run)
    with pytest.raises(RunError, match=r"extra\.txt of .* would still hold data of '18a1bc1154492c80'; nothing was"):
        forget(run, LEFT)
    assert texts_of(run) == before
    assert not run.with_name("run.part").exists()


def test_a_table_of_another_part_loses_the_rows_that_name_the_account(run: Path) -> None:
    from factlink.runs.folder.store import load_manifest, save_manifest

    pl.DataFrame({"left": [LEFT, "x"], "right": ["y", "z"]}).write_parquet(run / "asked.parquet")
    networks, users = ["left", "left"], [LEFT, "13ac731db576beef"]
    persons = pl.DataFrame({"person": ["p1", "p2"], "network": networks, "user": users})
    persons.write_parquet(run / "seen.parquet")
    save_manifest(run, load_manifest(run))
    forget(run, LEFT)
    assert pl.read_parquet(run / "asked.parquet").rows() == [("x", "z")]
    assert pl.read_parquet(run / "seen.parquet").rows() == [("p2", "left", "13ac731db576beef")]


def test_an_unknown_id_is_refused_with_users_of_that_name(run: Path) -> None:
    with pytest.raises(InputError, match=r"no user has the id '.*' .* users of that name are: 18a1bc1154492c80"):
        forget(run, name_of(run))
    with pytest.raises(InputError, match="no user has the id 'nobody at all'"):
        forget(run, "nobody at all")
    with pytest.raises(InputError, match="network 'right' has no user '18a1bc1154492c80'; the other network has one"):
        forget(run, LEFT, "right")
    with pytest.raises(SettingError, match="a run has no side 'up'"):
        forget(run, LEFT, "up")


def test_an_id_of_both_networks_needs_a_side(tmp_path: Path) -> None:
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        users = {"id": ["amy", "bob", "cay", "dee"], "name": ["Amy Tan", "Bob Lee", "Cay Ode", "Dee Roy"]}
        pl.DataFrame(users).write_csv(tmp_path / side / "users.csv")
    make_run(LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run"), FactoidLinker())
    with pytest.raises(InputError, match="both networks have a user 'amy'; choose with --side"):
        forget(tmp_path / "run", "amy")
    forget(tmp_path / "run", "amy", "right")
    after = load_run(tmp_path / "run")
    assert after.left.users.to_list() == ["amy", "bob", "cay", "dee"]
    assert after.right.users.to_list() == ["bob", "cay", "dee"]
    forget(tmp_path / "run", "bob", "both")
    assert "Bob Lee" not in texts_of(tmp_path / "run")
    assert np.all(load_run(tmp_path / "run").candidates.rights < 2)
