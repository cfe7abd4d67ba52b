"""A driver that is killed continues where its workers stood."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from factlink.data.files import write_network
from factlink.embedding.settings import Training
from factlink.execution import stages
from factlink.execution.stages import KeptStages
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.fe.linker import FELinker
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.synthetic.worlds import Dials, Population, twins


class Mortal:
    """Workers in three parts whose driver is killed after so many steps."""

    parts = 3

    def __init__(self, lives: int) -> None:
        self.lives, self.done = lives, 0

    def map(self, step: Callable[..., Any], parts: Sequence[Any], *shared: Any) -> list[Any]:
        if self.done == self.lives:
            raise KeyboardInterrupt
        self.done += 1
        return [step(part, *shared) for part in parts]


def double(part: Any) -> Any:
    return part * 2


def both(part: Any) -> Any:
    return part, part + 1


@pytest.fixture(autouse=True)
def keep_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SHORT", 0.0)


@pytest.mark.parametrize(("parts", "steps"), [(0, 3), (4, 5)])
def test_a_killed_run_of_factoid_embedding_ends_the_same(parts: int, steps: int, tmp_path: Path) -> None:
    for network in twins(Dials(seed=5, population=Population(people=60))).networks:
        write_network(network, tmp_path / network.name)
    order = LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run")
    linker = FELinker(training=Training(dim=32, batch=32), parts=parts)
    if parts:
        with pytest.raises(KeyboardInterrupt):
            make_run(order, linker, workers=Mortal(steps))
        assert len(list((tmp_path / "run.part" / "work" / "stages").glob("*-train.npz"))) == 2
    make_run(order, linker, workers=Mortal(10_000))
    make_run(LinkRequest(order.left, order.right, tmp_path / "whole"), linker)
    assert (tmp_path / "run" / "links.parquet").read_bytes() == (tmp_path / "whole" / "links.parquet").read_bytes()


def test_a_killed_run_continues_and_ends_the_same(tmp_path: Path) -> None:
    for network in twins(Dials(seed=5, population=Population(people=150))).networks:
        write_network(network, tmp_path / network.name)
    order = LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run")
    linker = FactoidLinker(k=10)
    with pytest.raises(KeyboardInterrupt):
        make_run(order, linker, workers=Mortal(20))
    assert len(list((tmp_path / "run.part" / "work" / "stages").glob("*.npz"))) == 20
    second = Mortal(10_000)
    make_run(order, linker, workers=second)
    make_run(LinkRequest(order.left, order.right, tmp_path / "whole"), linker)
    assert (tmp_path / "run" / "links.parquet").read_bytes() == (tmp_path / "whole" / "links.parquet").read_bytes()
    assert not (tmp_path / "run" / "stages").exists()
    third = Mortal(10_000)
    make_run(LinkRequest(order.left, order.right, tmp_path / "anew"), linker, workers=third)
    assert second.done == third.done - 20


def test_results_come_back_as_they_were(tmp_path: Path) -> None:
    parts = [np.arange(3), np.ones((2, 2), np.float32)]
    first = KeptStages(Mortal(2), tmp_path)
    expected = first.map(double, parts), first.map(both, parts)
    again = KeptStages(Mortal(0), tmp_path)
    assert [each.tolist() for each in again.map(double, parts)] == [each.tolist() for each in expected[0]]
    for found, wanted in zip(again.map(both, parts), expected[1], strict=True):
        assert [each.tolist() for each in found] == [each.tolist() for each in wanted]


def test_results_of_other_inputs_are_thrown_away(tmp_path: Path) -> None:
    for network in twins(Dials(seed=5, population=Population(people=60))).networks:
        write_network(network, tmp_path / network.name)
    order = LinkRequest(tmp_path / "left", tmp_path / "right", tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        make_run(order, FactoidLinker(k=10), workers=Mortal(5))
    with pytest.raises(KeyboardInterrupt):
        make_run(order, FactoidLinker(k=11), workers=Mortal(3))
    assert len(list((tmp_path / "run.part" / "work" / "stages").glob("*.npz"))) == 3


def test_short_steps_are_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "SHORT", 60.0)
    KeptStages(Mortal(1), tmp_path).map(double, [np.arange(3)])
    assert not list((tmp_path / "stages").iterdir())
