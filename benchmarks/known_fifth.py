"""What Factoid Embedding gains from links, and FE* from a fifth of the truth, on real networks.

    python benchmarks/known_fifth.py

Looks for the networks where FACTLINK_DATA points, else in ../shared/data. Names only is `--set links.weight=0`. FE* is
told a random fifth of the truth; FE beside it is scored on the same other four fifths. Fills a table of
docs/factoid-embedding.md.
"""

import tempfile
from pathlib import Path

import polars as pl
from machine import DATA, Row, files, linking, made_by, write_result
from pages import Block, fill_pages, read_result, table
from quality import SETS, factlink

NETWORKS = ("dbp15k_fr_en", "dbp_fb")
ROWS = {
    "names only": ("truth", ["--set", "links.weight=0"]),
    "FE": ("truth", []),
    "FE, on four fifths of the truth": ("rest", []),
    "FE*, the other fifth known": ("rest", ["--known", "{known}", "--no-calibrate"]),
}


def measure(name: str, place: Path) -> list[Row]:
    """All rows of one set; runs that differ only in what they are scored on are made once."""
    left, right, truth = (str(DATA / part) for part in SETS[name])
    parts = {"truth": truth, "rest": str(place / "rest.parquet"), "known": str(place / "known.parquet")}
    shuffled = pl.read_parquet(truth).sample(fraction=1, shuffle=True, seed=0)
    shuffled[: shuffled.height // 5].write_parquet(parts["known"])
    shuffled[shuffled.height // 5 :].write_parquet(parts["rest"])
    rows = []
    for number, (title, (scored_on, options)) in enumerate(ROWS.items()):
        run = place / f"run {number if options else 'plain'}"
        if not run.exists():
            words = [word.format(**parts) for word in options]
            factlink("link", left, right, "-o", str(run), "--linker", "fe", *words)
        scores = factlink("evaluate", str(run), parts[scored_on])
        made = made_by(linking("fe"), files(*SETS[name]) | {"seed": "0"})
        figures = {key: scores[key] for key in ("n", "hr@1", "hr@10", "mrr")}
        rows.append({"set": name, "what": title, **figures, "made": made})
        print(rows[-1], flush=True)
    return rows


def blocks() -> list[Block]:
    """What each knows and reaches."""
    result = read_result("known_fifth")
    lines = []
    for row in result.rows:
        cells = [row["what"], *(f"{row[key]:.3f}" for key in ("hr@1", "mrr"))]
        lines.append(result.line(row["set"], [(cell, row) for cell in cells]))
    text = table(["networks", "", "HR@1", "MRR"], lines, result.note())
    return [Block("docs/factoid-embedding.md", "known fifth: benchmarks/known_fifth.py", text)]


if __name__ == "__main__":
    rows = []
    for name in NETWORKS:
        with tempfile.TemporaryDirectory() as place:
            rows += measure(name, Path(place))
    write_result("known_fifth", rows, ["factlink", "numba", "numpy"])
    fill_pages(blocks())
