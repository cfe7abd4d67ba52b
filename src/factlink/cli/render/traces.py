"""A trace on a terminal."""

import sys
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.runs.tracing import Trace


def print_trace(trace: Trace, file: Path, *, as_json: bool) -> None:
    """Which factoids moved each user furthest, and where the drawing is."""
    if as_json:
        values = {"file": str(file), "paths": trace.paths.to_dicts(), "pushes": trace.pushes.to_dicts()}
        print_json(values)
        return
    table = Table("user", "predicate", "object or friend", title="What moved each user furthest", title_justify="left")
    table.add_column("moved", justify="right")
    before = None
    for user, predicate, other, moved in trace.pushes.rows():
        table.add_row("" if user == before else escape(user), escape(predicate), escape(other), f"{moved:.3f}")
        before = user
    console = Console(file=sys.stdout)
    console.print(table)
    console.print(f"paths  {escape(str(file))}", soft_wrap=True, highlight=False)
