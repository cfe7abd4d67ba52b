import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from factlink.cli.app import app
from factlink.data.files import write_network
from factlink.data.sizes import Size
from factlink.errors import SettingError
from factlink.execution.memory import free_memory
from factlink.execution.out_of_core import OutOfCoreWorkers
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs import planning
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.planning import Rates, parse_bytes, plan_link, probe_pace, workers_within
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import Kind


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    world = twins(Dials(Population(people=500, users=(400, 400))))
    for network in world.networks:
        write_network(network, tmp_path / network.name)
    return tmp_path / "left", tmp_path / "right"


def test_a_plan_grows_with_the_machine_and_names_the_method(folders: tuple[Path, Path]) -> None:
    plan = plan_link(*folders, pace=1.0)
    assert plan.search == "every pair"
    assert plan.left.users == plan.right.users == 400
    assert plan_link(*folders, pace=3.0).seconds == pytest.approx(3 * plan.seconds)
    assert 0 < plan.disk_bytes < plan.memory_bytes < 2_000_000_000


def test_the_pace_is_measured(folders: tuple[Path, Path]) -> None:
    assert 0.05 < probe_pace() < 100
    assert plan_link(*folders).seconds > 0


SIZES = (
    Size("left", 2, 7, {Kind.NAME: 3, Kind.TEXT: 1}, {}, 1000),
    Size("right", 4, 6, {Kind.NAME: 2, Kind.DATE: 5, Kind.IMAGE: 9}, {}, 500),
)


def test_rates_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six users, five names, six other objects and thirteen links; pictures are not counted."""
    rates = Rates(start=0.5, user=10, name=100, text=1_000, link=10_000)
    assert rates.of(SIZES) == 0.5 + 60 + 500 + 6_000 + 130_000
    found = {"left": SIZES[0], "right": SIZES[1]}
    monkeypatch.setattr(planning, "measure_size", lambda path, kinds: found[path.name])
    for name, start in (("SECONDS", 1.0), ("BYTES", 20.4), ("LEAST_BYTES", 10.4)):
        monkeypatch.setattr(planning, name, Rates(start=start, user=0, name=0, text=0, link=0))
    plan = plan_link(Path("left"), Path("right"), pace=2.5)
    assert (plan.left, plan.right) == SIZES
    assert (plan.seconds, plan.memory_bytes, plan.least_memory_bytes, plan.pace) == (2.5, 20, 10, 2.5)
    assert plan.disk_bytes == 2_700  # 1.4 times the files, and 300 for each left user
    for most, search in ((8, "every pair"), (7, "rare n-grams")):
        monkeypatch.setattr(planning, "EXACT_PAIRS", most)
        assert plan_link(Path("left"), Path("right"), pace=1.0).search == search


def test_the_best_of_three_probes_is_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([0.108, 0.054, 0.081])
    monkeypatch.setattr(planning, "_probe_seconds", lambda: next(taken))
    assert probe_pace() == pytest.approx(2)


def test_memory_that_just_suffices_suffices(monkeypatch: pytest.MonkeyPatch, folders: tuple[Path, Path]) -> None:
    order = LinkRequest(*folders, folders[0].parent / "run")
    for name, start in (("BYTES", 6e9), ("LEAST_BYTES", 2e9)):
        monkeypatch.setattr(planning, name, Rates(start=start, user=0, name=0, text=0, link=0))
    assert workers_within(order, "6GB") is None
    for limit in ("5.9GB", "2GB"):
        assert isinstance(workers_within(order, limit), OutOfCoreWorkers)
    with pytest.raises(
        SettingError, match=r"linking 400 \+ 400 users needs at least about 2\.0 GB of memory, more than "
    ):
        workers_within(order, "1.9GB")


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
    order = LinkRequest(*folders, folders[0].parent / "run")
    with pytest.raises(
        SettingError, match=r"needs at least about 0\.. GB of memory, more than the 0\.1 GB given; raise --memory"
    ):
        workers_within(order, "100MB")
    assert workers_within(order, "2GB") is None
    assert workers_within(order) is None
    assert free_memory() > 100_000_000


def test_where_memory_is_short_small_parts_give_the_same_links(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "BYTES", Rates(start=5e9, user=0, name=0, text=0, link=0))
    plenty, little = (LinkRequest(*folders, folders[0].parent / name) for name in ("plenty", "little"))
    workers = workers_within(little, "2GB")
    assert isinstance(workers, OutOfCoreWorkers)
    make_run(plenty, FactoidLinker())
    make_run(little, FactoidLinker(), workers=workers)
    assert (plenty.out / "links.parquet").read_bytes() == (little.out / "links.parquet").read_bytes()
    assert sorted(file.name for file in folders[0].parent.iterdir()) == ["left", "little", "plenty", "right"]


def test_matrices_of_large_networks_lie_on_disk_whatever_is_free(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "LARGE", 1_000_000)
    assert isinstance(workers_within(LinkRequest(*folders, folders[0].parent / "run")), OutOfCoreWorkers)


def test_the_command_prints_a_table_or_json(folders: tuple[Path, Path]) -> None:
    left, right = map(str, folders)
    shown = CliRunner().invoke(app, ["plan", left, right]).output
    assert "factlink link would take about" in shown
    values = json.loads(CliRunner().invoke(app, ["plan", left, right, "--json"]).output)
    assert values["left"]["users"] == 400
    assert values["search"] == "every pair"
