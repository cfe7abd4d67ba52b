"""What the tests of exports look at."""

from pathlib import Path

from factlink.data.exports import read, recognises
from factlink.data.frames import ReadOptions, reading_from_tables
from factlink.data.protocol import Found, SourceOptions


def found_in(path: Path) -> Found:
    """The export, which is also recognised, and whose tables are a network."""
    assert recognises(path)
    assert recognises(str(path))
    found = read(path, SourceOptions("mine"))
    reading_from_tables("mine", found.tables, ReadOptions({}, False))
    return found


def users(found: Found) -> dict[str, dict[str, object]]:
    """What is known of each user."""
    rows = found.tables.users.to_dicts()
    return {row["id"]: {key: value for key, value in row.items() if key != "id" and value} for row in rows}


def links(found: Found) -> set[tuple[str, str, str, float]]:
    """All links."""
    assert found.tables.links is not None
    return set(found.tables.links.rows())
