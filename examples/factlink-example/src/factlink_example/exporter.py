"""Writes links as a table in Markdown."""

from pathlib import Path

from factlink.export.exporting import Source

endings = (".md",)
only_links = True
COLUMNS = ("left", "left_name", "right", "right_name", "probability")


def write(source: Source, file: Path) -> None:
    """One row for each link."""
    lines = [f"| {' | '.join(COLUMNS)} |", "|" + "---|" * len(COLUMNS)]
    rows = source.links.select(COLUMNS).rows()
    lines += [f"| {' | '.join('' if cell is None else str(cell) for cell in row)} |" for row in rows]
    file.write_text("\n".join(lines) + "\n", "utf-8")
