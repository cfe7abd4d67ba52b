"""What factoid embedding reaches from zero and from passes in closed form, on real networks with truth.

    python benchmarks/warm_start.py congress dbp15k_fr_en

Without names: all sets of `quality.py` but `dbp_fb`. Writes `results/warm_start.json` and the table of
docs/factoid-embedding.md; truth is read only to score.
"""

import sys
import time

from machine import DATA, Row, files, linking, made_by, write_result
from pages import Block, fill_pages, read_result, table
from quality import SETS

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_networks
from factlink.embedding.settings import LinkSettings, Training
from factlink.evaluation.metrics import evaluate
from factlink.linkers.fe.linker import FELinker

CLOSED = Training(start="propagate")
WAYS = {
    "from zero: 1 pass over attributes, 2 over everything": FELinker(),
    "from zero: 1 and 1": FELinker(Training(passes=1)),
    "one hop, alone": FELinker(Training(start="propagate", passes=0)),
    "one hop, then 1 pass": FELinker(Training(start="propagate", passes=1)),
    "one hop, then 2 passes": FELinker(CLOSED),
    "two hops, alone": FELinker(Training(start="propagate", passes=0), links=LinkSettings(hops=2)),
    "two hops, then 1 pass": FELinker(Training(start="propagate", passes=1), links=LinkSettings(hops=2)),
}


def measure(name: str) -> list[Row]:
    """Every way on one set."""
    left_path, right_path, truth_path = (DATA / part for part in SETS[name])
    left, right = (reading.network for reading in read_networks([left_path, right_path]))
    truth = read_pairs(truth_path, left, right)
    rows: list[Row] = []
    made = made_by(linking("fe"), files(*SETS[name]))
    for way, linker in WAYS.items():
        began = time.process_time()
        scorer = linker.fit(left, right)
        seconds = time.process_time() - began
        found = evaluate(scorer, truth)
        figures = {"hr@1": found.hits[1], "mrr": found.mrr, "cpu_seconds": round(seconds, 1)}
        rows.append({"set": name, "way": way, **figures, "made": made})
        print(rows[-1], flush=True)
    return rows


def blocks() -> list[Block]:
    """HR@1 and processor seconds of each way on each set."""
    result = read_result("warm_start")
    rows = {(row["way"], row["set"]): row for row in result.rows}
    sets = [name for name in SETS if any(row["set"] == name for row in result.rows)]
    lines = []
    for way in WAYS:
        found = [rows.get((way, name)) for name in sets]
        cells = [(f"{row['hr@1']:.4f} ({row['cpu_seconds']:.0f} s)" if row else "", row) for row in found]
        lines.append(result.line(way, cells))
    text = table(["HR@1 (processor seconds)", *sets], lines, result.note())
    return [Block("docs/factoid-embedding.md", "warm start: benchmarks/warm_start.py", text)]


def main() -> None:
    """Measures the sets named and keeps earlier rows of the others."""
    for name in sys.argv[1:] or [name for name in SETS if name != "dbp_fb"]:
        kept = [row for row in read_result("warm_start").rows if row["set"] != name]
        write_result("warm_start", [*kept, *measure(name)], ["factlink", "numpy", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
