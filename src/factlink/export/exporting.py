"""One run in, one file out, in the format that its name ends in; written whole or not at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

import polars as pl

from factlink.data.formats.delimited import write_csv
from factlink.data.formats.jsonl import write_jsonl
from factlink.data.formats.parquet import write_parquet
from factlink.errors import InputError, SettingError
from factlink.export.follows import SERVICES, find_follows
from factlink.export.graphs import gather_graph, write_gexf, write_graphml
from factlink.export.selection import Selection
from factlink.export.sheets import check_sheet, write_sheet
from factlink.export.statements import write_statements
from factlink.plugins import EXPORTERS, load_plugin, plugins_of
from factlink.runs.folder.manifest import MANIFEST, Manifest, sha256
from factlink.runs.folder.store import load_manifest
from factlink.storage.durable import check_replaceable, replaced_file

ALL = Selection()


@dataclass(frozen=True, slots=True)
class Source:
    """What a format is written from."""

    run: Path
    manifest: Manifest
    links: pl.DataFrame  # rows of links.csv


class Exporter(Protocol):
    """A format that another package adds; a module with these three names is one."""

    endings: Sequence[str]  # of files, like .ris
    only_links: bool  # whether rows without a link are left out

    def write(self, source: Source, file: Path) -> None:
        """Writes the file; `source.links` has the columns of links.csv."""
        ...


@dataclass(frozen=True, slots=True)
class Exported:
    """How many rows were written, as which format, and how many had to be left out."""

    rows: int
    format: str
    file: str
    is_follows: bool = False  # rows are accounts to follow
    unaddressed: int = 0  # accounts to follow that have no address on the new network


def export_run(run: Path, file: Path, selection: Selection = ALL, form: str = "") -> Exported:
    """Writes the links of a run in a format, by default the one that the name of the file ends in."""
    form = form or format_of(file)
    write, only_links = format_called(form)
    manifest = load_manifest(run)
    _check_place(file, run, manifest)
    links = selection.of_links(run) if only_links else selection.of(run)
    if form == "xlsx":
        check_sheet(links.height)
    with replaced_file(file) as part:
        write(Source(run, manifest, links), part)
    return Exported(links.height, form, str(file))


def export_follows(run: Path, file: Path, service: str, selection: Selection = ALL, follower: str = "") -> Exported:
    """Writes the accounts to follow on the right network as a file for a service."""
    manifest = load_manifest(run)
    _check_place(file, run, manifest)
    found = find_follows(run, manifest, selection.of_links(run), service, follower)
    created = datetime.fromisoformat(manifest.created).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    with replaced_file(file) as part, part.open("wb") as stream:
        SERVICES[service].write(found.addresses, created, stream)
    return Exported(len(found.addresses), service, str(file), True, found.unaddressed)


def _check_place(file: Path, run: Path, manifest: Manifest) -> None:
    """Refuses to write over what the run was made from, or over the run itself."""
    check_replaceable(file)
    if not file.is_file():
        return
    if any(file.samefile(part) for part in (run / name for name in (MANIFEST, *manifest.files)) if part.exists()):
        raise InputError(f"{file} is a part of the run; name another file")
    if sha256(file) in {checksum for side in (manifest.left, manifest.right) for checksum in side.checksums.values()}:
        raise InputError(f"{file} is what {run} was made from; name another file")


def format_of(file: Path) -> str:
    """The format that a file's name ends in."""
    name = file.name.lower()
    for ending, form in ENDINGS.items():
        if name.endswith(ending):
            return form
    for form in plugins_of(EXPORTERS):
        if name.endswith(tuple(_exporter(form).endings)):
            return form
    raise SettingError(
        f"'{file.name}' ends in no known format; there are: {', '.join(ENDINGS)}; or name one with --format"
    )


def format_called(form: str) -> tuple[Callable[[Source, Path], None], bool]:
    """What writes a format, and whether it holds links only rather than a row for every left user."""
    if form in FORMATS:
        return FORMATS[form], form in ONLY_LINKS
    if form in plugins_of(EXPORTERS):
        exporter = _exporter(form)
        return exporter.write, exporter.only_links
    known = ", ".join([*FORMATS, *plugins_of(EXPORTERS)])
    raise SettingError(f"no format is called '{form}'; there are: {known}")


def _exporter(form: str) -> Exporter:
    exporter: Exporter = load_plugin(EXPORTERS, form, ("endings", "only_links", "write"))
    return exporter


def _csv(source: Source, file: Path) -> None:
    with file.open("wb") as stream:
        write_csv(source.links, stream)


def _parquet(source: Source, file: Path) -> None:
    with file.open("wb") as stream:
        write_parquet(source.links, stream)


def _jsonl(source: Source, file: Path) -> None:
    with file.open("wb") as stream:
        write_jsonl(source.links, stream)


def _xlsx(source: Source, file: Path) -> None:
    write_sheet(source.links, file, datetime.fromisoformat(source.manifest.created))


def _graphml(source: Source, file: Path) -> None:
    with file.open("wb") as stream:
        write_graphml(gather_graph(source.run, source.manifest, source.links), stream)


def _gexf(source: Source, file: Path) -> None:
    with file.open("wb") as stream:
        write_gexf(gather_graph(source.run, source.manifest, source.links), stream)


def _ftm(source: Source, file: Path) -> None:
    with file.open("wb") as stream:
        write_statements(source.run, source.manifest, source.links, stream)


FORMATS: Mapping[str, Callable[[Source, Path], None]] = {
    "csv": _csv,
    "xlsx": _xlsx,
    "parquet": _parquet,
    "jsonl": _jsonl,
    "graphml": _graphml,
    "gexf": _gexf,
    "ftm": _ftm,
}
ONLY_LINKS = ("graphml", "gexf", "ftm")
"""Formats of pairs; the others have a row for every left user."""
ENDINGS = {
    ".ftm.json": "ftm",
    ".ftm.jsonl": "ftm",
    ".csv": "csv",
    ".xlsx": "xlsx",
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".graphml": "graphml",
    ".gexf": "gexf",
}
