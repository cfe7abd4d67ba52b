"""Links as a table of a database."""

from dataclasses import dataclass
from pathlib import Path

from factlink.errors import SettingError
from factlink.export.exporting import ALL, Exported
from factlink.export.selection import Selection

SYSTEMS = ("sqlite:", "duckdb:", "postgres:", "postgresql:", "mysql:", "mariadb:")


@dataclass(frozen=True, slots=True)
class Target:
    """A table of a database by its URL."""

    url: str
    table: str = "links"
    replace: bool = False


def is_database(out: str) -> bool:
    """Whether an output is the URL of a database."""
    return out.lower().startswith(SYSTEMS)


def export_to_database(run: Path, target: Target, selection: Selection = ALL) -> Exported:
    """Writes the links of a run as a table."""
    raise SettingError("databases are not written yet; name a file")
