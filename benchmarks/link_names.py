"""What linking made-up names by the `name` linker costs, end to end by the command line.

python benchmarks/link_names.py 10000 40000
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import write_result

from factlink.data.crowd.dials import Crowd, Dials, LinkDials
from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.data.synthetic import twins


def factlink(*words: str) -> dict[str, object]:
    """What a command prints as JSON."""
    command = [sys.executable, "-m", "factlink", *words, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(n: int) -> dict[str, object]:
    """n users on either side."""
    crowd = Crowd(people=round(n / 0.8), users=(n, n), predicates=("username", "screen_name"))
    world = twins(Dials(crowd, links=LinkDials(mean=0)))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for network in world.networks:
            write_network(network, folder / network.name)
        write_pairs(world.truth("left", "right"), folder / "truth.parquet", *world.networks)
        start = time.perf_counter()
        made = factlink("link", f"{place}/left", f"{place}/right", "-o", f"{place}/run", "--linker", "name")
        seconds = time.perf_counter() - start
        scores = factlink("evaluate", f"{place}/run", f"{place}/truth.parquet")
    memory = float(str(made["peak_memory_bytes"])) / 1e9
    return {"users": n, "seconds": round(seconds, 1), "memory_gb": round(memory, 2), "hr@1": scores["hr@1"]}


if __name__ == "__main__":
    rows = [measure(int(word)) for word in sys.argv[1:]]
    for row in rows:
        print(row)
    write_result("link_names", rows, ["factlink", "polars", "scipy", "sparse-dot-topn"])
