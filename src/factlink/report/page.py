"""A run as one HTML file: no network, no other file, light and dark, fit to print."""

import base64
import gzip
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from factlink.data.formats.html_text import legible_values
from factlink.errors import InputError, require_extra
from factlink.report.charts import draw_charts
from factlink.report.gathering import gather_report
from factlink.report.listing import read_listing
from factlink.runs.folder.store import load_manifest
from factlink.storage.durable import check_replaceable, replaced_file

_FOLDER = Path(__file__).parent


def write_report(
    run: Path, file: Path, truth: Path | None, on_stage: Callable[[str], None] = lambda stage: None
) -> Mapping[str, Any]:
    """Writes the page whole or not at all; the values it shows."""
    require_extra("factlink report", "report", "altair", "vl_convert")
    load_manifest(run)
    with _in_a_sentence(file):
        check_replaceable(Path(os.path.realpath(file)))
    on_stage("gathering figures")
    values = gather_report(run, truth)
    on_stage("drawing")
    write_page(file, lambda: render_page(values, read_listing(run)))
    return values


def write_page(file: Path, render: Callable[[], str]) -> None:
    """Writes a page whole or not at all."""
    with _in_a_sentence(file):
        check_replaceable(Path(os.path.realpath(file)))
    page = render()
    with _in_a_sentence(file), replaced_file(file) as part:
        part.write_text(page, encoding="utf-8")


@contextmanager
def _in_a_sentence(file: Path) -> Iterator[None]:
    """Turns errors of the disk into one sentence that names the file."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{file} cannot be written ({reason}); make room or name another file with --out") from None


def render_page(values: Mapping[str, Any], listing: bytes = b"") -> str:
    """The page of some values and the listing of the links; all data is escaped, and only our own script may run."""
    from markupsafe import Markup

    values = legible_values(values)
    script = (_FOLDER / "static" / "report.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    charts = {name: Markup(svg) for name, svg in draw_charts(values).items()}
    page: str = load_template(_FOLDER / "templates" / "report.html").render(
        **values,
        charts=charts,
        style=Markup(read_style()),
        script=Markup(script),
        digest=digest,
        slider=Markup(as_json_island(values["thresholds"])),
        packed=base64.b64encode(gzip.compress(listing, mtime=0)).decode(),
        settings=list(_flat(values["run"]["settings"])),
    )
    return page


def load_template(file: Path) -> Any:
    """A template that escapes all data and refuses what it was not given."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(file.parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(file.name)


def read_style() -> str:
    """The style sheet of reports, light and dark, for screens and paper."""
    return (_FOLDER / "static" / "report.css").read_text("utf-8")


def as_json_island(values: Any) -> str:
    """JSON that is safe inside a script element, whatever it holds."""
    return json.dumps(values).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _flat(settings: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in settings.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, Mapping) else [(f"{before}{key}", str(value))]
    return found
