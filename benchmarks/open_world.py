"""Does the default linker know how sure it is? Every shared set whole, and with 70 % of the right partners hidden.

    python benchmarks/open_world.py

Also made-up networks, in which 80 % of the people are on both, and of which is known who is not. Looks for the networks
where FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from machine import DATA, MAKING_UP, Row, files, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table
from quality import SETS, factlink

ENTRIES = (*linking("factoid"), "factlink.evaluation.open_world")
SHARES = (0.0, 0.7)
MADE_UP, MADE_UP_SHARES = (1_500, 12_500, 40_000), (0.0, 0.4, 0.7)
WITHOUT_LINKS = 4_000  # people


def measure(name: str, share: float) -> Row:
    """One set with that share of its right partners hidden."""
    made = made_by(ENTRIES, files(*SETS[name]))
    return {**score(name, [str(DATA / part) for part in SETS[name]], share), "made": made}


def measure_made_up(people: int, share: float, *, links: bool = True) -> Row:
    """The networks of the demo, or larger ones; without their links, names are all there is but a few words."""
    with tempfile.TemporaryDirectory() as place:
        world = f"{place}/demo"
        subprocess.run(
            [sys.executable, "-m", "factlink", "demo", "--out", world, "--people", str(people)],
            check=True,
            capture_output=True,
        )
        parts = [f"{world}/{part}" for part in ("chirper", "facepage", "truth.csv")]
        for network in parts[:2] if not links else []:
            Path(network, "links.parquet").unlink()
        title = f"made-up, {people:,} people" + ("" if links else ", no links")
        made = made_by([*ENTRIES, MAKING_UP, "factlink.runs.demo"], made_up(f"factlink demo --people {people}, seed 0"))
        return {**score(title, parts, share), "made": made}


def score(name: str, parts: list[str], share: float) -> Row:
    """Links two networks, some right partners hidden, and compares them with the truth."""
    left, right, truth = parts
    with tempfile.TemporaryDirectory() as place:
        if share:
            made = factlink("hide", left, right, truth, "-o", f"{place}/world", "--share", str(share))
            right, truth = str(made["right"]), str(made["truth"])
        factlink("link", left, right, "-o", f"{place}/run", "--precision", "0.9")
        scores = factlink("evaluate", f"{place}/run", truth)
    kept = ("n", "absent", "hr@1", "links", "coverage", "false_links", "expected_false_links", "calibration_error")
    return {"set": name, "hidden": share, **{key: scores[key] for key in kept}}


def blocks() -> list[Block]:
    """The table, and what is weak in it."""
    result = read_result("open_world")
    head = ["set", "hidden", "correct links", "partners found", "false links, expected", "true", "calibration error"]
    lines = []
    for row in result.rows:
        figures = [1 - row["false_links"], *(row[key] for key in ("coverage", "expected_false_links", "false_links"))]
        figures.append(row["calibration_error"])
        cells = [(f"{row['hidden']:.0%}", row), *((f"{figure:.3f}", row) for figure in figures)]
        lines.append(result.line(row["set"], cells))
    text = table(head, lines, result.note())
    return [
        Block("docs/default-linker.md", "calibration: benchmarks/open_world.py", text),
        Block("docs/default-linker.md", "weak: benchmarks/open_world.py", weaknesses(result.rows)),
    ]


def weaknesses(rows: list[Row]) -> str:
    """Where expected and true false links differ most, as two points of a list."""
    without = [row for row in rows if row["set"].endswith("no links")]
    whole = [row for row in rows if row["hidden"] == 0 and row not in without]
    above = [row["expected_false_links"] - row["false_links"] for row in whole]
    true, expected = ([row[key] for row in without] for key in ("false_links", "expected_false_links"))
    return (
        f"- On made-up networks without links, {max(expected):.0%} of the links are expected to be false, and "
        f"{min(true):.0%} to {max(true):.0%} are\n  (table above).\n"
        "- Where nobody is hidden and there are links, the expected share of false links minus the true one\n"
        f"  is {min(above):+.3f} to {max(above):+.3f} (table above)."
    )


if __name__ == "__main__":
    rows = []
    for name in SETS:
        for share in SHARES:
            rows.append(measure(name, share))
            print(rows[-1], flush=True)
    for people in MADE_UP:
        for share in MADE_UP_SHARES:
            rows.append(measure_made_up(people, share))
            print(rows[-1], flush=True)
    for share in MADE_UP_SHARES:
        rows.append(measure_made_up(WITHOUT_LINKS, share, links=False))
        print(rows[-1], flush=True)
    write_result("open_world", rows, ["factlink", "numpy", "numba"])
    fill_pages(blocks())
