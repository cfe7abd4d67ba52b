"""A damaged run is not reviewed; damaged under a review, it is one sentence on the page and nothing is kept unseen."""

import sys
from pathlib import Path

import pytest

from factlink.cli.app import main
from factlink.errors import FactlinkError
from factlink.review.view_models import ViewModels
from tests.damages import DAMAGES, files_of
from tests.review.conftest import World

PAGES = ("/queue", "/pair?left=a&right=w", "/user?side=left&user=a", "/search?q=amy", "/progress", "/agreement")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_run_is_refused_before_it_is_reviewed(
    damage: str, run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ViewModels(run)
    for name in files_of(run):
        if name == "judgements.sqlite" and damage == "one bit":
            continue  # SQLite keeps no checksums
        whole = (run / name).read_bytes()
        DAMAGES[damage](run / name)
        with pytest.raises(FactlinkError, match=Path(name).name):
            ViewModels(run)
        monkeypatch.setattr(sys, "argv", ["factlink", "review", str(run), "--no-browser"])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr().err
        assert (name, ended.value.code) == (name, 2)
        assert Path(name).name in said.splitlines()[-1]
        assert "Traceback" not in said
        (run / name).write_bytes(whole)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_run_that_is_damaged_under_a_review_is_a_sentence_or_shown_as_before(damage: str, world: World) -> None:
    before = {page: world.client.get(page).text for page in PAGES}
    names = [name for name in files_of(world.run) if name != "manifest.json"]
    for name in [*names, "manifest.json"]:
        DAMAGES[damage](world.run / name)
        for page in PAGES:
            answer = world.client.get(page)
            assert answer.status_code in (200, 409, 503), (name, page)
            assert answer.text == before[page] or answer.status_code != 200 or name == "judgements.sqlite"
            assert answer.status_code == 200 or "Back to the queue" in answer.text
    assert world.judge("a", "w", "match") in (409, 503)
