"""Results on a terminal: tables on stdout, progress on stderr, JSON for machines."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from factlink.cli.render.as_json import print_json
from factlink.cli.render.plans import SEARCHES
from factlink.cli.render.readings import print_gains, print_reading
from factlink.cli.render.scores import print_scores
from factlink.data.frames import Reading
from factlink.explanations.user_names import user_names
from factlink.runs.demo import Demo
from factlink.runs.folder.manifest import Input
from factlink.runs.hiding import Hidden
from factlink.runs.making import LinkResult
from factlink.runs.relinking import Relinked
from factlink.types import DECISIONS, Decision, Ints

SHOWN = 10
WEIGHTS_SHOWN = 12


@contextmanager
def watched_stages() -> Iterator[Callable[[str], None]]:
    """Shows the current stage on a terminal, and nothing in a pipe."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda stage: None
        return
    with console.status("starting") as status:
        yield lambda stage: status.update(f"{stage} …")


def print_result(result: LinkResult, *, as_json: bool) -> None:
    """How the networks were read, the number of each outcome, the most and the least probable links."""
    if as_json:
        print_json(_result_as_json(result))
        return
    console = _console()
    _print_details(result, console)
    _print_next(result, console, "report", "review")


def _print_details(result: LinkResult, console: Console) -> None:
    for reading in result.readings:
        print_reading(reading, console)
    if result.manifest.notes["channel_weights"]:
        console.print(_weight_table(result))
    print_gains([result.manifest.notes], console)
    if "search" in result.manifest.notes:
        search = result.manifest.notes["search"]
        console.print(f"Name search: {SEARCHES[search['method']]} ({search['recall']:.0%} recall of the ten nearest)")
    if reused := result.manifest.notes["encoded"]["reused"]:
        n_sets = reused + result.manifest.notes["encoded"]["made"]
        console.print(f"{reused} of {n_sets} sets of vectors were reused from an earlier run.", highlight=False)
    _print_outcomes(result, console)
    _print_links(result, console, "links")


def print_duplicates(result: LinkResult, *, as_json: bool) -> None:
    """How the network was read, how many pairs are held to be one person, the most and the least probable ones."""
    if as_json:
        print_json(_result_as_json(result))
        return
    console = _console()
    print_reading(result.readings[0], console)
    console.print(_weight_table(result))
    links = int(np.count_nonzero(result.links.decisions == DECISIONS.index(Decision.LINK)))
    false_links = result.manifest.notes["expected_false_links"]
    console.print(
        f"{links:,} pairs of accounts are held to be one person; {false_links:.1%} of them are expected to be false. "
        f"{len(result.links) - links:,} more could not be decided.",
        highlight=False,
    )
    _print_links(result, console, "pairs")
    _print_next(result, console, "report", "persons")


def print_hidden(left: Path, hidden: Hidden, *, as_json: bool) -> None:
    """How many partners are hidden, and what to do next."""
    if as_json:
        print_json(asdict(hidden))
        return
    _console().print(
        f"The partners of {hidden.hidden:,} left users are hidden; {hidden.there:,} are still there. Next:\n"
        f"  factlink link {left} {hidden.right} -o RUN\n"
        f"  factlink evaluate RUN {hidden.truth}",
        highlight=False,
        soft_wrap=True,
    )


def print_demo(demo: Demo) -> None:
    """The result, its evaluation, and the commands for one's own files."""
    _print_details(demo.result, _console())
    print_scores(demo.scores, as_json=False)
    request = demo.result.request
    _console().print(
        f"\nThe result is in {request.out}. To do the same step by step, or with your own files:\n"
        f"  factlink link {request.left} {request.right} -o RUN\n"
        f"  factlink evaluate RUN {demo.truth}",
        highlight=False,
        soft_wrap=True,
    )


def print_relinked(relinked: Relinked, *, as_json: bool) -> None:
    """What the judgements changed, and why."""
    changes = relinked.changes
    if as_json:
        figures = {"matches": relinked.matches, "non_matches": relinked.refused, "changed": changes.to_dicts()}
        print_json(_result_as_json(relinked.result) | figures)
        return
    console = _console()
    _print_outcomes(relinked.result, console)
    judged = f"{relinked.matches:,} matches, {relinked.refused:,} non-matches"
    title = f"Judged: {judged}. Links that changed: {changes.height:,}"
    table = Table("left", "old", "new", "because", title=title, title_justify="left")
    for left, old, new, reason in changes.head(2 * SHOWN).rows():
        table.add_row(*(escape(text or "–") for text in (left, old, new, reason)))
    if changes.height > 2 * SHOWN:
        table.caption = f"the first {2 * SHOWN}; --json lists all"
    console.print(table if changes.height else title)
    console.print(f"run  {relinked.result.request.out}", soft_wrap=True, highlight=False)


def _print_next(result: LinkResult, console: Console, *commands: str) -> None:
    """What people usually do with a new run."""
    shown = " or ".join(f"factlink {command} {result.request.out}" for command in commands)
    console.print(f"next: {shown}", soft_wrap=True, highlight=False)


