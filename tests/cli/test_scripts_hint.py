"""What `link` says about names that it could read better."""

import json
import sys
from pathlib import Path

import pytest

from factlink.cli.app import main
from factlink.encoders.readings import cantonese, hokkien, japanese, readers

CHINESE = "id,name\n1,魏雅凯\n2,王建民\n3,クラウス\n4,陳田みどり\n5,Amy Tan\n"
LATIN = "id,name\na,Wei Yakai\nb,Wang Jianmin\nc,Klaus\nd,Иванов\n"
HINT = (
    "name of weibo holds 2 names in Chinese characters; name of weibo holds 2 names in kana: "
    "pip install 'factlink[scripts]' reads them better"
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {"weibo": CHINESE, "twitter": LATIN, "facebook": LATIN}.items():
        (tmp_path / f"{name}.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (japanese, readers, cantonese, hokkien):
        monkeypatch.setattr(module, "has_dictionary", lambda: False)


def linked(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setattr(sys, "argv", f"factlink link {line} -o run --overwrite".split())
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    return capsys.readouterr().out


@pytest.mark.usefixtures("files", "without_extra")
@pytest.mark.parametrize("networks", ["weibo.csv twitter.csv", "weibo.csv twitter.csv facebook.csv"])
def test_columns_that_would_gain_are_named_once(
    networks: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = linked(networks, monkeypatch, capsys)
    assert shown.count("factlink[scripts]") == 1
    assert HINT in shown


@pytest.mark.usefixtures("files", "without_extra")
def test_json_has_the_counts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    notes = json.loads(linked("weibo.csv twitter.csv --json", monkeypatch, capsys))["notes"]
    assert notes["read_better_with_scripts"] == [
        {"network": "weibo", "column": "name", "names": 2, "script": "in Chinese characters"},
        {"network": "weibo", "column": "name", "names": 2, "script": "in kana"},
    ]


@pytest.mark.usefixtures("files", "without_extra")
@pytest.mark.parametrize("line", ["twitter.csv facebook.csv", "weibo.csv twitter.csv --set steps.readings=no"])
def test_nothing_is_said_where_nothing_would_be_gained(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "scripts" not in linked(line, monkeypatch, capsys)


@pytest.mark.usefixtures("files")
def test_nothing_is_said_where_the_extra_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in (japanese, readers, cantonese, hokkien):
        if not module.has_dictionary():
            pytest.skip("the extra is not installed")
    assert "scripts" not in linked("weibo.csv twitter.csv", monkeypatch, capsys)
