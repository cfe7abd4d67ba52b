"""What a benchmark ran on, what its figures come from, and where its result goes."""

import json
import os
import platform
import resource
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from factlink.experiments.provenance import checksum, command_line, provenance, share
from factlink.linkers.settings import make_linker

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("FACTLINK_DATA", ROOT.parent / "shared" / "data"))
RESULTS = Path(__file__).parent / "results"
LINKING = (
    "factlink.data.sources.networks",
    "factlink.data.pairs",
    "factlink.decision.decisions",
    "factlink.evaluation.metrics",
)
MAKING_UP = "factlink.synthetic.worlds"
Row = dict[str, Any]


def peak_memory_gb() -> float:
    """Most memory this process has held so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def linking(*linkers: str) -> tuple[str, ...]:
    """The modules that figures of these linkers come from, from reading networks to scoring links."""
    return (*(type(make_linker(name, {})).__module__ for name in linkers), *LINKING)


def files(*places: str) -> dict[str, str]:
    """Files and folders of the data, with one checksum of all of them."""
    return {"files": ", ".join(places), "sha256": checksum(DATA / place for place in places)}


def made_up(dials: object) -> dict[str, str]:
    """Networks that are drawn anew: all dials, the seed among them."""
    return {"made_up": str(dials)}


def made_by(entries: Iterable[str], data: Mapping[str, str]) -> dict[str, Any]:
    """What makes a row that is measured now, to be kept with it as `made`."""
    return provenance(command_line(), tuple(entries), data).as_json()


def write_result(name: str, rows: list[Row], packages: list[str], others: Mapping[str, str] | None = None) -> None:
    """Writes rows with what made them, the machine and the versions; `others` are installed elsewhere.

    A row that says nothing of what made it, and was not there before, is put down to all that this process imported.
    """
    old = _read(name)
    here = {
        "machine": {"processor": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()},
        "versions": {package: version(package) for package in packages} | dict(others or {}),
    }
    stamped = [_stamped(row, old, here) for row in rows]
    named, made = share(stamped)
    # where older rows say nothing of themselves, what the file said of all of them is kept
    head = {} if all("made" in row for row in stamped) else {k: old[k] for k in old if k not in ("rows", "made")}
    RESULTS.mkdir(exist_ok=True)
    result = {**head, "made": made, "rows": named}
    (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", "utf-8")


def _read(name: str) -> dict[str, Any]:
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {"rows": [], "made": {}}


def _stamped(row: Row, old: Mapping[str, Any], here: Mapping[str, Any]) -> Row:
    """The row with what made it: as it was kept, or by the machine as it is here."""
    made = row.get("made")
    if isinstance(made, str):
        return {**row, "made": old["made"][made]}
    if made is None and row in old["rows"]:
        return row
    return {**row, "made": {**(made or made_by(_imported(), {"files": "not recorded"})), **here}}


def _imported() -> list[str]:
    return sorted(name for name in sys.modules if name.startswith("factlink."))


def measure_anew(
    name: str, sets: Iterable[str], measure: Callable[[str], Iterable[Row]], packages: list[str]
) -> list[Row]:
    """Measures some sets, keeps earlier rows of the others, and writes all."""
    rows = _read(name)["rows"]
    for each in sets:
        rows = [row for row in rows if row["set"] != each]
        for row in measure(each):
            rows.append(row)
            print({key: value for key, value in row.items() if key != "made"}, flush=True)
    write_result(name, rows, packages)
    return rows
