"""A damaged run, and damaged files of the service: one sentence, or made anew; never a wrong answer."""

import gc
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from factlink.cli.app import main
from factlink.errors import FactlinkError
from factlink.runs.folder.judgement_file import JUDGEMENTS
from factlink.serve.warm.holding import Held
from tests.damages import DAMAGES, files_of
from tests.serve.conftest import World, client_of

NOT_READ = (JUDGEMENTS, "encoded/")


def answers(run: Path, world: World) -> list[Any]:
    """What a service of its own says of two accounts."""
    with client_of(run, run.with_name("run.serve")) as client:
        found = [client.post("/v1/lookup", json={"account": world.account(at)}) for at in (0, 1)]
    assert [answer.status_code for answer in found] == [200, 200]
    del client
    gc.collect()  # a service that has ended does not use its folder any more
    return [answer.json() for answer in found]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_is_refused_before_it_is_served(
    damage: str, copy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in files_of(copy) if not name.startswith(NOT_READ)]:
        whole = (copy / name).read_bytes()
        DAMAGES[damage](copy / name)
        with pytest.raises(FactlinkError, match=Path(name).name):
            Held(copy, copy.with_name("run.serve"))
        (copy / name).write_bytes(whole)
    DAMAGES[damage](copy / "links.parquet")
    monkeypatch.setattr(sys, "argv", ["factlink", "serve", str(copy)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "links.parquet" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("damage", ["cut", "overwritten", "removed"])
def test_damaged_files_of_the_service_are_made_anew(damage: str, world: World, copy: Path) -> None:
    expected, work = answers(copy, world), copy.with_name("run.serve")
    made = [name for name in files_of(work) if name.endswith(".npy")]  # users.parquet is the run's own
    assert len(made) > 10
    for name in (made[0], made[len(made) // 2], made[-1], "checksums.json"):
        DAMAGES[damage](work / name)
        assert answers(copy, world) == expected
    for name in made:
        DAMAGES[damage](work / name)
    assert answers(copy, world) == expected


@pytest.mark.parametrize("damage", ["emptied", "overwritten", "other", "removed"])
def test_a_run_that_is_damaged_while_it_is_served_is_a_problem_or_answered_as_before(
    damage: str, world: World, copy: Path
) -> None:
    asked = json.dumps({"account": world.account(0)})
    with client_of(copy, copy.with_name("run.serve"), write=True) as client:
        expected = client.post("/v1/lookup", content=asked).json()
        person = str(expected["answers"][0]["candidates"][0]["user"])
        for name in files_of(copy):
            if not name.startswith("space/"):  # these are mapped: whoever writes into them changes what is in memory
                DAMAGES[damage](copy / name)
            for path, body in (("/v1/lookup", asked), (f"/v1/persons/{person}", None), ("/v1/health", None)):
                answer = client.request("POST" if body else "GET", path, content=body)
                assert answer.status_code in (200, 404, 409, 503), (name, path, answer.text)
                if answer.status_code != 200:
                    assert answer.headers["content-type"] == "application/problem+json"
                elif body:
                    assert answer.json() == expected
        added = client.post("/v1/accounts", json={"account": world.account(1)})
    assert added.status_code in (409, 503)
    assert added.headers["content-type"] == "application/problem+json"
