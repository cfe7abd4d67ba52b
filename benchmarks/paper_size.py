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

from machine import write_result
from quality import ROOT, put_table

from factlink.data.crowd.presets import preset
from factlink.data.files import write_network
from factlink.data.synthetic import twins

PAGE, PLACE = ROOT / "docs" / "scale.md", "<!-- paper's size: benchmarks/paper_size.py -->"


def timed(*command: str) -> dict[str, float]:
    """Runs a command to its end: seconds and memory."""
    start = time.perf_counter()
    quiet, elsewhere = subprocess.DEVNULL, {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    process = subprocess.Popen(command, stdout=quiet, stderr=quiet, env=elsewhere)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{' '.join(command)} failed")
    return {"seconds": round(time.perf_counter() - start, 1), "memory_gb": round(used.ru_maxrss / 2**20, 2)}


def measure(place: Path) -> list[dict[str, object]]:
    """Installs, and links twice."""
    networks = twins(preset("fb-tw")).networks
    for network in networks:
        write_network(network, place / network.name)
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(place / "clone")], check=True)
    subprocess.run([sys.executable, "-m", "venv", str(place / "venv")], check=True)
    rows: list[dict[str, object]] = [
        {"step": "pip install", **timed(str(place / "venv/bin/pip"), "install", str(place / "clone"))}
    ]
    folders = [str(place / network.name) for network in networks]
    for step in ("first link", "next link"):
        run = str(place / step.split()[0])
        rows.append({"step": step, **timed(str(place / "venv/bin/factlink"), "link", *folders, "-o", run)})
        print(rows[-1], flush=True)
    return rows


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder))
    write_result("paper_size", rows, ["factlink", "numpy", "numba"])
    lines = ["| | seconds | memory gb |", "|---" * 3 + "|"]
    lines += [f"| {row['step']} | {row['seconds']} | {row['memory_gb']} |" for row in rows]
    put_table(PAGE, PLACE, "\n".join(lines))
