"""What linking made-up names by the `name` linker costs, end to end by the command line.

python benchmarks/link_names.py 10000 40000
"""

import sys
import tempfile
import time
from pathlib import Path

from machine import MAKING_UP, Row, linking, made_by, made_up, write_result
from quality import factlink

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.synthetic.dials import Dials, LinkDials, Population
from factlink.synthetic.worlds import twins


def measure(n: int) -> Row:
    """n users on either side."""
    population = Population(people=round(n / 0.8), users=(n, n), predicates=("username", "screen_name"))
    dials = Dials(population, links=LinkDials(mean=0))
    world = twins(dials)
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
    figures = {"seconds": round(seconds, 1), "memory_gb": round(memory, 2), "hr@1": scores["hr@1"]}
    return {"users": n, **figures, "made": made_by([*linking("name"), MAKING_UP], made_up(dials))}


if __name__ == "__main__":
    rows = [measure(int(word)) for word in sys.argv[1:]]
    for row in rows:
        print(row)
    write_result("link_names", rows, ["factlink", "polars", "scipy", "sparse-dot-topn"])
