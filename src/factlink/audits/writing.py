"""An audit as a folder: the page, its JSON twin, and the list of exposed people."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from factlink.audits.page import render_audit
from factlink.data.tables import write_table
from factlink.errors import RunError, require_extra
from factlink.storage.durable import locked_folder, put_in_place, remove_tree, sync_tree

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


def write_audit(values: Mapping[str, Any], folder: Path, *, overwrite: bool = False) -> Path:
    """Writes the values of an audit as a folder, whole or not at all."""
    check_place(folder, overwrite=overwrite)
    folder = Path(os.path.realpath(folder))
    part = folder.with_name(f"{folder.name}.part")
    with locked_folder(part, f"{folder} is being written"):
        new = part / folder.name
        remove_tree(new)
        new.mkdir(mode=0o700)
        (new / PAGE).write_text(render_audit(values), "utf-8")
        (new / VALUES).write_text(as_json(values), "utf-8")
        write_table(_exposed_table(values), new / EXPOSED)
        sync_tree(new)
        put_in_place(new, folder, part / "old")
        remove_tree(part / "old")
        remove_tree(new)
    return folder


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
