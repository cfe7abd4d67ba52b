"""An audit as a folder: the page, its JSON twin, and the list of exposed people."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from factlink.audits.page import render_audit
from factlink.data.tables import write_table
from factlink.errors import RunError, require_extra
from factlink.storage.durable import new_folder

PAGE, VALUES, EXPOSED = "audit.html", "audit.json", "exposed.csv"


def check_place(folder: Path, *, overwrite: bool) -> None:
    """Refuses, before any work is done, a place that holds something, or where pages cannot be drawn."""
    require_extra("factlink audit", "report", "altair", "vl_convert", "jinja2")
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is not a folder; name another place")
    if not folder.exists() or not any(folder.iterdir()):
        return
    if not overwrite:
        raise RunError(f"{folder} exists; name a new folder, or use --overwrite to replace an audit")
    if not (folder / VALUES).is_file():
        raise RunError(f"{folder} is not an audit, and is not replaced; name a new folder")


@contextmanager
def audit_folder(folder: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A folder to write an audit to; it takes its place afterwards, whole or not at all."""
    with new_folder(folder, partial(check_place, overwrite=overwrite)) as new:
        yield new


def write_audit(values: Mapping[str, Any], new: Path) -> None:
    """Writes the values of an audit to an empty folder."""
    (new / PAGE).write_text(render_audit(values), "utf-8")
    (new / VALUES).write_text(as_json(values), "utf-8")
    write_table(_exposed_table(values), new / EXPOSED)


def as_json(values: Mapping[str, Any]) -> str:
    """The JSON twin of the page."""
    return json.dumps(values, indent=2, ensure_ascii=True) + "\n"


def _exposed_table(values: Mapping[str, Any]) -> pl.DataFrame:
    types = {
        "user": pl.String,
        "name": pl.String,
        "partner": pl.String,
        "probability": pl.Float64,
        "correct": pl.Boolean,
    }
    rows = [[person[column] for column in types] for person in values["exposed"]]
    return pl.DataFrame(rows, schema=types, orient="row")
