"""Factoid Embedding at its best beside n-gram names alone, on every shared set with names.

    python benchmarks/fe_beside_names.py [SET …]

Looks for the networks where FACTLINK_DATA points, else in ../shared/data; truth is read only to score, all right users
are ranked. What was measured with the code as it is is kept, so a stopped run continues. Fills a table of
docs/factoid-embedding.md.
"""

import sys
import time

import polars as pl
from machine import DATA, RESULTS, Row, files, linking, made_by, write_result
from pages import Block, fill_pages, read_result, table
from quality import FURTHER, SETS

from factlink.data.sources.networks import read_network
from factlink.evaluation.metrics import evaluate
from factlink.linkers.settings import make_linker
from factlink.types import Pairs

NAME = "fe_beside_names"
ORDER = (
    "congress",
    "wikidata → twitter",
    "twitter → instagram",
    "twitter → facebook",
    "ep_twitter",
    "ep_registry",
    "ep_scripts",
    "dbp15k_fr_en",
    "dbp_fb",
    "dbp15k_ja_en",
)
LINKERS = {"name": "names by n-grams", "fe": "Factoid Embedding"}


def measure(name: str, linker: str) -> Row:
    """One linker with its default settings on one set."""
    places = (SETS | FURTHER)[name]
    left, right = (read_network(DATA / place) for place in places[:2])
    pairs = pl.read_parquet(DATA / places[2])
    truth = Pairs(left.rows_of(pairs["left"]), right.rows_of(pairs["right"]))
    start = time.process_time()
    scorer = make_linker(linker, {}).fit(left, right)
    seconds = time.process_time() - start
    scored = evaluate(scorer, truth)
    figures = {"n": scored.n, "hr@1": round(scored.hits[1], 4), "mrr": round(scored.mrr, 4)}
    made = made_by(linking(linker), files(*places) | {"seed": "0"})
    return {"set": name, "linker": linker, **figures, "processor_seconds": round(seconds, 1), "made": made}


def blocks() -> list[Block]:
    """HR@1 and MRR of both on every set."""
    result = read_result(NAME)
    rows = {(row["set"], row["linker"]): row for row in result.rows}
    lines = []
    for name in ORDER:
        found = [rows.get((name, linker)) for linker in LINKERS]
        if any(found):
            cells = [(f"{row['hr@1']:.3f} / {row['mrr']:.3f}" if row else "", row) for row in found]
            lines.append(result.line(name, cells))
    text = table(["HR@1 / MRR", *LINKERS.values()], lines, result.note())
    return [Block("docs/factoid-embedding.md", "beside names: benchmarks/fe_beside_names.py", text)]


def main() -> None:
    """Measures what is missing or older than the code, writes after every row, fills the page."""
    for name in sys.argv[1:] or ORDER:
        for linker in LINKERS:
            result = read_result(NAME)
            now = [row for row in result.rows if not result.is_old(row)]
            if (name, linker) not in {(row["set"], row["linker"]) for row in now}:
                row = measure(name, linker)
                print({key: value for key, value in row.items() if key != "made"}, flush=True)
                others = [each for each in result.rows if (each["set"], each["linker"]) != (name, linker)]
                write_result(NAME, [*others, row], ["factlink", "numpy", "numba"])
    if (RESULTS / f"{NAME}.json").exists():
        fill_pages(blocks())


if __name__ == "__main__":
    main()
