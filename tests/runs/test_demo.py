"""A demo takes the place of an earlier one, and of nothing else."""

from pathlib import Path

import pytest

from factlink.errors import BusyError, FactlinkError, InputError
from factlink.runs.demo import MARK, make_networks
from factlink.runs.folder.judgement_file import JUDGEMENTS, create_judgements
from factlink.runs.folder.judgements import Judgements
from factlink.storage.durable import locked_folder
from factlink.types import Verdict


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """An earlier demo, whose run nobody judged."""
    folder = tmp_path / "demo"
    make_networks(folder, 20, 0, "csv")
    (folder / "run").mkdir()
    create_judgements(folder / "run")
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_an_earlier_demo_is_replaced_and_nothing_is_left_of_it(demo: Path) -> None:
    before = files_of(demo)
    make_networks(demo, 30, 0, "csv")
    after = files_of(demo)
    assert after.keys() == before.keys() - {f"run/{JUDGEMENTS}"}
    assert after["truth.csv"] != before["truth.csv"]
    assert [path.name for path in demo.parent.iterdir()] == ["demo"]


def test_what_the_demo_did_not_make_is_never_removed(demo: Path) -> None:
    (demo / "second").mkdir()
    (demo / "second" / "notes.txt").write_text("mine")
    before = files_of(demo)
    with pytest.raises(InputError, match="demo/second is not of the demo, and a new one would remove it; name another"):
        make_networks(demo, 30, 0, "csv")
    assert files_of(demo) == before


def test_judgements_are_never_removed_whether_the_run_can_be_read_or_not(demo: Path) -> None:
    Judgements(demo / "run").add("a", "x", Verdict.MATCH, "ann")
    judged = (demo / "run" / JUDGEMENTS).read_bytes()
    with pytest.raises(InputError, match="demo/run was judged, and a new demo would lose that"):
        make_networks(demo, 30, 0, "csv")
    assert (demo / "run" / JUDGEMENTS).read_bytes() == judged
    (demo / "run" / JUDGEMENTS).write_bytes(judged[:100])
    with pytest.raises(FactlinkError, match=r"judgements\.sqlite"):
        make_networks(demo, 30, 0, "csv")
    assert (demo / "run" / JUDGEMENTS).read_bytes() == judged[:100]


def test_judgements_that_were_withdrawn_do_not_keep_a_demo(demo: Path) -> None:
    Judgements(demo / "run").add("a", "x", Verdict.MATCH, "ann")
    Judgements(demo / "run").withdraw_last("ann")
    make_networks(demo, 30, 0, "csv")
    assert not (demo / "run").exists()


def test_one_process_makes_a_demo_at_a_time(demo: Path) -> None:
    before = files_of(demo)
    with (
        locked_folder(demo.with_name("demo.part"), "demo is being written"),
        pytest.raises(BusyError, match="demo is being written by process"),
    ):
        make_networks(demo, 30, 0, "csv")
    assert files_of(demo) == before


def test_a_demo_that_was_killed_while_it_was_cleared_is_made_again(demo: Path) -> None:
    for name in ("run/judgements.sqlite", "truth.csv", "chirper/users.csv"):
        (demo / name).unlink()
    assert (demo / MARK).exists()
    make_networks(demo, 30, 0, "csv")
    assert {"truth.csv", "chirper/users.csv"} <= files_of(demo).keys()
