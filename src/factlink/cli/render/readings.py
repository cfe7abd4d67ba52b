"""How a network was read, on a terminal: columns, kinds, counts, what was understood and what was left out."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.data.frames import Reading


def print_reading(reading: Reading, console: Console) -> None:
    """One network: its columns, and a line on everything that was guessed or not read."""
    console.print(_reading_table(reading))
    for line in (*reading.notes, *reading.unread):
        console.print(f"{escape(reading.network.name)}: {escape(line)}", soft_wrap=True, highlight=False)


def print_gains(notes: Sequence[Mapping[str, Any]], console: Console) -> None:
    """One sentence on the columns that the extra `scripts` would read better, from the notes of runs; or nothing."""
    gains = [gain for each in notes for gain in each.get("read_better_with_scripts", ())]
    said = [f"{gain['column']} of {gain['network']} holds {gain['names']:,} names {gain['script']}" for gain in gains]
    if said:
        listed = "; ".join(dict.fromkeys(said))
        console.print(
            escape(f"{listed}: pip install 'factlink[scripts]' reads them better"), soft_wrap=True, highlight=False
        )


def print_imported_network(reading: Reading, out: Path, *, as_json: bool) -> None:
    """What was understood of a source, and where it is now."""
    if as_json:
        print_json(_as_json(reading, out))
        return
    console = Console(file=sys.stdout)
    print_reading(reading, console)
    console.print(f"network  {escape(str(out))}", soft_wrap=True, highlight=False)


def _as_json(reading: Reading, out: Path) -> dict[str, object]:
    network, links = reading.network, reading.links
    return {
        "network": str(out),
        "name": network.name,
        "users": len(network),
        "links": {predicate: len(follows) for predicate, follows in network.links.items()},
        "columns": {
            predicate: {"kind": guess.kind.value, "because": guess.reason, "users": _owners(reading, predicate)}
            for predicate, guess in reading.guesses.items()
        },
        "links_left_out": {"dangling": links.dangling, "self_links": links.self_links, "repeated": links.repeated},
        "unused_columns": list(links.unused_columns),
        "notes": list(reading.notes),
        "unread": list(reading.unread),
    }


def _owners(reading: Reading, predicate: str) -> int:
    return len(np.unique(reading.network.attributes[predicate].rows))


def _reading_table(reading: Reading) -> Table:
    network, links = reading.network, reading.links
    n_links = sum(map(len, network.links.values()))
    table = Table(title=f"{escape(network.name)}: {len(network):,} users, {n_links:,} links", title_justify="left")
    for column in ("column", "kind", "because", "users with it"):
        table.add_column(column, justify="right" if column == "users with it" else "left")
    for predicate, guess in reading.guesses.items():
        row = predicate, guess.kind.value, guess.reason, f"{_owners(reading, predicate):,}"
        table.add_row(*map(escape, row))
    dropped = {"dangling": links.dangling, "self-links": links.self_links, "repeated": links.repeated}
    notes = {
        "links left out": [f"{n:,} {what}" for what, n in dropped.items() if n],
        "columns of links not used": links.unused_columns,
    }
    table.caption = "\n".join(escape(f"{what}: {', '.join(which)}") for what, which in notes.items() if which) or None
    return table
