"""How good each linker is on real networks with truth, end to end by the command line.

    python benchmarks/quality.py name factoid [congress ep_registry …]

Looks for the networks where FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from machine import DATA, files, linking, made_by, write_result
from pages import Block, fill_pages, read_result, table

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
FURTHER = {
    "dbp15k_ja_en": ("dbp15k_ja_en/dbpedia_ja", "dbp15k_ja_en/dbpedia_en", "dbp15k_ja_en/truth.parquet"),
    "ep_registry": ("ep_registry/parliament", "ep_registry/registry", "ep_registry/truth.parquet"),
    "ep_scripts": ("ep_scripts/own_script", "ep_scripts/latin", "ep_scripts/truth.parquet"),
    "ep_twitter": ("ep_twitter/parliament", "ep_twitter/twitter", "ep_twitter/truth.parquet"),
}
"""Sets of the page of results that the README does not show."""
LINKERS = {"name": "names only", "fe": "Factoid Embedding (`--linker fe`)", "factoid": "**factlink's default**"}


def factlink(*words: str) -> dict[str, object]:
    """What a command prints as JSON."""
    command = [sys.executable, "-m", "factlink", *words, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(name: str, linker: str, *settings: str) -> dict[str, object]:
    """One linker on one set."""
    places = (SETS | FURTHER)[name]
    left, right, truth = (str(DATA / part) for part in places)
    folder = Path(tempfile.mkdtemp())
    start = time.perf_counter()
    made = factlink("link", left, right, "-o", str(folder / "run"), "--linker", linker, *settings)
    seconds = time.perf_counter() - start
    scores = factlink("evaluate", str(folder / "run"), truth)
    shutil.rmtree(folder)
    cost = {"seconds": round(seconds, 1), "memory_gb": round(float(str(made["peak_memory_bytes"])) / 1e9, 2)}
    return {"set": name, "linker": linker, **scores, **cost, "made": made_by(linking(linker), files(*places))}


def blocks() -> list[Block]:
    """HR@1 of each linker on each set."""
    result = read_result("quality")
    rows = {(row["linker"], row["set"]): row for row in result.rows}
    lines = []
    for linker, title in LINKERS.items():
        found = [rows.get((linker, name)) for name in SETS]
        if any(found):
            lines.append(result.line(title, [(f"{row['hr@1']:.3f}" if row else "", row) for row in found]))
    text = table(["HR@1, all right users ranked, no labels", *SETS], lines, result.note())
    return [Block("README.md", "quality: benchmarks/quality.py", text)]


def main() -> None:
    """Measures the linkers named, on the sets named or all, and keeps earlier rows of the others."""
    sets = SETS | FURTHER
    chosen = [name for name in sets if name in sys.argv[1:]] or list(sets)
    for linker in [word for word in sys.argv[1:] if word not in sets]:
        for name in chosen:
            kept = [row for row in read_result("quality").rows if (row["linker"], row["set"]) != (linker, name)]
            found = measure(name, linker)
            print(name, linker, found["hr@1"], flush=True)
            write_result("quality", [*kept, found], ["factlink", "numpy", "faiss-cpu", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
