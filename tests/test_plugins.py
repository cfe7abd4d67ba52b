"""Plugins: the package in examples/ is installed into a folder of its own, and all four of its parts are used."""

import json
import os
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from factlink import plugins
from factlink.encoders.plugged import PluggedEncoder
from factlink.errors import SettingError

EXAMPLE = Path(__file__).parents[1] / "examples" / "factlink-example"
CARDS = """BEGIN:VCARD
FN:Amy Tan
NICKNAME:amytan
NOTE:likes chess and tea
END:VCARD
BEGIN:VCARD
FN:Bob Lee
NICKNAME:boblee
NOTE:walks in hills
END:VCARD
BEGIN:VCARD
FN:Cay Ode
NICKNAME:cay.ode
NOTE:paints boats
END:VCARD
"""
USERS = """id,name,bio
r1,Bob Lee,hills and walks
r2,Amy Tan,tea and chess
r3,Dee Roy,reads maps
r4,Cay Ode,boats in paint
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package in it, made by pip without a network."""
    site = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run([*words, "--target", site, EXAMPLE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return site


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugged")
    (folder / "people.vcf").write_text(CARDS, "utf-8")
    (folder / "others.csv").write_text(USERS, "utf-8")
    return folder


def factlink(words: list[str], installed: Path, place: Path) -> subprocess.CompletedProcess[str]:
    paths = [str(installed), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    words = [sys.executable, "-m", "factlink", *words]
    return subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, check=False)


def test_all_four_parts_of_the_example_work(installed: Path, place: Path) -> None:
    listed = factlink(["linkers", "--json"], installed, place)
    assert "same-name" in [each["name"] for each in json.loads(listed.stdout)]
    link = ["link", "people.vcf", "others.csv", "-o", "run", "--linker", "same-name", "--min-probability", "0"]
    done = factlink(link, installed, place)
    assert done.returncode == 0, done.stderr
    done = factlink(["export", "run", "-o", "links.md", "--json"], installed, place)
    assert done.returncode == 0, done.stderr
    links = (place / "links.md").read_text("utf-8")
    assert links.startswith("| left | left_name | right | right_name | probability |\n|---|---|---|---|---|\n")
    assert "| card1 | Amy Tan | r2 | Amy Tan |" in links


def test_an_encoder_of_another_package_reads_texts(installed: Path, place: Path) -> None:
    link = ["link", "people.vcf", "others.csv", "-o", "letters", "--set", "text_model=plugin:letters"]
    link += ["--kind", "bio=text"]
    done = factlink(link, installed, place)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((place / "letters" / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["text_model"] == "plugin:letters"
    assert "attribute" in [weight["source"] for weight in manifest["notes"]["channel_weights"]]


def test_without_the_package_its_names_are_unknown(place: Path, tmp_path: Path) -> None:
    for words, sentence in {
        ("link", "others.csv", "others.csv", "-o", "x", "--linker", "same-name"): "no linker is called 'same-name'",
        ("link", "others.csv", "others.csv", "-o", "x", "--set", "text_model=plugin:letters"): "is called 'letters'",
    }.items():
        done = factlink(list(words), tmp_path, place)
        assert done.returncode == 2
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr


def entry(monkeypatch: pytest.MonkeyPatch, group: str, *points: tuple[str, str]) -> None:
    found = [EntryPoint(name, value, group) for name, value in points]
    monkeypatch.setattr(plugins, "entry_points", lambda group: found)
    plugins.plugins_of.cache_clear()


@pytest.fixture(autouse=True)
def _fresh() -> None:
    plugins.plugins_of.cache_clear()


def test_a_plugin_that_cannot_be_imported_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry(monkeypatch, plugins.ENCODERS, ("odd", "no_such_module:Odd"))
    with pytest.raises(SettingError, match=r"plugin 'odd' \(no_such_module:Odd\) cannot be loaded"):
        PluggedEncoder("plugin:odd")
    plugins.plugins_of.cache_clear()


def test_a_plugin_without_what_its_group_needs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    entry(monkeypatch, plugins.IMPORTERS, ("odd", "json:loads"))
    with pytest.raises(SettingError, match="has no recognises, read"):
        plugins.load_plugin(plugins.IMPORTERS, "odd", ("recognises", "read"))
    plugins.plugins_of.cache_clear()


def test_two_packages_with_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry(monkeypatch, plugins.LINKERS, ("same", "a:B"), ("same", "c:D"))
    with pytest.raises(SettingError, match="two installed packages have a plugin 'same'"):
        plugins.plugins_of(plugins.LINKERS)
    plugins.plugins_of.cache_clear()
