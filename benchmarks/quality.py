"""How good each linker is on real networks with truth, end to end by the command line.

    python benchmarks/quality.py name factoid

Looks for the networks where FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import RESULTS, write_result

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("FACTLINK_DATA", ROOT.parent / "shared" / "data"))
SETS = {
    "dbp_fb": ("dbp_fb/dbpedia", "dbp_fb/freebase", "dbp_fb/truth.parquet"),
    "dbp15k_fr_en": ("dbp15k_fr_en/dbpedia_fr", "dbp15k_fr_en/dbpedia_en", "dbp15k_fr_en/truth.parquet"),
    "congress": ("congress/official", "congress/twitter", "congress/truth.parquet"),
    "wikidata → twitter": ("us_politicians/wikidata", "us_politicians/twitter", "us_politicians/truth.parquet"),
    "twitter → instagram": (
        "us_politicians/twitter",
        "us_politicians/instagram",
        "us_politicians/truth_twitter_instagram.parquet",
    ),
    "twitter → facebook": (
        "us_politicians/twitter",
        "us_politicians/facebook",
        "us_politicians/truth_twitter_facebook.parquet",
    ),
}
LINKERS = {"name": "names only", "fe": "Factoid Embedding (`--linker fe`)", "factoid": "**factlink's default**"}
PLACE = "<!-- quality: benchmarks/quality.py -->"


def factlink(*words: str) -> dict[str, object]:
    """What a command prints as JSON."""
    command = [sys.executable, "-m", "factlink", *words, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(name: str, linker: str, *settings: str) -> dict[str, object]:
    """One linker on one set."""
    left, right, truth = (str(DATA / part) for part in SETS[name])
    folder = Path(tempfile.mkdtemp())
    start = time.perf_counter()
    made = factlink("link", left, right, "-o", str(folder / "run"), "--linker", linker, *settings)
    seconds = time.perf_counter() - start
    scores = factlink("evaluate", str(folder / "run"), truth)
    shutil.rmtree(folder)
    memory = float(str(made["peak_memory_bytes"])) / 1e9
    return {"set": name, "linker": linker, **scores, "seconds": round(seconds, 1), "memory_gb": round(memory, 2)}


def table(rows: list[dict[str, object]]) -> str:
    """HR@1 of each linker on each set as Markdown."""
    figures = {(row["linker"], row["set"]): row["hr@1"] for row in rows}
    lines = ["| HR@1, all right users ranked, no labels | " + " | ".join(SETS) + " |", "|---" * (len(SETS) + 1) + "|"]
    for linker, title in LINKERS.items():
        cells = [figures.get((linker, name)) for name in SETS]
        if any(cell is not None for cell in cells):
            lines.append(f"| {title} | " + " | ".join("" if cell is None else f"{cell:.3f}" for cell in cells) + " |")
    return "\n".join(lines)


def put_table(page: Path, place: str, text: str) -> None:
    """Replaces what stands between two equal marks on a page."""
    before, _, after = page.read_text("utf-8").split(place)
    page.write_text(f"{before}{place}\n{text}\n{place}{after}", "utf-8")


def main() -> None:
    """Measures the linkers named and keeps earlier rows of the others."""
    path = RESULTS / "quality.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    for linker in sys.argv[1:]:
        for name in SETS:
            rows = [row for row in rows if (row["linker"], row["set"]) != (linker, name)]
            rows.append(measure(name, linker))
            print(rows[-1])
            write_result("quality", rows, ["factlink", "numpy", "faiss-cpu", "numba"])
    put_table(ROOT / "README.md", PLACE, table(rows))


if __name__ == "__main__":
    main()
