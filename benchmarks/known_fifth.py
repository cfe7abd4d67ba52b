"""What Factoid Embedding gains from links, and FE* from a fifth of the truth, on real networks.

    python benchmarks/known_fifth.py

Looks for the networks where FACTLINK_DATA points, else in ../shared/data. Names only is `--set links.weight=0`. FE* is
told a random fifth of the truth; FE beside it is scored on the same other four fifths. Fills a table of
docs/factoid-embedding.md.
"""

import tempfile
from pathlib import Path

import polars as pl
from machine import write_result
from quality import DATA, ROOT, SETS, factlink, put_table

PLACE = "<!-- known fifth: benchmarks/known_fifth.py -->"
NETWORKS = ("dbp15k_fr_en", "dbp_fb")
ROWS = {
    "names only": ("truth", ["--set", "links.weight=0"]),
    "FE": ("truth", []),
    "FE, on four fifths of the truth": ("rest", []),
    "FE*, the other fifth known": ("rest", ["--known", "{known}", "--no-calibrate"]),
}


def measure(name: str, place: Path) -> list[dict[str, object]]:
    """All rows of one set; runs that differ only in what they are scored on are made once."""
    left, right, truth = (str(DATA / part) for part in SETS[name])
    files = {"truth": truth, "rest": str(place / "rest.parquet"), "known": str(place / "known.parquet")}
    shuffled = pl.read_parquet(truth).sample(fraction=1, shuffle=True, seed=0)
    shuffled[: shuffled.height // 5].write_parquet(files["known"])
    shuffled[shuffled.height // 5 :].write_parquet(files["rest"])
    rows = []
    for number, (title, (scored_on, options)) in enumerate(ROWS.items()):
        run = place / f"run {number if options else 'plain'}"
        if not run.exists():
            words = [word.format(**files) for word in options]
            factlink("link", left, right, "-o", str(run), "--linker", "fe", *words)
        scores = factlink("evaluate", str(run), files[scored_on])
        rows.append({"set": name, "what": title, **{key: scores[key] for key in ("n", "hr@1", "hr@10", "mrr")}})
        print(rows[-1], flush=True)
    return rows


def table(rows: list[dict[str, object]]) -> str:
    """As Markdown."""
    lines = ["| networks | | HR@1 | MRR |", "|---|---|---|---|"]
    lines += [f"| {row['set']} | {row['what']} | {row['hr@1']:.3f} | {row['mrr']:.3f} |" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    rows = []
    for name in NETWORKS:
        with tempfile.TemporaryDirectory() as place:
            rows += measure(name, Path(place))
    write_result("known_fifth", rows, ["factlink", "numba", "numpy"])
    put_table(ROOT / "docs" / "factoid-embedding.md", PLACE, table(rows))
