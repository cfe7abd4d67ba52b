"""The pages: what comes next, what is shown, what is hidden, what is kept."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from tests.review.conftest import DOOR, WRITE, World, make_run_folder, open_world

PAGES = ["/queue", "/pair?left=a&right=z", "/user?side=left&user=a", "/user?side=right&user=w", "/search?q=e"]
PAGES += ["/progress", "/agreement"]


def shown_pair(world: World, **query: str) -> tuple[str, str] | None:
    pair: Any = world.get("/queue", **query)["pair"]
    return None if pair is None else (pair["left"]["user"], pair["right"]["user"])


def judge_all(world: World) -> list[str]:
    """Lefts in the order in which the queue asks about them."""
    lefts = []
    while (pair := shown_pair(world)) is not None:
        assert world.judge(*pair, "match") == 303
        lefts.append(pair[0])
    return lefts


def test_the_queue_asks_what_settles_most_and_never_twice(world: World) -> None:
    """Doubt × (1 + doubt around): a 1·(1+0), b 0.2·(1+0.9), c 0.5·(1+0.6), d 0.4·(1+0.7)."""
    assert judge_all(world) == ["a", "c", "d", "b"]
    queue = world.get("/queue")
    assert (queue["decided"], queue["pairs"], queue["pair"]) == (4, 4, None)
    assert "No pairs left" in world.client.get("/queue").text


def test_without_probabilities_small_margins_come_first(tmp_path: Path) -> None:
    world = open_world(make_run_folder(tmp_path, [None] * 4))
    assert judge_all(world) == ["c", "b", "a", "d"]


def test_a_user_without_an_account_is_shown_with_the_best_candidate(world: World) -> None:
    assert shown_pair(world, outcome="no account") == ("d", "z")


@pytest.mark.parametrize(
    ("query", "pairs"),
    [
        ({"outcome": "link"}, 2),
        ({"at_least": "0.6"}, 2),
        ({"at_least": "0.6", "at_most": "0.8"}, 1),
        ({"predicate": "bio"}, 1),
        ({"predicate": "bio", "network": "chirper"}, 4),
        ({"predicate": "bio", "network": "facepage"}, 1),
        ({"predicate": "nothing such"}, 0),
    ],
)
def test_filters(world: World, query: dict[str, str], pairs: int) -> None:
    assert world.get("/queue", **query)["pairs"] == pairs


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("/queue?outcome=maybe", "no outcome is called 'maybe'; there are: link, unknown, no account"),
        ("/queue?at_least=0.9&at_most=0.1", "probabilities from 0.9 to 0.1 are not a range inside 0 to 1"),
        ("/queue?at_least=nan", "are not a range inside 0 to 1"),
        ("/queue?at_least=much", "'much' is not a probability"),
        ("/queue?skip=-1", "'skip' is '-1'; it takes a whole number"),
        ("/pair?left=a", "this page needs 'right' in its address"),
        ("/pair?left=a&right=nobody", "network 'facepage' has no user 'nobody'"),
        ("/user?side=top&user=a", "no side is called 'top'; there are: left, right"),
    ],
)
def test_a_wrong_address_is_one_sentence(world: World, address: str, message: str) -> None:
    path, _, query = address.partition("?")
    answer = world.client.get(f"{path}.json?{query}")
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert world.client.get(address).status_code == 400


def test_skipping_leaves_a_pair_for_later(world: World) -> None:
    assert [shown_pair(world, skip=str(n)) for n in (0, 1, 4)] == [("a", "w"), ("c", "y"), None]
    assert shown_pair(world) == ("a", "w")


def test_after_a_verdict_the_filters_stay(world: World) -> None:
    form = {"left": "b", "right": "x/?&#%", "verdict": "match", "page": "queue", "filters": "outcome=link&skip=1"}
    answer = world.client.post("/judge", data=form, headers=WRITE, follow_redirects=False)
    assert answer.headers["location"] == f"{DOOR.place}/queue?outcome=link&skip=1"


def test_a_pair_shows_what_is_known_of_it(world: World) -> None:
    pair: Any = world.get("/pair", left="a", right="w")["pair"]
    assert pair["link"] == {
        "score": 0.9,
        "probability": 0.5,
        "margin": 0.4,
        "decision": "link",
        "runner_up": {"side": "right", "user": "x/?&#%", "name": "Benny"},
        "dependents": 0.0,
    }
    assert pair["rows"][0]["left"]["marked"] == [
        [{"text": "Amy T", "same": True}, {"text": "an", "same": False}],
    ]
    assert pair["mine"] is None


def test_linked_neighbours_are_named(world: World) -> None:
    """Only a and b are linked; b's partner x follows y, and b follows c."""
    pair: Any = world.get("/pair", left="c", right="y")["pair"]
    assert pair["shared"]["count"] == 1
    met = pair["shared"]["shown"][0]
    assert (met["left"]["user"], met["right"]["user"]) == ("b", "x/?&#%")


