"""A plan on a terminal."""

import sys

from rich.console import Console
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.runs.planning import Plan
from factlink.runs.several.planning import SeveralPlan

SEARCHES = {"every pair": "exhaustive", "rare n-grams": "by rare n-grams"}
"""Ways of finding similar names, as shown to people."""


def print_plan(plan: Plan, *, as_json: bool) -> None:
    """The sizes of the input, and what linking is expected to cost."""
    if as_json:
        print_json(plan.as_json())
        return
    table = Table("network", title="Input", title_justify="left")
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
        f"factlink link would take about {duration(plan.seconds)}, {plan.memory_bytes / 1e9:.1f} GB of memory "
        f"(at least {plan.least_memory_bytes / 1e9:.1f} GB, see --memory) and {plan.disk_bytes / 1e9:.2f} GB of disk. "
        f"Name search: {SEARCHES[plan.search]}. {_speed(plan.pace)}",
        highlight=False,
    )


def print_several_plan(plan: SeveralPlan, *, as_json: bool) -> None:
    """What linking three networks or more is expected to cost, and each pair of them."""
    if as_json:
        print_json(plan.as_json())
        return
    table = Table("left", "right", title="Pairs of networks", title_justify="left")
    for column in ("users", "time", "memory"):
        table.add_column(column, justify="right")
    for each in plan.pairs:
        users = f"{each.left.users:,} + {each.right.users:,}"
        table.add_row(
            each.left.name, each.right.name, users, duration(each.seconds), f"{each.memory_bytes / 1e9:.1f} GB"
        )
    console = Console(file=sys.stdout)
    console.print(table)
    console.print(
        f"factlink link would take about {duration(plan.seconds)}, {plan.memory_bytes / 1e9:.1f} GB of memory and "
        f"{plan.disk_bytes / 1e9:.2f} GB of disk. {_speed(plan.pairs[0].pace)}",
        highlight=False,
    )


def duration(seconds: float) -> str:
    """A duration in a suitable unit."""
    for unit, length in (("hours", 3600), ("minutes", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} seconds"


def _speed(pace: float) -> str:
    if pace < 1:
        return f"This machine is about {1 / pace:.1f}× faster than the reference machine."
    return f"This machine is about {pace:.1f}× slower than the reference machine."
