"""Does the default linker know how sure it is? Every shared set with more and more of the right partners hidden.

    python benchmarks/open_world.py [SET ...]

Three draws of who is hidden for each share, and made-up networks whose size, links and hidden share are drawn at
random. With names of sets only those are measured, and the rows of the others are kept. Looks for the networks where
FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import quality
from machine import DATA, MAKING_UP, Row, files, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table
from quality import factlink

SETS = quality.SETS | {
    "dbp15k_ja_en": ("dbp15k_ja_en/dbpedia_ja", "dbp15k_ja_en/dbpedia_en", "dbp15k_ja_en/truth.parquet"),
    "ep_registry": ("ep_registry/parliament", "ep_registry/registry", "ep_registry/truth_open.parquet"),
    "ep_twitter": ("ep_twitter/parliament", "ep_twitter/twitter", "ep_twitter/truth_open.parquet"),
    "ep_scripts": ("ep_scripts/own_script", "ep_scripts/latin", "ep_scripts/truth.parquet"),
}
ENTRIES = (*linking("factoid"), "factlink.evaluation.open_world")
SHARES, DRAWS = (0.0, 0.3, 0.5, 0.7, 0.9), (0, 1, 2)
MADE_UP, WORLDS = "made-up", 12
"""Made-up worlds, of 80 to 4,000 people each."""


def measure(name: str) -> Iterator[Row]:
    """One set, with more and more of its right partners hidden."""
    for share in SHARES:
        for draw in DRAWS if share else DRAWS[:1]:
            made = made_by(ENTRIES, files(*SETS[name]))
            yield {**score(name, [str(DATA / part) for part in SETS[name]], share, draw), "made": made}


def measure_made_up() -> Iterator[Row]:
    """Networks of the demo with sizes, seeds and hidden shares drawn at random; every third without links."""
    rng = np.random.default_rng(20261118)
    for world in range(WORLDS):
        people, share, seed = (
            int(80 * 50 ** rng.random()),
            round(0.9 * rng.random(), 2),
            int(rng.integers(1_000, 9_000)),
        )
        links = world % 3 != 2
        with tempfile.TemporaryDirectory() as place:
            command = ["demo", "--out", f"{place}/demo", "--people", str(people), "--seed", str(seed)]
            subprocess.run([sys.executable, "-m", "factlink", *command], check=True, capture_output=True)
            parts = [f"{place}/demo/{part}" for part in ("chirper", "facepage", "truth.csv")]
            for network in parts[:2] if not links else []:
                Path(network, "links.parquet").unlink()
            name = f"{MADE_UP}, {people:,} people" + ("" if links else ", no links")
            said = made_up(f"factlink demo --people {people}, seed {seed}")
            yield {**score(name, parts, share, 0), "made": made_by([*ENTRIES, MAKING_UP, "factlink.runs.demo"], said)}


def score(name: str, parts: list[str], share: float, draw: int) -> Row:
    """Links two networks, some right partners hidden, and compares them with the truth."""
    left, right, truth = parts
    with tempfile.TemporaryDirectory() as place:
        if share:
            made = factlink(
                "hide", left, right, truth, "-o", f"{place}/world", "--share", str(share), "--seed", str(draw)
            )
            right, truth = str(made["right"]), str(made["truth"])
        factlink("link", left, right, "-o", f"{place}/run", "--precision", "0.9")
        scores = factlink("evaluate", f"{place}/run", truth)
    kept = ("n", "absent", "hr@1", "links", "coverage", "false_links", "expected_false_links", "calibration_error")
    return {"set": name, "hidden": share, "draw": draw, **{key: scores[key] for key in kept}}


def blocks() -> list[Block]:
    """The table, one line for all draws of a share, and what is weak in it."""
    result = read_result("open_world")
    head = ["set", "hidden", "partners found", "false links, expected", "true", "farthest", "calibration error"]
    lines = []
    for (name, hidden), group in groupby(result.rows, key=lambda row: (row["set"], row["hidden"])):
        rows = list(group)
        means = [np.mean([row[key] for row in rows]) for key in ("coverage", "expected_false_links", "false_links")]
        errors = [np.mean([row["calibration_error"] for row in rows])]
        far = max((_too_low(row) for row in rows), key=abs)
        figures = [f"{hidden:.0%}", *(f"{mean:.3f}" for mean in means), f"{far:+.3f}", *(f"{e:.3f}" for e in errors)]
        lines.append(result.line(name, [(figure, rows[-1]) for figure in figures]))
    text = table(head, lines, result.note())
    return [
        Block("docs/default-linker.md", "calibration: benchmarks/open_world.py", text),
        Block("docs/default-linker.md", "weak: benchmarks/open_world.py", weaknesses(result.rows)),
    ]


def _too_low(row: Row) -> float:
    return float(row["false_links"] - row["expected_false_links"])


def weaknesses(rows: list[Row]) -> str:
    """Where expected and true false links differ most, as a point of a list."""
    too_low, too_high = max(rows, key=_too_low), min(rows, key=_too_low)
    return (
        f"- The expected share of false links is farthest too low on {too_low['set']} with "
        f"{too_low['hidden']:.0%} hidden\n  ({-_too_low(too_low):+.3f}), and farthest too high on "
        f"{too_high['set']} with {too_high['hidden']:.0%} hidden\n  ({-_too_low(too_high):+.3f})."
    )


if __name__ == "__main__":
    wanted = sys.argv[1:] or [*SETS, MADE_UP]
    for name in wanted:
        rows = [row for row in read_result("open_world").rows if not row["set"].startswith(name)]
        for row in measure_made_up() if name == MADE_UP else measure(name):
            rows.append(row)
            print(row, flush=True)
        write_result("open_world", rows, ["factlink", "numpy", "numba"])
    fill_pages(blocks())
