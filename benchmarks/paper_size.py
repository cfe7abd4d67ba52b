"""The paper's size on an install that has never run: how long installing takes, the first `factlink link` and the next.

    python benchmarks/paper_size.py

Clones the checkout, installs it from source into a fresh virtual environment, and links the made-up networks of the
fb-tw preset end to end with default settings, twice.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import MAKING_UP, ROOT, Row, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table

from factlink.data.files import write_network
from factlink.synthetic.presets import preset
from factlink.synthetic.worlds import twins

PRESET = "fb-tw"


def timed(*command: str) -> dict[str, float]:
    """Runs a command to its end: seconds and memory."""
    start = time.perf_counter()
    quiet, elsewhere = subprocess.DEVNULL, {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet, env=elsewhere)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return {"seconds": round(time.perf_counter() - start, 1), "memory_gb": round(used.ru_maxrss / 2**20, 2)}


def measure(place: Path) -> list[Row]:
    """Installs, and links twice."""
    networks = twins(preset(PRESET)).networks
    for network in networks:
        write_network(network, place / network.name)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(place / "clone")], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(place / "venv")], check=True)
    rows: list[Row] = [{"step": "pip install", **timed(str(place / "venv/bin/pip"), "install", str(place / "clone"))}]
    folders = [str(place / network.name) for network in networks]
    for step in ("first link", "next link"):
        run = str(place / step.split()[0])
        rows.append({"step": step, **timed(str(place / "venv/bin/factlink"), "link", *folders, "-o", run)})
        print(rows[-1], flush=True)
    made = made_by([*linking("factoid"), MAKING_UP, "hatch_build.py"], made_up(preset(PRESET)))
    return [{**row, "made": made} for row in rows]


def blocks() -> list[Block]:
    """What each step cost, or that it was never measured."""
    result = read_result("paper_size")
    lines = [
        result.line(row["step"], [(str(row[key]), row) for key in ("seconds", "memory_gb")]) for row in result.rows
    ]
    text = table(["", "seconds", "memory, GB"], lines, result.note()) if lines else "It has not been measured yet."
    return [Block("docs/scale.md", "paper's size: benchmarks/paper_size.py", text)]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder))
    write_result("paper_size", found, ["factlink", "numpy", "numba"])
    fill_pages(blocks())
