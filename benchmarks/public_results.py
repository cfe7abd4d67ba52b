"""The page of results: every linker on every real set, from what quality.py kept, with commits and checksums of data.

    python benchmarks/public_results.py

Nothing is measured here.
"""

import growth
import paper_tables
from pages import Block, Result, fill_pages, read_result, table
from quality import LINKERS, SETS

PAGE = "docs/results/index.md"
FIGURES = {"HR@1": "hr@1", "MRR": "mrr", "false links": "false_links", "calibration error": "calibration_error"}


def blocks() -> list[Block]:
    """The table of all figures, the short form of the paper's tables, and the cost of a million users."""
    quality = read_result("quality")
    return [
        Block(PAGE, "public: benchmarks/public_results.py", figures(quality)),
        Block(PAGE, "paper: benchmarks/public_results.py", paper_tables.short_table(paper_tables.results())),
        Block(PAGE, "million: benchmarks/public_results.py", growth.million(read_result("growth"))),
    ]


def figures(quality: Result) -> str:
    """One row for each set and linker, and checksums of the data where they were recorded."""
    rows = {(row["set"], row["linker"]): row for row in quality.rows}
    lines = []
    for name in SETS:
        for linker in LINKERS:
            row = rows.get((name, linker))
            if row is not None:
                cells = [f"{row[key]:.3f}" for key in FIGURES.values()]
                cells += [f"{row['seconds']:.0f}", f"{row['memory_gb']:.2f}"]
                lines.append(quality.line(f"{name} | `{linker}`", [(cell, row) for cell in cells]))
    head = ["set", "linker", *FIGURES, "seconds", "memory, GB"]
    return table(head, lines, f"{quality.note()}{checksums(quality)}")


def checksums(quality: Result) -> str:
    """SHA-256 of the files that were linked, the first 12 digits of each."""
    made = quality.values.get("made", {})
    files = {file: digest for by in made.values() for file, digest in by.get("data", {}).items()}
    if not files:
        return ""
    listed = "\n".join(f"- `{file}`: `{str(digest)[:12]}`" for file, digest in sorted(files.items()))
    return f"\n\nData:\n\n{listed}"


def main() -> None:
    """Writes the page's blocks."""
    fill_pages(blocks())


if __name__ == "__main__":
    main()
