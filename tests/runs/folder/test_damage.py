"""A run whose files were cut, emptied, overwritten or removed: one sentence that names the file, and nothing lost."""

import shutil
import sys
from pathlib import Path

import pytest

from factlink.cli.app import main
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import load_run
from factlink.types import Verdict
from tests.crash.world import make_world
from tests.damages import DAMAGES, files_of


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world with a run that was judged, and added to."""
    folder = tmp_path_factory.mktemp("damage")
    make_world(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for words in ("link left right -o run --known known.csv", "add run new --side left"):
            call(patch, *words.split())
    left, right = load_run(folder / "run").links.drop_nulls("right").select("left", "right").row(0)
    Judgements(folder / "run").add(left, right, Verdict.MATCH, "ann")
    return folder


def call(patch: pytest.MonkeyPatch, *words: str) -> int:
    """The exit code of a command in this process."""
    patch.setattr(sys, "argv", ["factlink", *words])
    try:
        main()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damaged_file_is_named_in_one_sentence(
    damage: str, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    adding = ["add", "run", str(world / "new"), "--side", "right"]
    reading = [["evaluate", "run", "../truth.parquet"], ["relink", "run", "-o", "again"], ["report", "run", "--json"]]
    judgements = [["judgements", "run"], ["relink", "run", "-o", "again"], adding]
    commands = {"space": [adding], "judgements.sqlite": judgements}
    checked = [name for name in files_of(world / "run") if not name.startswith("encoded/")]
    found = set()
    for name in checked:
        place = tmp_path / "place"
        shutil.copytree(world / "run", place / "run")
        shutil.copy(world / "truth.parquet", tmp_path)
        monkeypatch.chdir(place)
        DAMAGES[damage](place / "run" / name)
        for words in commands.get(name.partition("/")[0], [*reading, adding]):
            code, said = call(monkeypatch, *words), capsys.readouterr().err
            assert code in (0, 2), (name, words, said)
            assert said.count("\n") <= 1, (name, words, said)
            if code == 2:
                found.add(name)
        shutil.rmtree(place)
    if damage == "one bit":
        checked.remove("judgements.sqlite")  # SQLite keeps no checksums
    assert set(checked) == found


@pytest.mark.parametrize("damage", ["cut", "emptied", "overwritten", "other", "removed"])
def test_damaged_judgements_are_never_read_as_none(damage: str, world: Path, tmp_path: Path) -> None:
    from factlink.errors import RunError

    shutil.copytree(world / "run", tmp_path / "run")
    DAMAGES[damage](tmp_path / "run" / "judgements.sqlite")
    with pytest.raises(RunError, match=r"judgements.sqlite"):
        Judgements(tmp_path / "run").overall()
    with pytest.raises(RunError, match=r"judgements.sqlite"):
        Judgements(tmp_path / "run").add("a", "x", Verdict.MATCH, "ann")
