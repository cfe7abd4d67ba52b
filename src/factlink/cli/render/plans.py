"""A plan on a terminal."""

import sys

from rich.console import Console
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.runs.planning import Plan


def print_plan(plan: Plan, *, as_json: bool) -> None:
    """The sizes that were found, and what linking them is expected to take."""
    if as_json:
        print_json(plan.as_json())
        return
    table = Table("network", title="What there is", title_justify="left")
    kinds = sorted({kind for size in (plan.left, plan.right) for kind in size.values})
    for column in ("users", "links", *kinds):
        table.add_column(column, justify="right")
    for size in (plan.left, plan.right):
        table.add_row(
            size.name, f"{size.users:,}", f"{size.links:,}", *(f"{size.values.get(kind, 0):,}" for kind in kinds)
        )
    console = Console(file=sys.stdout)
    console.print(table)
    console.print(
        f"factlink link would take about {told_seconds(plan.seconds)}, {plan.memory_bytes / 1e9:.1f} GB of memory "
        f"(at least {plan.least_memory_bytes / 1e9:.1f} GB, see --memory) and {plan.disk_bytes / 1e9:.2f} GB of disk. "
        f"Candidates: {plan.search}. This machine works {plan.pace:.1f} times as long as the one that was measured.",
        highlight=False,
    )


def told_seconds(seconds: float) -> str:
    """A span of time in the unit that fits it."""
    for unit, length in (("hours", 3600), ("minutes", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} seconds"
