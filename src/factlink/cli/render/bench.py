"""A benchmark on a terminal: progress on stderr, the table on stdout."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.experiments.benchmark import JobProgress, Results, results_as_json
from factlink.experiments.tables import HEAD, Line, explanation, table_cells

_STYLES = {Line.BLOCK: "bold", Line.OURS: "", Line.PUBLISHED: "dim italic"}


@contextmanager
def watched_jobs() -> Iterator[Callable[[JobProgress], None]]:
    """Shows the current row on a terminal, and nothing in a pipe."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda progress: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda progress: bar.update(
            task, total=progress.total, completed=progress.done, description=f"{escape(progress.doing)} …"
        )


def print_results(results: Results, folder: Path, *, as_json: bool) -> None:
    """The table, published figures below ours, and the folder of the results."""
    values = results_as_json(results)
    if as_json:
        print_json({**values, "folder": str(folder)})
        return
    table = Table(title=escape(values["title"]), title_justify="left", caption_justify="left")
    for place, name in enumerate(HEAD):
        table.add_column(name, justify="left" if place < 2 else "right", no_wrap=True)
    for shows, cells in table_cells(values):
        table.add_row(*map(escape, cells), style=_STYLES[shows])
    console = Console(file=sys.stdout)
    if not console.is_terminal:
        console.width = max(console.width, 200)
    console.print(table)
    console.print(escape(explanation(values)), highlight=False)
    console.print(f"results  {escape(str(folder))}", soft_wrap=True, highlight=False)
