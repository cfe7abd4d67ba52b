"""A run of three networks whose files were cut, emptied, overwritten or removed: one sentence that names the file."""

import shutil
from pathlib import Path

import pytest

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.several import choose_pair
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins
from factlink.types import Verdict
from tests.runs.folder.test_damage import DAMAGES, call, files_of

NAMES = ("ant", "bee", "cat")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three small networks, pairs that are true, and a run that was judged."""
    place = tmp_path_factory.mktemp("several")
    world = twins(Dials(Population(people=12, networks=NAMES), seed=3))
    for network in world.networks:
        write_network(network, place / network.name)
    ant, bee = world.network("ant"), world.network("bee")
    write_pairs(world.truth("ant", "bee"), place / "truth.csv", ant, bee)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        assert call(patch, "link", *NAMES, "-o", "run", "--set", "steps.links=false") == 0
    part = choose_pair(place / "run", "ant:bee")
    Judgements(part).add(ant.users[0], bee.users[0], Verdict.NON_MATCH, "ann")
    return place


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_damaged_file_is_named_in_one_sentence(
    damage: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = str(place / "truth.csv")
    commands = [
        *(["persons", "run"], ["persons", "run", "--changes", str(place / "run")], ["evaluate", "run", truth]),
        *(["report", "run", "--json"], ["relink", "run", "-o", "again"]),
        *(["judgements", "run", "--pair", "ant:bee"], ["export", "run", "--pair", "ant:bee", "-o", "links.csv"]),
    ]
    monkeypatch.chdir(tmp_path)
    alike = ("pairs/1-3/", "pairs/2-3/")  # as the first pair, but for the manifests
    added_to = "encoded/", "space/"  # what factlink add alone reads: see test_adding.py
    every = [name for name in files_of(place / "run") if not any(part in name for part in added_to)]
    checked = [name for name in every if not name.startswith(alike) or name.endswith("manifest.json")]
    found = set()
    for name in checked:
        shutil.copytree(place / "run", tmp_path / "run")
        DAMAGES[damage](tmp_path / "run" / name)
        for words in commands:
            code, said = call(monkeypatch, *words), capsys.readouterr().err
            assert code in (0, 2), (name, words, said)
            assert said.count("\n") <= 1, (name, words, said)
            if code == 2:
                found.add(name)
            shutil.rmtree(tmp_path / "again", ignore_errors=True)
        shutil.rmtree(tmp_path / "run")
    if damage == "one bit":
        checked = [name for name in checked if not name.endswith("judgements.sqlite")]  # SQLite keeps no checksums
    assert set(checked) == found


@pytest.mark.parametrize("damage", ["cut", "emptied", "overwritten", "other"])
def test_a_run_whose_persons_cannot_be_read_is_not_replaced_by_one_with_other_persons(
    damage: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["link", str(place / "ant"), str(place / "bee"), "-o", "run", "--linker", "name", "--overwrite"]
    assert call(monkeypatch, *words) == 0
    DAMAGES[damage](tmp_path / "run" / "persons.parquet")
    capsys.readouterr()
    assert call(monkeypatch, *words) == 2
    said = capsys.readouterr().err
    assert "persons.parquet is damaged" in said
    assert said.count("\n") == 1
    (tmp_path / "run" / "persons.parquet").unlink()
    assert call(monkeypatch, *words) == 0
