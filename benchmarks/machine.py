"""What a benchmark ran on, and where its result goes."""

import json
import os
import platform
import resource
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


def peak_memory_gb() -> float:
    """Most memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def write_result(
    name: str, rows: list[dict[str, object]], packages: list[str], others: Mapping[str, str] | None = None
) -> None:
    """Writes rows with the command, the machine and the versions that made them; `others` are installed elsewhere."""
    result = {
        "command": " ".join(["python", f"benchmarks/{Path(sys.argv[0]).name}", *map(_without_place, sys.argv[1:])]),
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()},
        "versions": {package: version(package) for package in packages} | dict(others or {}),
        "rows": rows,
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n")


def _without_place(word: str) -> str:
    """An option without the folder of this machine that it names."""
    option, named, place = word.partition("=")
    return f"{option}=FOLDER" if named and Path(place).is_absolute() else word
