"""How long every step of the default linker takes on one core, and how much is left for the driver of a cluster.

    python benchmarks/step_rates.py --people 30000

Links two made-up networks here, on one thread, and writes `results/step_rates.json`: CPU seconds and bytes (shared
with all parts, and given back) of each step, and the share of the time outside of all steps.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numba
from machine import write_result
from threadpoolctl import threadpool_limits

from factlink.cluster import size_of
from factlink.data.synthetic import Crowd, Dials, twins
from factlink.linkers.factoid import FactoidLinker
from factlink.types import NO_PAIRS


class Timekeeper:
    """Runs steps here and notes what each took."""

    parts = 1

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}

    def map(self, step: Callable[..., Any], parts: Sequence[Any], *shared: Any) -> list[Any]:
        """One part after another, on the clock."""
        began = time.process_time()
        results = [step(part, *shared) for part in parts]
        seconds = time.process_time() - began
        empty = {"step": step.__name__, "calls": 0, "seconds": 0.0, "shared_bytes": 0, "given_bytes": 0}
        row = self.rows.setdefault(step.__name__, empty)
        row["calls"] += 1
        row["seconds"] = round(row["seconds"] + seconds, 3)
        row["shared_bytes"] += size_of(list(shared))
        row["given_bytes"] += size_of(results)
        return results


def main() -> None:
    """Measures one size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=30_000)
    people = parser.parse_args().people
    numba.set_num_threads(1)
    left, right = twins(Dials(crowd=Crowd(people=people, presence=1.0), seed=1)).networks
    with threadpool_limits(limits=1):
        FactoidLinker().fit_over(Timekeeper(), *twins(Dials(crowd=Crowd(people=300))).networks, NO_PAIRS)  # compiles
        keeper, began = Timekeeper(), time.process_time()
        scorer = FactoidLinker().fit_over(keeper, left, right, NO_PAIRS)
        seconds = time.process_time() - began
    in_steps = sum(row["seconds"] for row in keeper.rows.values())
    whole = {
        "step": "whole fit",
        "users": len(left) + len(right),
        "links": sum(len(follows) for network in (left, right) for follows in network.links.values()),
        "pairs": len(scorer.scorer.pairs),
        "seconds": round(seconds, 3),
        "driver_share": round(1 - in_steps / seconds, 3),
    }
    write_result("step_rates", [whole, *keeper.rows.values()], ["numpy", "numba", "scipy", "polars"])
    print(whole, *keeper.rows.values(), sep="\n")


if __name__ == "__main__":
    main()
