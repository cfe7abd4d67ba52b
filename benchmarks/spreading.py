"""What spreading adds to the default linker, on real networks: results/spreading.json, docs/spreading.md.

    python benchmarks/spreading.py [SET ...]        the data from FACTLINK_DATA, else ../shared/data

Sets that are named are measured anew; the others keep their last figures. `foursquare_twitter` is given its 321 known
pairs, which are left out of the truth. Congress is measured with links rewired and with half of the names hidden, too.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from machine import DATA, Row, files, linking, made_by, measure_anew, peak_memory_gb
from pages import Block, fill_pages, read_result, table
from quality import SETS as NAMED

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network
from factlink.evaluation.metrics import evaluate
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.types import NO_PAIRS, Follows, Kind, Network, Pairs

SETS = {
    "foursquare_twitter": ("foursquare_twitter/foursquare", "foursquare_twitter/twitter"),
    "dbp15k_ja_en": ("dbp15k_ja_en/dbpedia_ja", "dbp15k_ja_en/dbpedia_en"),
    "dbp15k_fr_en": NAMED["dbp15k_fr_en"][:2],
    "dbp_fb": NAMED["dbp_fb"][:2],
    "congress": NAMED["congress"][:2],
    "congress, links rewired": NAMED["congress"][:2],
    "congress, half of the names hidden": NAMED["congress"][:2],
}
LINKERS = {"without": FactoidLinker(steps=Steps(spreading=False)), "with": FactoidLinker()}


def rewired(network: Network) -> Network:
    """The same degrees, other followees."""
    random = np.random.default_rng(0)
    links = {p: Follows(f.followers, random.permutation(f.followees), f.weights) for p, f in network.links.items()}
    return replace(network, links=links)


def half_hidden(network: Network) -> Network:
    """Half of the users without names."""
    shown = np.random.default_rng(0).random(len(network)) < 0.5
    kept = {
        p: replace(a, rows=a.rows[shown[a.rows]], objects=a.objects.filter(pl.Series(shown[a.rows])))
        for p, a in network.attributes.items()
        if a.kind is Kind.NAME
    }
    return replace(network, attributes={**network.attributes, **kept})


CHANGES: dict[str, Callable[[Network], Network]] = {"rewired": rewired, "hidden": half_hidden}


def read(name: str) -> tuple[Network, Network, Pairs, Pairs]:
    """Both networks, the truth to be found, and the known pairs."""
    left, right = (read_network(DATA / folder) for folder in SETS[name])
    folder = DATA / SETS[name][0].split("/")[0]
    truth, seeds = read_pairs(folder / "truth.parquet", left, right), folder / "seeds.parquet"
    for word, change in CHANGES.items():
        left = change(left) if word in name else left
    if not seeds.exists():
        return left, right, truth, NO_PAIRS
    known = read_pairs(seeds, left, right)
    rest = ~np.isin(truth.lefts, known.lefts)
    return left, right, Pairs(truth.lefts[rest], truth.rights[rest]), known


def measure(name: str) -> Iterator[Row]:
    """HR@1, MRR, processor time and peak memory of the default linker without and with spreading."""
    left, right, truth, known = read(name)
    for title, linker in LINKERS.items():
        start = time.process_time()
        metrics = evaluate(linker.fit(left, right, known), truth)
        figures = {"hr@1": round(metrics.hits[1], 4), "mrr": round(metrics.mrr, 4)}
        cost = {"cpu_seconds": round(time.process_time() - start, 1), "memory_gb": round(peak_memory_gb(), 2)}
        made = made_by(linking("factoid"), files(*SETS[name]))
        yield {"set": name, "spreading": title, **figures, **cost, "made": made}


def blocks() -> list[Block]:
    """HR@1 and MRR without and with spreading."""
    result = read_result("spreading")
    rows = {(row["set"], row["spreading"]): row for row in result.rows}
    lines = []
    for name in SETS:
        found = [rows.get((name, title)) for title in LINKERS]
        if all(found):
            cells = [(f"{row[key]:.3f}", row) for key in ("hr@1", "mrr") for row in found if row]
            lines.append(result.line(name, [*cells, *((f"{row['cpu_seconds']:.0f}", row) for row in found if row)]))
    titles = [f"{figure} {title}" for figure in ("HR@1", "MRR", "CPU s") for title in LINKERS]
    return [
        Block("docs/spreading.md", "spreading: benchmarks/spreading.py", table(["", *titles], lines, result.note()))
    ]


def main() -> None:
    """Measures the sets asked for and writes both files."""
    measure_anew("spreading", sys.argv[1:] or SETS, measure, ["factlink", "numpy", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
