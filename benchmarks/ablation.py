"""Every step of the default linker off, on every shared set: HR@1 into results/ablation.json, docs/ablation.md.

    python benchmarks/ablation.py [SET ...]        the data from FACTLINK_DATA, else ../shared/data

Sets that are named are measured anew; the others keep their last figures.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace

from machine import DATA, Row, files, linking, made_by, measure_anew
from pages import Block, fill_pages, read_result, table
from quality import SETS

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network
from factlink.decision.soft_assignment import SoftAssignment
from factlink.evaluation.metrics import evaluate
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.protocols import Linker

WHOLE = FactoidLinker()
VARIANTS: dict[str, Linker] = {
    "names alone (`name`)": NameLinker(),
    "the whole (`factoid`)": WHOLE,
    "without votes": replace(WHOLE, rounds=0),
    "without spreading": replace(WHOLE, steps=Steps(spreading=False)),
    "without links": replace(WHOLE, steps=Steps(links=False)),
    "without other attributes": replace(WHOLE, steps=Steps(attributes=False)),
    "without learned weights": replace(WHOLE, steps=Steps(weights=False)),
    "without the null model": replace(WHOLE, steps=Steps(null_model=False)),
    "without one-to-one": replace(WHOLE, assignment=SoftAssignment(one_to_one=False)),
}


def main() -> None:
    """Measures the sets asked for and writes both files."""
    measure_anew("ablation", sys.argv[1:] or SETS, measure, ["factlink", "numpy", "numba"])
    fill_pages(blocks())


def measure(name: str) -> Iterator[Row]:
    """HR@1 and seconds of processor time of every variant on one set."""
    left, right = (read_network(DATA / folder) for folder in SETS[name][:2])
    truth = read_pairs(DATA / SETS[name][2], left, right)
    for variant, linker in VARIANTS.items():
        start = time.process_time()
        metrics = evaluate(linker.fit(left, right), truth)
        seconds = round(time.process_time() - start, 1)
        figures = {"hr@1": round(metrics.hits[1], 4), "cpu_seconds": seconds}
        made = made_by(linking("name" if isinstance(linker, NameLinker) else "factoid"), files(*SETS[name]))
        yield {"set": name, "variant": variant, **figures, "made": made}


def blocks() -> list[Block]:
    """The table of HR@1, sets as columns."""
    result = read_result("ablation")
    rows = {(row["variant"], row["set"]): row for row in result.rows}
    sets = [name for name in SETS if any(row["set"] == name for row in result.rows)]
    lines = [
        result.line(variant, [(f"{rows[variant, name]['hr@1']:.4f}", rows[variant, name]) for name in sets])
        for variant in dict.fromkeys(row["variant"] for row in result.rows)
    ]
    return [Block("docs/ablation.md", "ablation: benchmarks/ablation.py", table(["HR@1", *sets], lines, result.note()))]


if __name__ == "__main__":
    main()