def test_neighbours_of_the_same_name_are_shown_even_to_the_blind(run: Path) -> None:
    """c's neighbours are b and d, y's are x and z; d and z are renamed alike."""
    for side, named in (("left", "Dee"), ("right", "DEE")):
        path = run / side / "users.parquet"
        users = pl.read_parquet(path)
        users.with_columns(name=pl.Series([*users["name"][:3], named])).write_parquet(path)
    for blind in (False, True):
        pair: Any = open_world(run, blind=blind).get("/pair", left="c", right="y")["pair"]
        met = [(each["left"]["user"], each["right"]["user"]) for each in pair["namesakes"]["shown"]]
        assert (pair["namesakes"]["count"], met) == (1, [("d", "z")])


def test_why_not_names_the_rank_and_whom_they_are_linked_to_instead(world: World) -> None:
    pair: Any = world.get("/pair", left="a", right="x/?&#%")["pair"]
    assert pair["link"] is None
    assert (pair["instead"]["rank"], pair["instead"]["of"], pair["instead"]["score"]) == (2, 3, 0.5)
    assert pair["instead"]["left_linked_to"]["user"] == "w"
    assert [user["user"] for user in pair["instead"]["right_linked_to"]] == ["b"]
    text = world.client.get("/pair", params={"left": "a", "right": "y"}).text
    assert "The run does not link these two." in text
    assert "It is not among the 3 candidates" in text


def test_a_user_has_candidates_and_the_way_back(world: World) -> None:
    mine: Any = world.get("/user", side="left", user="a")["candidates"]
    assert [(each["user"], round(each["score"], 2)) for each in mine] == [("w", 0.9), ("x/?&#%", 0.5), ("z", 0.1)]
    theirs: Any = world.get("/user", side="right", user="w")["candidates"]
    assert [each["user"] for each in theirs] == ["a", "b"]


def test_evidence_is_read_if_the_run_has_it(run: Path) -> None:
    rows = [
        ("b", "x/?&#%", "name", "Ben", "Benny", 0.5),
        ("a", "w", "name", "Amy Tan", "Amy T.", 0.25),
        ("a", "w", "bio", "cats", "cats", -0.75),
        ("a", "z", "bio", "cats", "dogs", 0.1),
    ]
    columns = ["left", "right", "predicate", "left_object", "right_object", "weight"]
    pl.DataFrame(rows, columns, orient="row").write_parquet(run / "evidence.parquet")
    world = open_world(run)
    pair: Any = world.get("/pair", left="a", right="w")["pair"]
    assert [(part["predicate"], part["weight"]) for part in pair["evidence"]] == [("bio", -0.75), ("name", 0.25)]
    assert world.get("/queue", predicate="name")["pairs"] == 2
    assert "-0.750" in world.client.get("/pair", params={"left": "a", "right": "w"}).text


def test_search_finds_ids_and_names_in_any_case(world: World) -> None:
    found: Any = world.get("/search", q="AMY")["found"]
    assert [[user["user"] for user in side["users"]] for side in found] == [["a"], ["w"]]
    found = world.get("/search", q="شاكر")["found"]
    assert [[user["user"] for user in side["users"]] for side in found] == [["c"], ["y"]]
    found = world.get("/search", q=".*", network="chirper")["found"]
    assert [side["users"] for side in found] == [[]]
    exact: Any = world.get("/search", q="d")["found"]
    assert exact[0]["users"][0]["user"] == "d"


def test_judging_and_undoing(world: World) -> None:
    assert world.judge("a", "w", "match", note="  same cat  ") == 303
    pair: Any = world.get("/pair", left="a", right="w")["pair"]
    assert (pair["mine"]["verdict"], pair["mine"]["note"]) == ("match", "same cat")
    answer = world.client.post("/undo", headers=WRITE, follow_redirects=False)
    assert answer.headers["location"] == f"{DOOR.place}/pair?left=a&right=w&undone=1"
    assert "was undone" in world.client.get("/pair?left=a&right=w&undone=1").text
    assert shown_pair(world) == ("a", "w")
    answer = world.client.post("/undo", headers=WRITE, follow_redirects=False)
    assert answer.headers["location"] == f"{DOOR.place}/queue"


@pytest.mark.parametrize(
    "form",
    [
        {"left": "a", "right": "w", "verdict": "perhaps"},
        {"left": "a", "right": "nobody", "verdict": "match"},
        {"left": "a", "right": "w"},
        {},
    ],
)
def test_a_wrong_verdict_is_refused_and_nothing_kept(world: World, form: dict[str, str]) -> None:
    assert world.client.post("/judge", data=form, headers=WRITE).status_code == 400
    assert world.judgements.overall().height == 0


def test_machines_write_json(world: World) -> None:
    headers = {**WRITE, "Accept": "application/json"}
    body = {"left": "a", "right": "w", "verdict": "non-match"}
    assert world.client.post("/judge", json=body, headers=headers).json() == {"judgement": 1}
    undone = world.client.post("/undo", json={}, headers=headers).json()
    assert undone == {"undone": {"left": "a", "right": "w", "verdict": "non-match"}}
    for wrong in (b"[1]", b'{"left": 1}', b"{"):
        sent = world.client.post("/judge", content=wrong, headers={**headers, "Content-Type": "application/json"})
        assert sent.status_code == 400


