"""A review on a terminal: its address, and its judgements."""

import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.runs.importing import Imported
from factlink.runs.reviewing import Summary
from factlink.types import Verdict


@contextmanager
def announced_review(url: str, *, open_page: bool) -> Iterator[None]:
    """Prints the address of a review, alone on stdout, and opens it if wanted; the review runs inside."""
    from factlink.review.serving import handover_page

    sys.stderr.write("Reviewing until Ctrl+C; every judgement is stored at once. Open on this machine only:\n")
    sys.stdout.write(f"{url}\n")
    sys.stdout.flush()
    if not open_page:
        yield
        return
    with handover_page(url) as page:
        webbrowser.open(page.as_uri())
        yield


def print_judgements(summary: Summary, *, as_json: bool) -> None:
    """The number of verdicts of each reviewer, and the agreement of every two."""
    if as_json:
        print_json({"reviewers": summary.counts, "agreements": [asdict(each) for each in summary.agreements]})
        return
    console = Console(file=sys.stdout)
    if not summary.counts:
        console.print("This run has no judgements.")
        return
    table = Table("reviewer", title="Judgements", title_justify="left")
    for verdict in Verdict:
        table.add_column(verdict, justify="right")
    for reviewer, counts in summary.counts.items():
        table.add_row(escape(reviewer), *(f"{counts[verdict]:,}" for verdict in Verdict))
    console.print(table)
    for each in summary.agreements:
        kappa = "not defined" if each.kappa is None else f"{each.kappa:.2f}"
        both = escape(f"{each.first} and {each.second}")
        console.print(f"{both}: the same verdict on {each.agreed:,} of {each.pairs:,} pairs, Cohen's kappa {kappa}")


def print_exported(count: int, path: Path, *, as_json: bool) -> None:
    """How many pairs were written, and where."""
    if as_json:
        print_json({"pairs": count, "file": path})
    else:
        Console(file=sys.stdout).print(f"{count:,} pairs  {escape(str(path))}", soft_wrap=True, highlight=False)


def print_imported(imported: Imported, path: Path, *, as_json: bool) -> None:
    """How many judgements a file holds, and how many of them are new."""
    if as_json:
        print_json({"judgements": imported.judgements, "new": imported.new, "file": path})
        return
    plural = "" if imported.judgements == 1 else "s"
    line = f"{imported.judgements:,} judgement{plural}, {imported.new:,} of them new  {escape(str(path))}"
    Console(file=sys.stdout).print(line, soft_wrap=True, highlight=False)
