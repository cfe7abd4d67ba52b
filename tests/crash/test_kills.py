"""Commands killed before their file operations: the old state or the new one, and every judgement is there.

`make nightly` sets FACTLINK_KILL_EVERY=1 and so kills every command before each single operation.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.crash.scenarios import SCENARIOS

HERE = Path(__file__).parent
EVERY = int(os.environ.get("FACTLINK_KILL_EVERY", "0"))
RANDOM = int(os.environ.get("FACTLINK_RANDOM_KILLS", "0"))
QUICK = {
    "link-overwrite": 60,
    "add": 60,
    "add-several": 150,
    "forget": 60,
    "review": 80,
    "import": 20,
    "post": 400,
    "export": 5,
    "export-links": 5,
}
"""What is killed in every test run, and before each how manieth operation beside the last ones."""


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that counts file operations, and kills."""
    if not sys.platform.startswith("linux") or shutil.which("gcc") is None:
        pytest.skip("the operations of a process are counted by a library for Linux that gcc makes")
    library = tmp_path_factory.mktemp("shim") / "kill_at.so"
    words = ["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, HERE / "kill_at.c", "-ldl"]
    subprocess.run(words, check=True)
    return library


@pytest.mark.parametrize("name", SCENARIOS if EVERY else QUICK)
def test_a_killed_command_leaves_the_old_state_or_the_new_one(name: str, shim: Path, tmp_path: Path) -> None:
    found = kill(name, shim, tmp_path, EVERY or QUICK[name])
    assert found["kills"] >= 5
    assert found["faults"] == []


@pytest.mark.skipif(
    not RANDOM, reason="kills at random moments take an hour: FACTLINK_RANDOM_KILLS=1000, as make nightly"
)
def test_commands_killed_at_random_moments_lose_nothing(shim: Path, tmp_path: Path) -> None:
    assert kill("random", shim, tmp_path, RANDOM)["faults"] == []


def kill(name: str, shim: Path, folder: Path, number: int) -> dict[str, Any]:
    """What the killer found."""
    words = [sys.executable, "-m", "tests.crash.killer", name, str(folder), str(number)]
    environment = os.environ | {"LD_PRELOAD": str(shim)}
    done = subprocess.run(words, env=environment, cwd=HERE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
