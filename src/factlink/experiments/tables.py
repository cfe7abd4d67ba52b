"""The table of an experiment as Markdown and as one HTML page: ours, and what was published under it."""

from collections.abc import Mapping, Sequence
from enum import Enum
from html import escape
from typing import Any

from factlink.experiments.experiment import METRICS

HEAD = ("", "method", *(metric.upper() for metric in METRICS), "s", "GB")
_STYLE = """body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24; background: #fff }
table { border-collapse: collapse } caption { text-align: left; font-weight: 600; padding-bottom: .5rem }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #d0d7de; white-space: nowrap }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left } tr.published { color: #57606a; font-style: italic }
tr.block { font-weight: 600 }"""


class Line(Enum):
    """What a line of a table shows."""

    BLOCK = "block"
    OURS = "ours"
    PUBLISHED = "published"


def table_cells(results: Mapping[str, Any]) -> list[tuple[Line, Sequence[str]]]:
    """Lines of cells under HEAD, from results as JSON has them, and what each shows; a block's name comes first."""
    lines: list[tuple[Line, Sequence[str]]] = []
    block = ""
    for row in results["rows"]:
        if row.get("block", "") != block:
            block = row.get("block", "")
            lines.append((Line.BLOCK, ("", block, *[""] * (len(HEAD) - 2))))
        figures, published = row["figures"], row["published"]
        if figures:
            ours = [_figure(figures[metric]) for metric in METRICS]
            lines.append(
                (Line.OURS, (row["code"], row["title"], *ours, f"{row['seconds']:.0f}", f"{row['memory_gb']:.1f}"))
            )
        if published:
            published_cells = [f"{published[metric]:.4f}" if metric in published else "" for metric in METRICS]
            name = results["beside"] if figures else f"{row['title']}, {results['beside']}"
            lines.append((Line.PUBLISHED, ("" if figures else row["code"], name, *published_cells, "", "")))
    return lines


_MARKS = {Line.BLOCK: "**", Line.OURS: "", Line.PUBLISHED: "*"}


def as_markdown(results: Mapping[str, Any]) -> str:
    """A table; published lines in italics."""
    lines = [_line(HEAD), _line(["---", "---", *["--:"] * (len(HEAD) - 2)])]
    for shows, cells in table_cells(results):
        lines.append(_line([f"{_MARKS[shows]}{cell}{_MARKS[shows]}" if cell else cell for cell in cells]))
    return "\n".join(lines) + "\n"


def as_html(results: Mapping[str, Any]) -> str:
    """A page that needs nothing else."""
    title = escape(results["title"])
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in HEAD)
    body = "\n".join(
        f'<tr class="{shows.value}">' + "".join(f"<td>{escape(c)}</td>" for c in cells) + "</tr>"
        for shows, cells in table_cells(results)
    )
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>\n<style>\n{_STYLE}\n</style>\n'
        f"<table>\n<caption>{title}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"
        f"<p>{escape(explanation(results))}</p>\n</html>\n"
    )


def explanation(results: Mapping[str, Any]) -> str:
    """What the figures are, in two sentences."""
    folds, seeds = results["folds"], len(results["seeds"])
    counts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((folds, "fold"), (seeds, "seed"))]
    spread = f"Mean ± standard deviation over {' and '.join(counts)}; " if folds * seeds > 1 else ""
    if folds > 1 and seeds > 1:
        spread += "methods that know pairs take one seed in each fold, the others all; "
    return (
        f"{spread}{results['tested_users']:,} left users tested, all right users ranked but those in a known pair. "
        "s: seconds to fit and to rank one fold; GB: most memory held."
    )


def _figure(spread: Mapping[str, float]) -> str:
    return f"{spread['mean']:.4f}" + (f" ±{spread['deviation']:.3f}".replace("0.", ".") if spread["deviation"] else "")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
