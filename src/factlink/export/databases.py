"""Links as a table of a database, by its URL or by the name of its file."""

import os
from dataclasses import dataclass
from pathlib import Path

from factlink.data.databases.urls import parse_url
from factlink.data.databases.writing import write_table
from factlink.export.exporting import ALL, Exported
from factlink.export.selection import Selection
from factlink.runs.folder.store import load_manifest
from factlink.storage.durable import PRIVATE_FILE

SYSTEMS = ("sqlite", "duckdb", "postgres", "postgresql", "mysql", "mariadb")
FILES = {".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite", ".duckdb": "duckdb"}


@dataclass(frozen=True, slots=True)
class Target:
    """A table of a database."""

    url: str  # or the path of a file that ends in one of FILES
    table: str = "links"
    replace: bool = False

    def address(self) -> str:
        """The URL."""
        system = FILES.get(Path(self.url).suffix.lower())
        return self.url if "://" in self.url or system is None else f"{system}:///{os.path.abspath(self.url)}"


def is_database(out: str) -> bool:
    """Whether an output is the URL or the file of a database."""
    scheme, separator, _ = out.partition("://")
    return scheme.lower() in SYSTEMS if separator else Path(out).suffix.lower() in FILES


def export_to_database(run: Path, target: Target, selection: Selection = ALL) -> Exported:
    """Writes links as a table, whole or not at all; an existing one is refused unless it may be replaced."""
    load_manifest(run)
    links = selection.of(run)
    address = parse_url(target.address())
    file = Path(address.database) if address.system in FILES.values() else None
    is_new = file is not None and not file.exists()
    try:
        write_table(target.address(), target.table, links, replace=target.replace)
    except BaseException:
        if file is not None and is_new:
            file.unlink(missing_ok=True)
        raise
    if file is not None and is_new:
        file.chmod(PRIVATE_FILE)
    return Exported(links.height, f"{address.system}, table {target.table}", address.shown())
