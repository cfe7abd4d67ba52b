"""Does the default linker know how sure it is? Every shared set whole, and with 70 % of the right partners hidden.

    python benchmarks/open_world.py

Looks for the networks where FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import tempfile
from pathlib import Path

from machine import write_result
from quality import DATA, ROOT, SETS, factlink, put_table

PLACE = "<!-- sureness: benchmarks/open_world.py -->"
SHARES = (0.0, 0.7)


def measure(name: str, share: float) -> dict[str, object]:
    """One set with that share of its right partners hidden."""
    left, right, truth = (str(DATA / part) for part in SETS[name])
    with tempfile.TemporaryDirectory() as place:
        if share:
            made = factlink("hide", left, right, truth, "-o", f"{place}/world", "--share", str(share))
            right, truth = str(made["right"]), str(made["truth"])
        factlink("link", left, right, "-o", f"{place}/run", "--precision", "0.9")
        scores = factlink("evaluate", f"{place}/run", truth)
    kept = ("n", "absent", "hr@1", "links", "coverage", "false_links", "expected_false_links", "calibration_error")
    return {"set": Path(name).name, "hidden": share, **{key: scores[key] for key in kept}}


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
    write_result("open_world", rows, ["factlink", "numpy", "numba"])
    put_table(ROOT / "docs" / "default-linker.md", PLACE, table(rows))
