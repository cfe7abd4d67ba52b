"""What spreading adds to the default linker, on real networks: results/spreading.json, docs/spreading.md.

    python benchmarks/spreading.py [SET ...]        the data from FACTLINK_DATA, else ../shared/data

    python benchmarks/spreading.py 'dbp15k_ja_en, without codes'        one part of spreading taken away

Sets that are named are measured anew; the others keep their last figures. `foursquare_twitter` is given its 321 known
pairs, which are left out of the truth. Congress is measured with links rewired or shuffled and with half of the names
hidden, too. False links are those at a precision of .9, of left users that truth names.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import polars as pl
from machine import DATA, Row, files, linking, made_by, measure_anew, peak_memory_gb
from pages import Block, Result, fill_pages, read_result, table
from quality import SETS as NAMED

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network
from factlink.decision.decisions import decide
from factlink.decision.likelihoods import estimate_likelihoods
from factlink.evaluation.metrics import PRECISION, evaluate
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.linkers.factoid.spreading import gate, spread
from factlink.linkers.factoid.spreading.relations import Relations, read_relations
from factlink.linkers.factoid.spreading_steps import SpreadingSteps
from factlink.protocols import Scorer
from factlink.types import NO_PAIRS, Follows, Kind, Network, Pairs

SETS = {
    "foursquare_twitter": ("foursquare_twitter/foursquare", "foursquare_twitter/twitter"),
    "dbp15k_ja_en": ("dbp15k_ja_en/dbpedia_ja", "dbp15k_ja_en/dbpedia_en"),
    "dbp15k_fr_en": NAMED["dbp15k_fr_en"][:2],
    "dbp_fb": NAMED["dbp_fb"][:2],
    "congress": NAMED["congress"][:2],
    "congress, links rewired": NAMED["congress"][:2],
    "congress, links shuffled": NAMED["congress"][:2],
    "congress, half of the names hidden": NAMED["congress"][:2],
}
ABLATED = ("dbp15k_ja_en", "dbp15k_fr_en", "dbp_fb", "congress")
LINKERS = {"without": FactoidLinker(steps=Steps(spreading=False)), "with": FactoidLinker()}


def rewired(network: Network) -> Network:
    """The same degrees, other followees."""
    random = np.random.default_rng(0)
    links = {p: Follows(f.followers, random.permutation(f.followees), f.weights) for p, f in network.links.items()}
    return replace(network, links=links)


def shuffled(network: Network) -> Network:
    """As many links, each from and to anybody."""
    random = np.random.default_rng(0)
    links = {
        p: Follows(random.permutation(f.followers), random.permutation(f.followees), f.weights)
        for p, f in network.links.items()
    }
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


CHANGES: dict[str, Callable[[Network], Network]] = {
    "rewired": rewired,
    "shuffled": shuffled,
    "hidden": half_hidden,
}


def read_as_one(links: Mapping[str, Follows], n_users: int) -> Relations:
    """The links of all predicates as those of one."""
    every = list(links.values())
    parts = ([getattr(f, part) for f in every] for part in ("followers", "followees", "weights"))
    return read_relations({"": Follows(*map(np.concatenate, parts))}, n_users)


PARTS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "without votes by relation": lambda: patch.object(spread, "read_relations", read_as_one),
    "without codes": lambda: patch.object(spread, "_CODES", 0.0),
    "without learned names": lambda: patch.object(SpreadingSteps, "_name_learner", lambda _: None),
    "without the gate": lambda: patch.object(gate, "_OPEN", -1.0),
}


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
    """HR@1, MRR, false links, processor time and peak memory of the default linker without and with spreading."""
    whole, _, part = name.rpartition(", ")
    if part in PARTS:
        with PARTS[part]():
            yield {**measure_linker(whole, LINKERS["with"]), "set": name, "spreading": part}
        return
    for title, linker in LINKERS.items():
        yield {**measure_linker(name, linker), "set": name, "spreading": title}


def measure_linker(name: str, linker: FactoidLinker) -> Row:
    """One row of figures, without what it is called."""
    left, right, truth, known = read(name)
    start = time.process_time()
    scorer = linker.fit(left, right, known)
    taken = time.process_time() - start
    metrics = evaluate(scorer, truth)
    figures = {"hr@1": round(metrics.hits[1], 4), "mrr": round(metrics.mrr, 4), **false_links(scorer, truth)}
    cost = {"cpu_seconds": round(taken, 1), "memory_gb": round(peak_memory_gb(), 2)}
    return {**figures, **cost, "made": made_by(linking("factoid"), files(*SETS[name]))}


def false_links(scorer: Scorer, truth: Pairs) -> Row:
    """How many links there are of users that truth names, and the share of false ones, expected and true."""
    links = decide(estimate_likelihoods(scorer), PRECISION)
    found, n_right = links.found_links() & np.isin(links.lefts, truth.lefts), len(scorer.right)
    true = truth.lefts.astype(np.int64) * n_right + truth.rights  # some have several partners
    likely, right = links.probabilities[found], np.isin(links.lefts * n_right + links.rights, true)[found]
    shares = (1 - float(values.mean()) if len(right) else 0.0 for values in (likely, right))
    expected, false = (round(share, 4) for share in shares)
    return {"links": int(found.sum()), "expected_false_links": expected, "false_links": false}


def blocks() -> list[Block]:
    """Figures without and with spreading, and without one part of it."""
    result = read_result("spreading")
    rows = {(row["set"], row["spreading"]): row for row in result.rows}
    lines = []
    for name in SETS:
        found = [row for row in (rows.get((name, title)) for title in LINKERS) if row]
        if len(found) == len(LINKERS):
            cells = [(f"{row[key]:.3f}", row) for key in ("hr@1", "mrr") for row in found]
            cells += _shares(found[-1])
            lines.append(result.line(name, [*cells, *((f"{row['cpu_seconds']:.0f}", row) for row in found)]))
    titles = [f"{figure} {title}" for figure in ("HR@1", "MRR") for title in LINKERS]
    titles += [*SHARES, *(f"CPU s {title}" for title in LINKERS)]
    parts = [
        result.line(f"{name}, {part}", [(f"{row['hr@1']:.3f}", row), (f"{row['mrr']:.3f}", row), *_shares(row)])
        for name in ABLATED
        for part in PARTS
        if (row := rows.get((f"{name}, {part}", part)))
    ]
    page = "docs/spreading.md"
    return [
        Block(page, "spreading: benchmarks/spreading.py", table(["", *titles], lines, result.note())),
        Block(page, "parts: benchmarks/spreading.py", _parts_table(parts, result)),
    ]


def _parts_table(lines: list[str], result: Result) -> str:
    return table(["", "HR@1", "MRR", *SHARES], lines, result.note()) if lines else "Not measured yet."


SHARES = ("links", "false links, expected", "true")


def _shares(row: Row) -> list[tuple[str, Row]]:
    if "links" not in row:
        return [("", row)] * len(SHARES)
    return [(f"{row['links']:,}", row), *((f"{row[key]:.3f}", row) for key in ("expected_false_links", "false_links"))]


def main() -> None:
    """Measures the sets asked for and writes both files."""
    measure_anew("spreading", sys.argv[1:] or SETS, measure, ["factlink", "numpy", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
