"""Persons on the web page: what is asked first, splits and merges that last, and what a relink makes of them."""

import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from factlink.data.files import write_network
from factlink.data.frames import network_from_frames
from factlink.errors import SettingError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.review.answers import ReviewSettings
from factlink.review.persons.app import make_persons_app
from factlink.review.persons.view_models import PersonViews
from factlink.review.serving import Service, open_review
from factlink.runs.folder.persons import read_persons
from factlink.runs.several.again import relink_several
from factlink.runs.several.inputs import SeveralRequest
from factlink.runs.several.judging import PersonJudgements
from factlink.runs.several.making import make_several
from tests.review.conftest import DOOR, HOME, TOKEN, WRITE

NAMES = ["Amy Tanaka", "Ben Okonkwo", "Chloé Dubois", "Dmitri Volkov", "Esra Yılmaz", "Farid Haddad", "Greta Lindqvist"]
SCRIPT = "<script>alert('owned')</script>"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("persons")
    for network in ("ant", "bee", "cat"):
        bios = [f"I like {network}s {SCRIPT}"] * len(NAMES)
        users = pl.DataFrame({"id": [f"{network}{at}" for at in range(len(NAMES))], "name": NAMES, "bio": bios})
        write_network(network_from_frames(network, users, None), place / network)
    make_several(SeveralRequest([place / name for name in ("ant", "bee", "cat")], place / "run"), FactoidLinker())
    return place / "run"


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "run")
    return tmp_path / "run"


def open_client(run: Path) -> TestClient:
    app = make_persons_app(PersonViews(run), ReviewSettings("ann"), DOOR)
    client = TestClient(app, base_url=HOME)
    client.get("/queue", params={"token": TOKEN})
    client.base_url = HOME + DOOR.place
    return client


def person_of(run: Path, network: str, user: str) -> str:
    found: str = read_persons(run).filter(network=network, user=user)["person"][0]
    return found


def say(client: TestClient, what: str, **fields: str) -> Any:
    answer = client.post(f"/{what}", data=fields, headers={**WRITE, "Accept": "application/json"})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_everybody_of_one_name_is_one_person_with_three_accounts(run: Path) -> None:
    client = open_client(run)
    page = client.get("/person.json", params={"network": "bee", "user": "bee2"}).json()
    assert [account["user"] for account in page["accounts"]] == ["ant2", "bee2", "cat2"]
    assert [(tie["first"]["user"], tie["second"]["user"]) for tie in page["ties"]] == [
        ("ant2", "bee2"),
        ("ant2", "cat2"),
        ("bee2", "cat2"),
    ]
    assert {tie["decision"] for tie in page["ties"]} == {"link"}


def test_pages_are_html_in_which_no_script_of_a_user_runs(run: Path) -> None:
    client = open_client(run)
    for address in ("/queue", f"/person?id={person_of(run, 'ant', 'ant0')}", "/search?q=Amy"):
        page = client.get(address)
        assert page.status_code == 200
        assert SCRIPT not in page.text
        assert "<h1>" in page.text or "split off" in page.text


def test_a_split_is_a_non_match_with_all_other_accounts_and_relink_obeys(run: Path, tmp_path: Path) -> None:
    client = open_client(run)
    said = say(client, "split", network="bee", user="bee1")
    assert said["judged"] == 2
    relink_several(run, tmp_path / "again", False, lambda stage: None)
    persons = [
        person_of(tmp_path / "again", *account) for account in (("ant", "ant1"), ("bee", "bee1"), ("cat", "cat1"))
    ]
    assert persons[0] == persons[2] == person_of(run, "ant", "ant1")
    assert persons[1] != persons[0]


def test_a_merge_is_a_match_of_all_compared_accounts_and_relink_obeys(run: Path, tmp_path: Path) -> None:
    client = open_client(run)
    say(client, "split", network="bee", user="bee1")
    relink_several(run, tmp_path / "split", False, lambda stage: None)
    client = open_client(tmp_path / "split")
    person, other = (person_of(tmp_path / "split", *account) for account in (("ant", "ant1"), ("bee", "bee1")))
    assert say(client, "merge", person=person, other=other)["judged"] == 2
    relink_several(tmp_path / "split", tmp_path / "merged", False, lambda stage: None)
    assert person_of(tmp_path / "merged", "bee", "bee1") == person_of(tmp_path / "merged", "ant", "ant1") == person


def test_undo_takes_back_a_split_in_all_networks_at_once(run: Path) -> None:
    client = open_client(run)
    say(client, "judge", first_network="ant", first="ant0", second_network="bee", second="bee0", verdict="match")
    say(client, "split", network="cat", user="cat4")
    assert say(client, "undo") == {"undone": 2}
    judgements = PersonJudgements(run, PersonViews(run).manifest, 1.0)
    assert judgements.count() == 1
    assert say(client, "undo") == {"undone": 1}
    assert say(client, "undo") == {"undone": 0}


def test_what_was_judged_is_no_longer_asked(run: Path) -> None:
    client = open_client(run)
    before = client.get("/queue.json").json()
    say(client, "split", network="cat", user="cat4")
    after = client.get("/queue.json").json()
    assert (before["n_open"], after["n_open"]) == (7, 6)
    assert after["judged"] == 2


@pytest.mark.parametrize(
    ("what", "fields", "sentence"),
    [
        ("split", {"network": "dog", "user": "x"}, "no network is called 'dog'; there are: ant, bee, cat"),
        ("split", {"network": "ant", "user": "x"}, "network 'ant' has no user 'x'"),
        ("merge", {"person": "x", "other": "x"}, "a person cannot be merged with itself"),
        ("merge", {"person": "x", "other": "y"}, "no person of this run has the id 'x'"),
        ("judge", {"verdict": "perhaps"}, "no verdict is called 'perhaps'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(
    run: Path, what: str, fields: dict[str, str], sentence: str
) -> None:
    answer = open_client(run).post(f"/{what}", data=fields, headers={**WRITE, "Accept": "application/json"})
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_persons_are_not_reviewed_blind(run: Path) -> None:
    with pytest.raises(SettingError, match="a blind review judges pairs of two networks; choose them with --pair A:B"):
        open_review(run, Service(0, "ann", blind=True), lambda stage: None)
