"""Aligners of networks and of entities beside Factoid Embedding, COSNET and the default, on real networks.

    python benchmarks/peers_alignment.py [SET | LINKER | SET/LINKER ...] [--anew]

Looks for the networks where FACTLINK_DATA points, else in ../shared/data. Every linker is measured twice on each set:
with known pairs (a random fifth of the truth; the 321 of foursquare_twitter) and without any, on the same other pairs
of the truth and with all free right users ranked. What is measured already is kept unless --anew is given, so an
interrupted run goes on where it stopped; each figure is written as soon as it is there. One linker runs at a time.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import polars as pl
from machine import DATA, Row, files, linking, made_by, write_result
from pages import Block, fill_pages, read_result, table

from factlink.data.sources.networks import read_network
from factlink.errors import FactlinkError
from factlink.evaluation.metrics import evaluate
from factlink.linkers.settings import make_linker
from factlink.types import NO_PAIRS, Network, Pairs

NAME = "peers_alignment"
SETS = {
    "congress": ("congress/official", "congress/twitter", "congress/truth.parquet"),
    "foursquare_twitter": (
        "foursquare_twitter/foursquare",
        "foursquare_twitter/twitter",
        "foursquare_twitter/truth.parquet",
    ),
    "dbp15k_fr_en": ("dbp15k_fr_en/dbpedia_fr", "dbp15k_fr_en/dbpedia_en", "dbp15k_fr_en/truth.parquet"),
    "dbp15k_ja_en": ("dbp15k_ja_en/dbpedia_ja", "dbp15k_ja_en/dbpedia_en", "dbp15k_ja_en/truth.parquet"),
    "dbp_fb": ("dbp_fb/dbpedia", "dbp_fb/freebase", "dbp_fb/truth.parquet"),
}
SEEDS = {"foursquare_twitter": "foursquare_twitter/seeds.parquet"}
"""Known pairs that come with a set; of the others a fifth of the truth is drawn."""
LINKERS = {
    "seu": "SEU",
    "parrot": "PARROT",
    "final": "FINAL",
    "regal": "REGAL",
    "fgw": "fused Gromov-Wasserstein",
    "cosnet": "COSNET",
    "fe": "Factoid Embedding",
    "factoid": "**factlink's default**",
}
KINDS = {"known": "a fifth known", "none": "nothing known"}
MINUTES = 30
PACKAGES = ["factlink", "numba", "numpy", "scipy"]


def pairs_of(left: Network, right: Network, place: str) -> Pairs:
    """The pairs of a file, in rows."""
    pairs = pl.read_parquet(DATA / place)
    return Pairs(left.rows_of(pairs["left"]), right.rows_of(pairs["right"]))


def known_and_rest(name: str, left: Network, right: Network) -> tuple[Pairs, Pairs]:
    """What a linker may know, and what it is tested on: no user is in both."""
    truth = pairs_of(left, right, SETS[name][2])
    if name in SEEDS:
        known = pairs_of(left, right, SEEDS[name])
    else:
        chosen = np.sort(np.random.default_rng(0).permutation(len(truth))[: len(truth) // 5])
        known = Pairs(truth.lefts[chosen], truth.rights[chosen])
    rest = ~(np.isin(truth.lefts, known.lefts) | np.isin(truth.rights, known.rights))
    return known, Pairs(truth.lefts[rest], truth.rights[rest])


def measure(name: str, linker: str, kind: str) -> Row:
    """One linker on one set, in this process; why not, where it cannot."""
    left, right = (read_network(DATA / place) for place in SETS[name][:2])
    known, rest = known_and_rest(name, left, right)
    told = known if kind == "known" else NO_PAIRS
    row: Row = {"set": name, "linker": linker, "kind": kind, "n_known": len(told)}
    start, busy = time.perf_counter(), time.process_time()
    try:
        scorer = make_linker(linker, {}).fit(left, right, told)
    except FactlinkError as error:
        return {**row, "cannot": str(error)}
    seconds = {"seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - busy}
    metrics = evaluate(scorer, rest, known)
    figures = {"n": metrics.n, "hr@1": metrics.hits[1], "hr@10": metrics.hits[10], "mrr": metrics.mrr}
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return {**row, **figures, **{k: round(v, 1) for k, v in seconds.items()}, "memory_gb": round(memory, 2)}


def measure_apart(name: str, linker: str, kind: str) -> Row:
    """The same in a process of its own, stopped after half an hour of waiting."""
    command = [sys.executable, __file__, "--one", name, linker, kind]
    try:
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60 * MINUTES)
    except subprocess.TimeoutExpired:
        return {"set": name, "linker": linker, "kind": kind, "cannot": f"stopped after {MINUTES} minutes"}
    return dict(json.loads(done.stdout.splitlines()[-1]))


def jobs(words: list[str]) -> Iterator[tuple[str, str, str]]:
    """Set, linker and kind of all that is wanted, small sets first."""
    for name in SETS:
        for linker in LINKERS:
            if not words or {name, linker, f"{name}/{linker}"} & set(words):
                yield from ((name, linker, kind) for kind in KINDS)


def cell(row: Row | None) -> str:
    """HR@1 and MRR, or why there are none."""
    if row is None:
        return ""
    if "cannot" in row:
        return "stopped" if row["cannot"].startswith("stopped") else "–"
    return f"{row['hr@1']:.3f} / {row['mrr']:.3f}"


def blocks() -> list[Block]:
    """HR@1 and MRR of each linker on each set, known pairs or none."""
    result = read_result(NAME)
    rows = {(row["kind"], row["linker"], row["set"]): row for row in result.rows}
    lines = []
    for kind, told in KINDS.items():
        for linker, title in LINKERS.items():
            found = [rows.get((kind, linker, name)) for name in SETS]
            if any(found):
                lines.append(result.line(f"{title} | {told}", [(cell(row), row) for row in found]))
    text = table(["HR@1 / MRR", "", *SETS], lines, result.note())
    return [Block("docs/baselines.md", "peers_alignment: benchmarks/peers_alignment.py", text)]


def main() -> None:
    """Measures what is wanted and not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="sets, linkers or SET/LINKER; all by default")
    parser.add_argument("--anew", action="store_true", help="measure again what is there")
    parser.add_argument("--one", action="store_true", help="print one row: SET LINKER KIND")
    wanted = parser.parse_args()
    if wanted.one:
        print(json.dumps(measure(*wanted.words)))
        return
    for job in jobs(wanted.words):
        others = [row for row in read_result(NAME).rows if (row["set"], row["linker"], row["kind"]) != job]
        if len(others) < len(read_result(NAME).rows) and not wanted.anew:
            continue
        places = [*SETS[job[0]], *([SEEDS[job[0]]] if job[0] in SEEDS else [])]
        row = {**measure_apart(*job), "made": made_by(linking(job[1]), files(*places) | {"seed": "0"})}
        print({key: value for key, value in row.items() if key != "made"}, flush=True)
        write_result(NAME, [*others, row], PACKAGES)
    fill_pages(blocks())


if __name__ == "__main__":
    main()
