"""What a benchmark ran on, and where its result goes."""

import json
import os
import platform
import resource
import sys
from collections.abc import Callable, Iterable, Mapping
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


def measure_anew(
    name: str, sets: Iterable[str], measure: Callable[[str], Iterable[dict[str, object]]], packages: list[str]
) -> list[dict[str, object]]:
    """Measures some sets, keeps earlier rows of the others, and writes all."""
    path = RESULTS / f"{name}.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    for each in sets:
        rows = [row for row in rows if row["set"] != each]
        for row in measure(each):
            rows.append(row)
            print(row, flush=True)
    write_result(name, rows, packages)
    return rows


def _without_place(word: str) -> str:
    """An option without the folder of this machine that it names."""
    option, named, place = word.partition("=")
    return f"{option}=FOLDER" if named and Path(place).is_absolute() else word
