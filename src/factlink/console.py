"""What people see on a terminal: tables on stdout, progress on stderr, JSON for machines."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import polars as pl
from rich.console import Console
from rich.table import Table

from factlink.data.frames import Reading
from factlink.runs.making import Made
from factlink.runs.store import link_frame
from factlink.types import DECISIONS, Metrics

SHOWN = 10


@contextmanager
def watched_stages() -> Iterator[Callable[[str], None]]:
    """Shows the stage at work on a terminal, and nothing in a pipe."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda stage: None
        return
    with console.status("starting") as status:
        yield lambda stage: status.update(f"{stage} …")


def print_made(made: Made, *, as_json: bool) -> None:
    """How the networks were read, how many of each outcome, the surest and the most doubtful links."""
    if as_json:
        _print_json(made_as_json(made))
        return
    console = _console()
    for reading in made.readings:
        console.print(_reading_table(reading))
    console.print(_outcome_table(made))
    frame = link_frame(made.links, *(reading.network for reading in made.readings))
    linked = frame.filter(pl.col("right").is_not_null()).with_columns(_names(made, "left"), _names(made, "right"))
    ...
