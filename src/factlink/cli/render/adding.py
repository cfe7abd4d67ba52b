"""Accounts added to a run, on a terminal."""

import sys
from typing import Any

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.runs.adding import Added
from factlink.runs.several.adding import SeveralAdded
from factlink.types import DECISIONS

SHOWN = 10


def print_added(added: Added, *, as_json: bool) -> None:
    """The number of each outcome, the most probable links, and the existing links that are doubtful now."""
    if as_json:
        print_json(_as_json(added))
        return
    console = Console(file=sys.stdout)
    mine, other = added.names
    counts = _counts(added)
    outcomes = Table(*counts, title=f"Added to {escape(mine)}: {added.outcomes.height:,}", title_justify="left")
    outcomes.add_row(*(f"{count:,}" for count in counts.values()))
    for note in added.notes:
        console.print(escape(note), soft_wrap=True, highlight=False)
    console.print(outcomes)
    best = added.outcomes.filter(pl.col("decision") == DECISIONS[0].value).sort("probability", descending=True)
    if best.height:
        console.print(_table([mine, other, "probability"], best.drop("decision"), "Most probable new links"))
    if added.doubts.height:
        left, right = added.names if added.request.side == "left" else added.names[::-1]
        columns = [left, right, "probability now", "competing account", "its probability"]
        console.print(_table(columns, added.doubts, "Existing links that are doubtful now; they were not changed"))
    console.print(f"run  {escape(str(added.request.run))}  ({added.seconds:.1f} s)", soft_wrap=True, highlight=False)


def print_several_added(added: SeveralAdded, *, as_json: bool) -> None:
    """The number of each outcome by other network, and the persons that the new accounts belong to."""
    if as_json:
        print_json(_several_as_json(added))
        return
    console = Console(file=sys.stdout)
    for note in added.notes:
        console.print(escape(note), soft_wrap=True, highlight=False)
    title = f"Added to {escape(added.request.network)}: {added.persons.height:,}"
    outcomes = Table("with", *(decision.value for decision in DECISIONS), title=title, title_justify="left")
    for network, part in added.parts.items():
        outcomes.add_row(escape(network), *(f"{count:,}" for count in _counts(part).values()))
    console.print(outcomes)
    found = added.persons.filter(pl.col("others").list.len() > 0).sort("probability", descending=True)
    if found.height:
        listed = found.select("user", "person", "probability", pl.col("others").list.join(", "))
        columns = [added.request.network, "person", "probability", "its other accounts"]
        console.print(_table(columns, listed, "Accounts of known persons"))
    doubts = sum(part.doubts.height for part in added.parts.values())
    if doubts:
        console.print(f"Existing links that are doubtful now, and were not changed: {doubts:,}.", highlight=False)
    console.print(f"run  {escape(str(added.request.run))}  ({added.seconds:.1f} s)", soft_wrap=True, highlight=False)


def _table(columns: list[str], frame: pl.DataFrame, title: str) -> Table:
    table = Table(*map(escape, columns), title=title, title_justify="left")
    for row in frame.head(SHOWN).rows():
        table.add_row(*(f"{cell:.3f}" if isinstance(cell, float) else escape(str(cell)) for cell in row))
    if frame.height > SHOWN:
        table.caption = f"the first {SHOWN} of {frame.height:,}; --json lists all"
    return table


def _counts(added: Added) -> dict[str, int]:
    return {decision.value: added.outcomes.filter(decision=decision.value).height for decision in DECISIONS}


def _as_json(added: Added) -> dict[str, Any]:
    return {
        "run": str(added.request.run),
        "side": added.request.side,
        "outcomes": _counts(added),
        "added": added.outcomes.to_dicts(),
        "doubts": added.doubts.to_dicts(),
        "seconds": added.seconds,
    }


def _several_as_json(added: SeveralAdded) -> dict[str, Any]:
    parts = {
        network: {"outcomes": _counts(part), "added": part.outcomes.to_dicts(), "doubts": part.doubts.to_dicts()}
        for network, part in added.parts.items()
    }
    return {
        "run": str(added.request.run),
        "network": added.request.network,
        "persons": added.persons.to_dicts(),
        "parts": parts,
        "seconds": added.seconds,
    }
