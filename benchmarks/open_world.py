"""Does the default linker know how sure it is? Every shared set whole, and with 70 % of the right partners hidden.

    python benchmarks/open_world.py

Also made-up networks, in which 80 % of the people are on both, and of which is known who is not. Looks for the networks
where FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from machine import write_result
from quality import DATA, ROOT, SETS, factlink, put_table

PLACE = "<!-- sureness: benchmarks/open_world.py -->"
SHARES = (0.0, 0.7)
MADE_UP, MADE_UP_SHARES = (1_500, 12_500, 40_000), (0.0, 0.4, 0.7)
WITHOUT_LINKS = 4_000  # people


def measure(name: str, share: float) -> dict[str, object]:
    """One set with that share of its right partners hidden."""
    return score(Path(name).name, [str(DATA / part) for part in SETS[name]], share)


def measure_made_up(people: int, share: float, *, links: bool = True) -> dict[str, object]:
    """The networks of the demo, or larger ones; without their links, names are all there is but a few words."""
    with tempfile.TemporaryDirectory() as place:
        world = f"{place}/demo"
        subprocess.run(
            [sys.executable, "-m", "factlink", "demo", "--out", world, "--people", str(people)],
            check=True,
            capture_output=True,
        )
        files = [f"{world}/{part}" for part in ("chirper", "facepage", "truth.csv")]
        if links:
            return score(f"made-up, {people:,} people", files, share)
        for network in files[:2]:
            Path(network, "links.parquet").unlink()
        return score(f"made-up, {people:,} people, no links", files, share)


def score(name: str, files: list[str], share: float) -> dict[str, object]:
    """Links two networks, some right partners hidden, and compares them with the truth."""
    left, right, truth = files
    with tempfile.TemporaryDirectory() as place:
        if share:
            made = factlink("hide", left, right, truth, "-o", f"{place}/world", "--share", str(share))
            right, truth = str(made["right"]), str(made["truth"])
        factlink("link", left, right, "-o", f"{place}/run", "--precision", "0.9")
        scores = factlink("evaluate", f"{place}/run", truth)
    kept = ("n", "absent", "hr@1", "links", "coverage", "false_links", "expected_false_links", "calibration_error")
    return {"set": name, "hidden": share, **{key: scores[key] for key in kept}}


def table(rows: list[dict[str, object]]) -> str:
    """As Markdown."""
    lines = [
        "| set | hidden | links right | people still there who are linked rightly | false links, expected | true "
        "| calibration error |",
        "|---" * 7 + "|",
    ]
    for row in rows:
        figures = [1 - row["false_links"], *(row[key] for key in ("coverage", "expected_false_links", "false_links"))]
        figures.append(row["calibration_error"])
        cells = " | ".join(f"{figure:.3f}" for figure in figures)
        lines.append(f"| {row['set']} | {row['hidden']:.0%} | {cells} |")
    return "\n".join(lines)


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
    put_table(ROOT / "docs" / "default-linker.md", PLACE, table(rows))
