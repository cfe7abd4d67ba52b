"""The whole audit: its values, its folder, its page, the command and the Python call."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import factlink as fl
from factlink.audits import sampling
from factlink.audits.auditing import Audit, AuditSettings, run_audit
from factlink.audits.page import render_audit, summarise
from factlink.audits.release import Release
from factlink.audits.writing import audit_folder, check_place
from factlink.cli.app import main
from factlink.data.files import write_network
from factlink.errors import InputError, RunError, SettingError
from factlink.protocols import Linker
from tests.audits.conftest import column
from tests.report.test_report import SCRIPT, read


@pytest.fixture
def audit(release: Release, linker: Linker) -> Audit:
    return run_audit(release, linker, AuditSettings(user="a00"))


def test_an_audit_in_numbers(audit: Audit) -> None:
    assert audit.risk == pytest.approx(31 / 60)
    assert (audit.reached, audit.after.risk.value, audit.verified) == (True, 0.0, None)
    assert (audit.people, audit.tried_on, audit.by_truth) == (60, 60, False)
    assert [person.user for person in audit.exposed[:2]] == ["a00", "a01"]
    assert audit.account is not None
    assert audit.account.smallest == ("handle", "name")
    assert "risk 0.517, 0.000 after" in repr(audit)
    assert "51.7%" in audit._repr_html_()


def test_measures_of_a_part_are_verified_on_the_whole(
    true_release: Release, linker: Linker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampling, "LARGEST", 40)
    stages: list[str] = []
    audit = run_audit(true_release, linker, AuditSettings(), stages.append)
    assert (audit.tried_on, audit.people) == (40, 60)
    assert audit.verified is not None
    assert (audit.verified.risk.value, audit.verified.risk.people) == (0.0, 60)
    assert len(stages) == audit.attacks
    assert any(stage.startswith("verifying") for stage in stages)


def test_the_folder_holds_the_page_and_its_twin(audit: Audit, tmp_path: Path) -> None:
    audit.save(tmp_path / "audit")
    values = json.loads((tmp_path / "audit" / "audit.json").read_text("utf-8"))
    assert values["risk"] == pytest.approx(31 / 60)
    assert values["advice"]["chosen"]["measures"][0]["words"]
    exposed = pl.read_csv(tmp_path / "audit" / "exposed.csv")
    assert (exposed.height, exposed["partner"][0]) == (40, "b00")
    page = (tmp_path / "audit" / "audit.html").read_text("utf-8")
    assert "How linkable is <bdi>release</bdi>?" in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["audit"]


def test_the_same_audit_gives_the_same_bytes(release: Release, linker: Linker, tmp_path: Path) -> None:
    pages = []
    for name in ("one", "two"):
        run_audit(release, linker, AuditSettings()).save(tmp_path / name)
        pages.append([(tmp_path / name / file).read_bytes() for file in ("audit.html", "audit.json", "exposed.csv")])
    assert pages[0] == pages[1]


def test_only_an_audit_is_replaced(audit: Audit, tmp_path: Path) -> None:
    audit.save(tmp_path / "audit")
    with pytest.raises(RunError, match="exists; name a new folder, or use --overwrite"):
        audit.save(tmp_path / "audit")
    audit.save(tmp_path / "audit", overwrite=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").touch()
    with pytest.raises(RunError, match="is not an audit, and is not replaced"):
        audit.save(tmp_path / "other", overwrite=True)


def test_what_is_not_a_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    for name in ("file", "pipe"):
        with pytest.raises(RunError, match=f"{name} is not a folder; name another place"):
            check_place(tmp_path / name, overwrite=True)
    check_place(tmp_path / "new", overwrite=False)
    with pytest.raises(NotADirectoryError), audit_folder(tmp_path / "file" / "audit"):
        raise AssertionError("nothing can be written there")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "pipe"]


def test_the_page_stays_whole_whatever_the_data_holds(release: Release, linker: Linker) -> None:
    names = column([f"{SCRIPT} \x1b {n}" for n in range(60)])
    left = replace(release.left, name=SCRIPT, attributes={SCRIPT: names, **release.left.attributes})
    audit = run_audit(release.publish(left), linker, AuditSettings(groups=(SCRIPT,), user="a00"))
    page = render_audit(audit.as_dict())
    found = read(page)
    assert (found.scripts, found.images, found.handlers, found.addresses, found.open) == (0, 0, 0, [], [])


def test_the_summary_says_whether_the_target_is_reached(audit: Audit, release: Release, linker: Linker) -> None:
    assert "links about 51.7 of 100 people of release correctly" in summarise(audit.as_dict())
    assert "After these measures 0 of 100 are left" in summarise(audit.as_dict())
    easy = run_audit(release, linker, AuditSettings(target=0.9))
    assert summarise(easy.as_dict()).endswith("That is under the target of 90.")


def test_bad_wishes_are_refused_in_one_sentence(release: Release, linker: Linker) -> None:
    with pytest.raises(SettingError, match=r"target is 1\.5; use a share from 0 to below 1"):
        AuditSettings(target=1.5)
    with pytest.raises(InputError, match="network 'release' has no user 'amy'"):
        run_audit(release, linker, AuditSettings(user="amy"))
    with pytest.raises(InputError, match="has no column 'sex' to group by"):
        run_audit(release, linker, AuditSettings(groups=("sex",)))


def test_from_python_with_a_frame_of_truth(release: Release, linker: Linker) -> None:
    truth = pl.DataFrame({"left": [f"a{n:02}" for n in range(40)], "right": [f"b{n:02}" for n in range(40)]})
    audit = fl.audit(release.left, release.right, truth=truth, linker=linker, groups="name")
    assert (audit.risk, audit.people) == (1.0, 40)


def test_the_command_writes_and_prints(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_network(release.left, tmp_path / "left")
    write_network(release.right, tmp_path / "right")
    words = ["audit", f"{tmp_path}/left", f"{tmp_path}/right", "-o", f"{tmp_path}/audit", "--linker", "name"]
    monkeypatch.setattr(sys, "argv", ["factlink", *words, "--user", "a00"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "An attacker who has right links about" in shown
    assert "audit.html" in shown
    assert (tmp_path / "audit" / "audit.json").is_file()
    monkeypatch.setattr(sys, "argv", ["factlink", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "exists; name a new folder" in capsys.readouterr().err
