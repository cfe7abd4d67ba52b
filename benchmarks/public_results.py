"""The page of results: every linker on every real set, from what is kept, with commits and checksums of the data.

    python benchmarks/public_results.py

Nothing is measured here.
"""

from collections.abc import Iterator

import growth
import paper_tables
import peers_alignment
from machine import Row
from pages import OLD, Block, Result, fill_pages, read_result, table
from quality import FURTHER, SETS

from factlink.linkers.catalogue import LinkerEntry, list_linkers
from factlink.linkers.settings import LINKERS

PAGE = "docs/results/index.md"
FIGURES = {"HR@1": "hr@1", "MRR": "mrr", "false links": "false_links", "calibration error": "calibration_error"}
PLACES = SETS | FURTHER | {"foursquare_twitter": peers_alignment.SETS["foursquare_twitter"]}
TOOLS = {"splink": "Splink", "goldenmatch": "GoldenMatch", "goldenmatch, configured": "GoldenMatch, by hand"}
"""Other tools, which compare names only."""
NOT_MEASURED, CANNOT = "·", "–"
NO_LABELS = {"congress": "congress", "us-politicians": "wikidata → twitter"}
"""Experiments with rows of linkers that use no labels, and the set that they are on."""
Found = dict[tuple[str, str], tuple[Result, Row]]


def blocks() -> list[Block]:
    """All figures, every linker on every set, the data, the paper's tables in short, the cost of a million users."""
    quality = read_result("quality")
    return [
        Block(PAGE, "public: benchmarks/public_results.py", figures(quality)),
        Block(PAGE, "none known: benchmarks/public_results.py", matrix(found_without_labels(), "none")),
        Block(PAGE, "some known: benchmarks/public_results.py", matrix(found_with_known_pairs(), "known")),
        Block(PAGE, "data: benchmarks/public_results.py", checksums(quality, read_result("peers_alignment"))),
        Block(PAGE, "paper: benchmarks/public_results.py", paper_tables.short_table(paper_tables.results())),
        Block(PAGE, "million: benchmarks/public_results.py", growth.million(read_result("growth"))),
    ]


def figures(quality: Result) -> str:
    """One row for each set and linker that `quality.py` has measured."""
    rows = {(row["set"], row["linker"]): row for row in quality.rows}
    lines = []
    for name in PLACES:
        for linker in (entry.name for entry in own_linkers()):
            row = rows.get((name, linker))
            if row is not None:
                cells = [f"{row[key]:.3f}" for key in FIGURES.values()]
                cells += [f"{row['seconds']:.0f}", f"{row['memory_gb']:.2f}"]
                lines.append(quality.line(f"{name} | `{linker}`", [(cell, row) for cell in cells]))
    head = ["set", "linker", *FIGURES, "seconds", "memory, GB"]
    return table(head, lines, quality.note())


def own_linkers() -> list[LinkerEntry]:
    """The linkers of factlink itself, without those of plugins."""
    return [entry for entry in list_linkers() if entry.name in LINKERS]


def found_without_labels() -> Found:
    """By linker and set: the rows of linkers that know nothing, the first of several results."""
    found: Found = {}
    for experiment, name in NO_LABELS.items():
        result = read_result(experiment)
        for row in result.rows:
            if row["linker"] == "cnl" and not row["settings"]:
                found["cnl", name] = result, _with_means(row)
    found |= {("factoid", name): place for name, place in _spread().items() if name != "foursquare_twitter"}
    found |= {(row["linker"], row["set"]): (result, row) for result, row in _aligned("none")}
    tools = read_result("peers")
    found |= {(row["tool"], row["set"]): (tools, row) for row in tools.rows if row["tool"] in TOOLS}
    quality = read_result("quality")
    return found | {(row["linker"], row["set"]): (quality, row) for row in quality.rows}


def found_with_known_pairs() -> Found:
    """By linker and set: the rows of linkers that know a fifth of the truth, or the 321 pairs of foursquare_twitter."""
    found: Found = {("factoid", "foursquare_twitter"): _spread()["foursquare_twitter"]}
    result = read_result("foursquare-twitter")
    for row in result.rows:
        if row["linker"]:
            found[row["linker"], "foursquare_twitter"] = result, _with_means(row)
    return {(row["linker"], row["set"]): (result, row) for result, row in _aligned("known")} | found


def _with_means(row: Row) -> Row:
    """A row of an experiment with the means over its folds."""
    return {**row, **{key: row["figures"][key]["mean"] for key in ("hr@1", "mrr")}}


def _spread() -> dict[str, tuple[Result, Row]]:
    """The default linker by set, as benchmarks/spreading.py has measured it."""
    result = read_result("spreading")
    return {row["set"]: (result, row) for row in result.rows if row["spreading"] == "with"}


def _aligned(kind: str) -> Iterator[tuple[Result, Row]]:
    result = read_result(peers_alignment.NAME)
    return ((result, row) for row in result.rows if row["kind"] == kind)


def matrix(found: Found, kind: str) -> str:
    """HR@1 and MRR of every linker on every set; what is not measured says so, and is counted."""
    linkers = {entry.name: f"`{entry.name}`" for entry in own_linkers()}
    needy = {entry.name for entry in own_linkers() if entry.needs_known_pairs}
    if kind == "none":
        linkers |= TOOLS
    lines, used = [], []
    for key, title in linkers.items():
        cells = [cell(found.get((key, name)), kind == "none" and key in needy) for name in PLACES]
        lines.append("| " + " | ".join([title, *cells]) + " |")
        used += cells
    missing, cannot = used.count(NOT_MEASURED), used.count(CANNOT)
    note = (
        f"{NOT_MEASURED} not measured ({missing} of {len(used)} cells); {CANNOT} cannot run there ({cannot}); "
        f"{OLD} measured with older code."
    )
    return table(["HR@1 / MRR", *PLACES], lines, note)


def cell(place: tuple[Result, Row] | None, is_needy: bool) -> str:
    """The figures, or why there are none."""
    if place is None:
        return CANNOT if is_needy else NOT_MEASURED
    result, row = place
    if "cannot" in row or row.get("hr@1") is None:
        return CANNOT
    shown = f"{row['hr@1']:.3f}" + (f" / {row['mrr']:.3f}" if "mrr" in row else "")
    return f"{shown} {OLD}" if result.is_old(row) else shown


def checksums(*results: Result) -> str:
    """The files of each set with the SHA-256 of all of them, where a result has recorded it."""
    recorded = {
        by["data"]["files"]: by["data"]["sha256"]
        for result in results
        for by in result.values.get("made", {}).values()
        if "sha256" in by.get("data", {})
    }
    lines = []
    for name, places in PLACES.items():
        listed = ", ".join(places)
        digest = next((recorded[files] for files in recorded if files.startswith(listed)), None)
        lines.append(f"| {name} | {listed} | {f'`{digest[:16]}`' if digest else 'not recorded'} |")
    return table(["set", "files", "SHA-256, first 16 digits"], lines, "One checksum is over all files of a set.")


def main() -> None:
    """Writes the page's blocks."""
    fill_pages(blocks())


if __name__ == "__main__":
    main()
