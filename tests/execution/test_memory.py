"""What a process may have, and what it took."""

from pathlib import Path

import psutil
import pytest

from factlink.execution import memory
from factlink.execution.memory import free_memory, peak_memory_bytes


def test_peak_memory_is_in_bytes() -> None:
    assert 30e6 < peak_memory_bytes() < 1e12


def test_a_container_may_have_less_than_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    assert 0 < free_memory() <= psutil.virtual_memory().total
    (tmp_path / "memory.max").write_text("5000\n")
    (tmp_path / "memory.current").write_text("3000\n")
    assert free_memory() == 2000
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory() > 2000