def _result_as_json(result: LinkResult) -> dict[str, Any]:
    manifest = result.manifest
    return {
        "run": str(result.request.out),
        "linker": manifest.linker,
        "settings": dict(manifest.settings),
        "left": _input_as_json(manifest.left, result.readings[0]),
        "right": _input_as_json(manifest.right, result.readings[1]),
        "outcomes": _outcomes(result),
        "links": result.links.count_links(),
        "notes": dict(manifest.notes),
        "seconds": dict(manifest.seconds),
        "peak_memory_bytes": manifest.peak_memory_bytes,
    }


def _input_as_json(side: Input, reading: Reading) -> dict[str, Any]:
    return {"name": side.name, "users": side.users, "kinds": dict(side.kinds), "unread": list(reading.unread)} | (
        {"notes": list(reading.notes)} if reading.notes else {}
    )


def _outcomes(result: LinkResult) -> dict[str, int]:
    counts = np.bincount(result.links.decisions, minlength=len(DECISIONS))
    return {decision.value: int(count) for decision, count in zip(DECISIONS, counts, strict=True)}


def _weight_table(result: LinkResult) -> Table:
    table = Table(title="Weight of each kind of evidence, estimated without labels", title_justify="left")
    names = [reading.network.name for reading in result.readings]
    for column in ("evidence", "weight", "because"):
        table.add_column(column, justify="right" if column == "weight" else "left")
    for weight in sorted(result.manifest.notes["channel_weights"], key=lambda weight: -weight["weight"])[
        :WEIGHTS_SHOWN
    ]:
        table.add_row(escape(_evidence(weight, names)), f"{weight['weight']:.2f}", weight["reason"])
    return table


def _evidence(weight: Mapping[str, Any], names: list[str]) -> str:
    """The source and the predicates of a weight, and the network if only one of the two has it."""
    named = [(weight[side], name) for side, name in zip(("left", "right"), names, strict=True) if weight[side]]
    network = f" ({named[0][1]})" if len(named) == 1 else ""
    return f"{weight['source']}: {' · '.join(dict(named))}{network}" if named else str(weight["source"])


def _print_outcomes(result: LinkResult, console: Console) -> None:
    table = Table(title=f"Outcomes of linker '{result.manifest.linker}'", title_justify="left")
    for outcome in _outcomes(result):
        table.add_column(outcome, justify="right")
    table.add_row(*(f"{count:,}" for count in _outcomes(result).values()))
    console.print(table)
    ties = result.manifest.notes.get("ties")
    tied = f"; {ties:,} users have two equally good candidates and are unknown" if ties else ""
    console.print(f"{_count_links(result)}{_expected_false(result)}{tied}.", highlight=False)


def _expected_false(result: LinkResult) -> str:
    if not result.links.count_links()["found"]:
        return "No pair was found"
    notes = result.manifest.notes
    span = notes.get("false_link_range")
    between = f", between {span[0]:.1%} and {span[1]:.1%}" if span else ""
    return f"{notes['expected_false_links']:.1%} of the found links are expected to be false{between}"


def _count_links(result: LinkResult) -> str:
    """Links by source, if some were given."""
    counts = result.links.count_links()
    shown = ", ".join(f"{count:,} {source}" for source, count in counts.items() if count)
    return "" if counts["found"] == sum(counts.values()) else f"{sum(counts.values()):,} links: {shown}; "


def _by_doubt(result: LinkResult) -> Ints:
    """Places of the links, most probable first; by margin where there are no probabilities."""
    links = result.links
    linked = np.flatnonzero(links.decisions == DECISIONS.index(Decision.LINK))
    certainty = np.where(np.isnan(links.probabilities), links.margins, links.probabilities)[linked]
    return linked[np.lexsort((-links.scores[linked], -certainty))]


def _print_links(result: LinkResult, console: Console, what: str) -> None:
    """The most and the least probable links, and where the run is."""
    surest = _by_doubt(result)
    for title, places in {"Most probable": surest[:SHOWN], "Most doubtful": surest[SHOWN:][::-1][:SHOWN]}.items():
        if len(places):
            console.print(_link_table(result, places, f"{title} {what}"))
    seconds, megabytes = sum(result.manifest.seconds.values()), result.manifest.peak_memory_bytes / 1e6
    console.print(f"run  {result.request.out}  ({seconds:.1f} s, {megabytes:,.0f} MB)", soft_wrap=True, highlight=False)


def _link_table(result: LinkResult, places: Ints, title: str) -> Table:
    left, right = (reading.network for reading in result.readings)
    figures = {"score": result.links.scores, "margin": result.links.margins, "probability": result.links.probabilities}
    figures = {name: column for name, column in figures.items() if not np.isnan(column).all()}
    table = Table(title=title, title_justify="left")
    room = (_console().width - sum(max(len(name), 7) + 3 for name in figures) - 7) // 2
    for network in (left, right):
        table.add_column(network.name, overflow="fold", max_width=room)
    for name in figures:
        table.add_column(name, justify="right", min_width=len(name))
    users = user_names(left, result.links.lefts[places]), user_names(right, result.links.rights[places])
    for place, *called in zip(places, *users, strict=True):
        table.add_row(*map(escape, called), *(f"{column[place]:z.3f}" for column in figures.values()))
    return table


def _console() -> Console:
    return Console(file=sys.stdout)