@pytest.mark.parametrize("address", PAGES)
def test_every_page_has_a_json_twin(world: World, address: str) -> None:
    path, _, query = address.partition("?")
    twin = world.client.get(f"{path}.json?{query}")
    assert twin.headers["content-type"] == "application/json"
    accepted = world.client.get(address, headers={"Accept": "application/json"})
    assert accepted.json() == twin.json()
    page = world.client.get(address, headers={"Accept": "text/html,application/json;q=0.9"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"


def test_two_reviewers_at_once_share_the_work(run: Path) -> None:
    ann, bob = open_world(run, "ann"), open_world(run, "bob")
    assert shown_pair(ann) == ("a", "w")
    ann.judge("a", "w", "match")
    assert shown_pair(bob) == ("c", "y")
    bob.judge("c", "y", "non-match")
    assert shown_pair(ann) == ("d", "z")
    others: Any = ann.get("/pair", left="c", right="y")["pair"]
    assert [(said["reviewer"], said["verdict"]) for said in others["others"]] == [("bob", "non-match")]


def test_two_reviewers_of_one_server_are_not_given_the_same_pair(world: World) -> None:
    bob = TestClient(world.client.app, base_url=world.client.base_url, cookies=dict(world.client.cookies))
    bob.post("/reviewer", data={"reviewer": " Bob  ☃ "}, headers=WRITE, follow_redirects=False)
    other = World(world.run, bob, world.judgements)
    assert shown_pair(world) == ("a", "w")
    assert shown_pair(other) == ("c", "y")
    for left, right in (("c", "y"), ("b", "x/?&#%"), ("d", "z")):
        other.judge(left, right, "match")
    assert shown_pair(other) == ("a", "w")  # ann has it open, but nothing else is left
    other.client.post("/undo", headers=WRITE)
    other.client.post("/undo", headers=WRITE)
    assert world.judgements.overall()["reviewer"].to_list() == ["Bob ☃"]
    assert bob.post("/reviewer", data={"reviewer": " "}, headers=WRITE).status_code == 400


def test_what_was_judged_before_stays_judged_after_a_restart(run: Path) -> None:
    first = open_world(run)
    first.judge("a", "w", "match")
    first.judge("c", "y", "unknown")
    first.client.post("/undo", headers=WRITE)
    assert shown_pair(open_world(run)) == ("c", "y")
    assert open_world(run).get("/queue")["decided"] == 1


def test_blind_reviewers_see_the_accounts_and_nothing_else(run: Path) -> None:
    open_world(run, "bob").judge("a", "w", "match", note="obvious")
    blind = open_world(run, "ann", blind=True)
    assert shown_pair(blind) == ("a", "w")
    for address in ("/queue", "/pair?left=a&right=w", "/user?side=left&user=a", "/progress"):
        page = blind.client.get(address).text
        for hidden in ("0.900", "0.500", "obvious", "bob", "probability", "Result of the run", "runner-up"):
            assert hidden not in page, f"{address} shows {hidden}"
    pair: Any = blind.get("/pair", left="a", right="w")["pair"]
    assert set(pair) == {"left", "right", "rows", "mine", "namesakes"}
    mine: Any = blind.get("/user", side="left", user="a")["candidates"]
    assert [each["score"] for each in mine] == [None] * 3
    assert blind.get("/queue", outcome="link", at_least="0.9")["pairs"] == 4


def test_blind_reviewers_all_get_every_pair_and_their_agreement_is_measured(run: Path) -> None:
    ann, bob = open_world(run, "ann", blind=True), open_world(run, "bob", blind=True)
    assert judge_all(ann) == judge_all(bob) == ["a", "c", "d", "b"]
    bob.judge("a", "w", "non-match")
    ann.judge("c", "y", "non-match")
    bob.judge("c", "y", "non-match")
    found: Any = ann.get("/agreement")["agreements"]
    assert found == [{"first": "ann", "second": "bob", "pairs": 4, "agreed": 3, "kappa": pytest.approx(0.5)}]
    assert "0.50" in ann.client.get("/agreement").text


def test_progress_counts_verdicts_and_how_right_the_links_were(world: World) -> None:
    world.judge("a", "w", "match")
    world.judge("b", "x/?&#%", "non-match")
    world.judge("c", "y", "match")  # the run leaves it unknown
    found = world.get("/progress")
    assert found == {
        "reviewers": {"ann": {"match": 2, "unknown": 0, "non-match": 1}},
        "pairs": 4,
        "decided": 3,
        "precision": {"match": 1, "unknown": 0, "non-match": 1},
    }
    assert "1 of 2" in world.client.get("/progress").text


def test_the_json_of_a_page_is_plain(world: World) -> None:
    assert json.loads(json.dumps(world.get("/queue"))) == world.get("/queue")
