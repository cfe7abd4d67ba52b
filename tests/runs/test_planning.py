import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from factlink.cli import app
from factlink.data.files import write_network
from factlink.data.synthetic import Crowd, Dials, twins
from factlink.errors import SettingError
from factlink.runs.planning import check_memory, free_memory, parse_bytes, plan_link, probe_pace


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    world = twins(Dials(Crowd(people=500, users=(400, 400))))
    for network in world.networks:
        write_network(network, tmp_path / network.name)
    return tmp_path / "left", tmp_path / "right"


def test_a_plan_grows_with_the_machine_and_names_the_method(folders: tuple[Path, Path]) -> None:
    plan = plan_link(*folders, pace=1.0)
    assert plan.search == "every pair"
    assert plan.left.users == plan.right.users == 400
    assert plan_link(*folders, pace=3.0).seconds == pytest.approx(3 * plan.seconds)
    assert 0 < plan.disk_bytes < plan.memory_bytes < 1_000_000_000


def test_the_pace_is_measured(folders: tuple[Path, Path]) -> None:
    assert 0.05 < probe_pace() < 100
    assert plan_link(*folders).seconds > 0


@pytest.mark.parametrize(
    ("text", "count"), [("8GB", 8_000_000_000), ("500 mb", 500_000_000), ("1.5G", 1_500_000_000), ("1000", 1000)]
)
def test_sizes_are_read_as_people_write_them(text: str, count: int) -> None:
    assert parse_bytes(text) == count


@pytest.mark.parametrize("text", ["much", "-1GB", "0", "8XB"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(SettingError, match="takes a size such as 8GB"):
        parse_bytes(text)


def test_what_does_not_fit_is_refused_with_a_remedy(folders: tuple[Path, Path]) -> None:
    with pytest.raises(
        SettingError, match=r"needs about 0\.. GB of memory, more than the 0\.1 GB given; raise --memory"
    ):
        check_memory(*folders, {}, "100MB")
    check_memory(*folders, {}, "2GB")
    check_memory(*folders, {})
    assert free_memory() > 100_000_000


def test_the_command_prints_a_table_or_json(folders: tuple[Path, Path]) -> None:
    left, right = map(str, folders)
    shown = CliRunner().invoke(app, ["plan", left, right]).output
    assert "factlink link would take about" in shown
    values = json.loads(CliRunner().invoke(app, ["plan", left, right, "--json"]).output)
    assert values["left"]["users"] == 400
    assert values["search"] == "every pair"
