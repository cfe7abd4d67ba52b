"""Persons, and runs of three networks or more, on a terminal."""

import sys
from dataclasses import asdict
from typing import Any

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.cli.render.readings import print_gains, print_reading
from factlink.cli.render.scores import scores_as_json
from factlink.runs.several.gathering import GatheredPersons
from factlink.runs.several.making import SeveralResult
from factlink.runs.several.scoring import SeveralScores

SHOWN = 10


def print_several(result: SeveralResult, *, as_json: bool) -> None:
    """How the networks were read, the links of each pair of them, and how many accounts persons have."""
    manifest, names = result.manifest, result.manifest.names
    if as_json:
        print_json(_several_as_json(result))
        return
    console = Console(file=sys.stdout)
    for reading in result.readings:
        print_reading(reading, console)
    print_gains([part.manifest.notes for part in result.parts.values()], console)
    table = Table("left", "right", title="Links", title_justify="left")
    for column in ("accounts", "linked", "expected false"):
        table.add_column(column, justify="right")
    for (left, right), part in result.parts.items():
        linked, notes = sum(part.links.count_links().values()), part.manifest.notes
        false = f"{notes['expected_false_links']:.1%}"
        table.add_row(escape(names[left]), escape(names[right]), f"{len(part.links):,}", f"{linked:,}", false)
    console.print(table)
    for accounts, persons in manifest.notes["persons"].items():
        console.print(_persons_with(int(persons), int(accounts)), highlight=False)
    seconds = sum(manifest.seconds.values())
    console.print(f"run  {result.request.out}  ({seconds:.1f} s)", soft_wrap=True, highlight=False)


def print_persons(found: GatheredPersons, *, as_json: bool) -> None:
    """How many accounts persons have, those with most, splits and disagreements."""
    if as_json:
        print_json(_persons_as_json(found))
        return
    console = Console(file=sys.stdout)
    for accounts, persons in found.sizes():
        console.print(_persons_with(persons, accounts), highlight=False)
    counts = found.members.group_by("person", maintain_order=True).agg(pl.len(), pl.col("probability").min())
    several = counts.filter(pl.col("len") > 1)
    most = several.sort("len", "probability", descending=True, maintain_order=True).head(SHOWN)
    table = Table(
        "person", "network", "user", "name", "probability", title="Persons with most accounts", title_justify="left"
    )
    for person in most["person"]:
        for row in found.members.filter(person=person).iter_rows():
            table.add_row(*(escape(str(value)) if value is not None else "–" for value in row[:4]), f"{row[4]:.3f}")
        table.add_section()
    if several.height:
        console.print(table)
    if found.splits.height:
        _print_rows(found.splits, f"Links that join no person: {found.splits.height:,}", console)
    if found.asks.height:
        _print_rows(found.asks, _ask_title(found.asks), console)


def print_changes(changes: pl.DataFrame, *, as_json: bool) -> None:
    """Accounts whose person is another than in an old run."""
    if as_json:
        print_json({"changes": changes.to_dicts()})
        return
    _print_rows(changes, f"Accounts whose person changed: {changes.height:,}", Console(file=sys.stdout), 2 * SHOWN)


def print_several_scores(scores: SeveralScores, *, as_json: bool) -> None:
    """Hit rates of each pair of networks, and how good persons are."""
    persons = scores.persons
    if as_json:
        pairs = {f"{left}:{right}": scores_as_json(each) for (left, right), each in scores.pairs.items()}
        print_json(
            {
                "pairs": pairs,
                "persons": asdict(persons),
                "disagreements": scores.disagreements,
                "asks": scores.asks.to_dicts(),
            }
        )
        return
    table = Table("left", "right", title="Compared with the truth", title_justify="left")
    columns = ("n", "hr@1", "hr@5", "hr@10", "hr@30", "mrr", "coverage", "false_links", "expected_false_links")
    for column in columns:
        table.add_column(column.replace("_", " "), justify="right")
    for names, each in scores.pairs.items():
        values = scores_as_json(each)
        table.add_row(*map(escape, names), f"{values['n']:,}", *(f"{values[column]:.3f}" for column in columns[1:]))
    console = Console(file=sys.stdout)
    console.print(table)
    console.print(
        f"Persons, over {persons.accounts:,} accounts: pairwise precision {persons.precision:.3f}, recall "
        f"{persons.recall:.3f}, F1 {persons.f1:.3f}; B-cubed precision {persons.bcubed_precision:.3f}, recall "
        f"{persons.bcubed_recall:.3f}, F1 {persons.bcubed_f1:.3f}. Triangles of links that disagree: "
        f"{scores.disagreements:,}.",
        highlight=False,
    )
    if scores.asks.height:
        _print_rows(scores.asks, _ask_title(scores.asks), console, most=5)


def _ask_title(asks: pl.DataFrame) -> str:
    return f"Ask this first: the weakest of links that disagree ({asks.height:,})"


def _persons_with(persons: int, accounts: int) -> str:
    return f"{persons:,} {'person has' if persons == 1 else 'persons have'} {accounts} account{'s' * (accounts > 1)}."


def _print_rows(rows: pl.DataFrame, title: str, console: Console, most: int = SHOWN) -> None:
    table = Table(*(name.replace("_", " ") for name in rows.columns), title=title, title_justify="left")
    for row in rows.head(most).iter_rows():
        shown = (f"{value:.3f}" if isinstance(value, float) else "–" if value is None else str(value) for value in row)
        table.add_row(*map(escape, shown))
    if rows.height > most:
        table.caption = f"the first {most}; --json lists all"
    console.print(table)


def _several_as_json(result: SeveralResult) -> dict[str, Any]:
    manifest = result.manifest
    pairs = {
        f"{manifest.names[left]}:{manifest.names[right]}": {
            "links": part.links.count_links(),
            "expected_false_links": part.manifest.notes["expected_false_links"],
        }
        for (left, right), part in result.parts.items()
    }
    return {
        "run": str(result.request.out),
        "linker": manifest.linker,
        "settings": dict(manifest.settings),
        "networks": [asdict(network) for network in manifest.networks],
        "pairs": pairs,
        "notes": dict(manifest.notes),
        "seconds": dict(manifest.seconds),
        "peak_memory_bytes": manifest.peak_memory_bytes,
    }


def _persons_as_json(found: GatheredPersons) -> dict[str, Any]:
    return {
        "run": str(found.run),
        "networks": list(found.names),
        "sizes": dict(found.sizes()),
        "persons": [
            {"person": person[0], "accounts": members.drop("person").to_dicts()}
            for person, members in found.members.group_by("person", maintain_order=True)
        ],
        "splits": found.splits.to_dicts(),
        "disagreements": found.disagreements.to_dicts(),
        "asks": found.asks.to_dicts(),
        "history": found.history.to_dicts(),
    }
