"""What factoid embedding reaches from zero and from passes in closed form, on real networks with truth.

    python benchmarks/warm_start.py congress dbp15k_fr_en

Without names: all sets of `quality.py` but `dbp_fb`. Writes `results/warm_start.json` and the table of
docs/factoid-embedding.md; truth is read only to score.
"""

import json
import sys
import time

from machine import RESULTS, write_result
from quality import DATA, ROOT, SETS, put_table

from factlink.data.files import read_networks
from factlink.data.pairs import read_pairs
from factlink.embedding.settings import Links, Training
from factlink.evaluation.metrics import evaluate
from factlink.linkers.fe import FELinker

PLACE = "<!-- warm start: benchmarks/warm_start.py -->"
CLOSED = Training(start="propagate")
WAYS = {
    "from zero: 1 pass over attributes, 2 over everything": FELinker(),
    "from zero: 1 and 1": FELinker(Training(passes=1)),
    "one hop, alone": FELinker(Training(start="propagate", passes=0)),
    "one hop, then 1 pass": FELinker(Training(start="propagate", passes=1)),
    "one hop, then 2 passes": FELinker(CLOSED),
    "two hops, alone": FELinker(Training(start="propagate", passes=0), links=Links(hops=2)),
    "two hops, then 1 pass": FELinker(Training(start="propagate", passes=1), links=Links(hops=2)),
}


def measure(name: str) -> list[dict[str, object]]:
    """Every way on one set."""
    left_path, right_path, truth_path = (DATA / part for part in SETS[name])
    left, right = (reading.network for reading in read_networks([left_path, right_path]))
    truth = read_pairs(truth_path, left, right)
    rows: list[dict[str, object]] = []
    for way, linker in WAYS.items():
        began = time.process_time()
        scorer = linker.fit(left, right)
        seconds = time.process_time() - began
        found = evaluate(scorer, truth)
        rows.append(
            {"set": name, "way": way, "hr@1": found.hits[1], "mrr": found.mrr, "cpu_seconds": round(seconds, 1)}
        )
        print(rows[-1], flush=True)
    return rows


def table(rows: list[dict[str, object]]) -> str:
    """HR@1 and processor seconds of each way on each set as Markdown."""
    cells = {(row["way"], row["set"]): f"{row['hr@1']:.4f} ({row['cpu_seconds']:.0f} s)" for row in rows}
    sets = [name for name in SETS if any(row["set"] == name for row in rows)]
    lines = ["| HR@1 (processor seconds) | " + " | ".join(sets) + " |", "|---" * (len(sets) + 1) + "|"]
    lines += [f"| {way} | " + " | ".join(cells.get((way, name), "") for name in sets) + " |" for way in WAYS]
    return "\n".join(lines)


def main() -> None:
    """Measures the sets named and keeps earlier rows of the others."""
    path = RESULTS / "warm_start.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    for name in sys.argv[1:] or [name for name in SETS if name != "dbp_fb"]:
        rows = [row for row in rows if row["set"] != name] + measure(name)
        write_result("warm_start", rows, ["factlink", "numpy", "numba"])
    put_table(ROOT / "docs" / "factoid-embedding.md", PLACE, table(rows))


if __name__ == "__main__":
    main()
