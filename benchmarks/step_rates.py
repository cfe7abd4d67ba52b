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
from machine import MAKING_UP, Row, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table
from threadpoolctl import threadpool_limits

from factlink.execution.cluster import size_of
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import NO_PAIRS

STAGES = {
    "strings, n-grams, vectors": ("pack_part", "count_part", "rows_part", "vectors_part", "project_part"),
    "nearest names by rare n-grams, two looks": ("meet_part",),
    "neighbours' names": ("propagate_part",),
    "products of all predicates": ("sparse_products_of", "vector_products_of"),
    "votes": ("propose_part",),
    "assignment": ("balance_part",),
}
MANY = 2 * 10**8  # accounts


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
    dials = Dials(population=Population(people=people, presence=1.0), seed=1)
    left, right = twins(dials).networks
    with threadpool_limits(limits=1):
        FactoidLinker().fit_over(
            Timekeeper(), *twins(Dials(population=Population(people=300))).networks, NO_PAIRS
        )  # compiles
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
    made = made_by([*linking("factoid"), MAKING_UP], made_up(dials))
    rows = [{**row, "made": made} for row in (whole, *keeper.rows.values())]
    write_result("step_rates", rows, ["numpy", "numba", "scipy", "polars"])
    print(whole, *keeper.rows.values(), sep="\n")
    fill_pages(blocks())


def blocks() -> list[Block]:
    """Seconds of every stage, and what they would be at 200 million accounts, all steps being linear."""
    result = read_result("step_rates")
    rows = {row["step"]: row for row in result.rows}
    whole = rows.pop("whole fit")
    seconds = {stage: sum(rows[step]["seconds"] for step in steps) for stage, steps in STAGES.items()}
    missed = set(rows) - {step for steps in STAGES.values() for step in steps}
    if missed:
        raise SystemExit(f"steps {sorted(missed)} belong to no stage; add them to STAGES of benchmarks/step_rates.py")
    in_steps = sum(seconds.values())
    seconds |= {"**all steps**": in_steps, "**the driver**, everything else": whole["seconds"] - in_steps}
    lines = [_line(result.label(stage, whole), each, whole) for stage, each in seconds.items()]
    head = ["stage", f"seconds at {whole['users']:,}", "core hours at 2·10⁸"]
    text = table(head, lines, f"{result.note()}\n\n{_hours(in_steps, whole)}")
    return [Block("docs/cluster.md", "stages: benchmarks/step_rates.py", text)]


def _hours(in_steps: float, whole: Row) -> str:
    """What many cores leave to the driver, in a sentence."""
    steps, driver = (seconds * MANY / whole["users"] / 3600 for seconds in (in_steps, whole["seconds"] - in_steps))
    return (
        f"Eight machines of 16 cores do the steps in {steps:.1f} / 128 = {steps / 128:.1f} hours. The driver\n"
        f"does {whole['driver_share']:.0%} of the work: {driver:.0f} hours on one core."
    )


def _line(label: str, seconds: float, whole: Row) -> str:
    return f"| {label} | {seconds:.1f} | {seconds * MANY / whole['users'] / 3600:.1f} |"


if __name__ == "__main__":
    main()
