"""What an install compiles: the build hook, and whether it is all that linking needs."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from factlink.data.files import write_network
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins

ROOT = Path(__file__).parents[1]

TELL_COMPILED = """
import sys
from numba.core import event
from factlink.cli.app import app

class Compiled(event.Listener):
    def on_start(self, started):
        print("compiled", started.data["dispatcher"].py_func.__name__, file=sys.stderr)

    def on_end(self, ended):
        pass

with event.install_listener("numba:compile", Compiled()):
    app(sys.argv[1:], standalone_mode=False)
"""


def build_wheel(folder: Path, **environment: str) -> tuple[Path, str]:
    """The wheel, and what was said."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=True, timeout=600
    )
    (wheel,) = folder.glob("*.whl")
    return wheel, done.stdout + done.stderr


def kept_code(wheel: Path) -> list[str]:
    return [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith((".nbi", ".nbc"))]


def test_a_wheel_brings_compiled_loops_for_this_python(tmp_path: Path) -> None:
    wheel, _ = build_wheel(tmp_path)
    kept = kept_code(wheel)
    assert any(name.startswith("factlink/candidates/__pycache__/inverted_index._meet") for name in kept)
    assert f"cp{sys.version_info.major}{sys.version_info.minor}" in wheel.name
    assert "none-any" not in wheel.name


def test_a_wheel_without_compiled_loops_runs_anywhere(tmp_path: Path) -> None:
    wheel, _ = build_wheel(tmp_path, FACTLINK_COMPILE="no")
    assert kept_code(wheel) == []
    assert wheel.name.endswith("py3-none-any.whl")


def test_a_build_that_cannot_compile_says_so_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise ImportError('no such thing here')")
    wheel, said = build_wheel(tmp_path / "dist", PYTHONPATH=str(tmp_path))
    assert kept_code(wheel) == []
    assert "the first run will be slow" in said
    assert "no such thing here" in said


@pytest.mark.parametrize("people", [60, 4_500])
def test_the_demo_compiles_all_that_linking_needs(tmp_path: Path, people: int) -> None:
    """Few enough to compare everybody with everybody, and too many."""
    subprocess.run(
        [sys.executable, "-m", "factlink", "demo", "--out", str(tmp_path / "demo")],
        capture_output=True,
        check=True,
        timeout=600,
    )
    networks = twins(Dials(Population(people=people), seed=3)).networks
    for network in networks:
        write_network(network, tmp_path / network.name)
    folders = [str(tmp_path / network.name) for network in networks]
    done = subprocess.run(
        [sys.executable, "-c", TELL_COMPILED, "link", *folders, "-o", str(tmp_path / "run")],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert "compiled" not in done.stderr
