"""Single values of a table as text, and the error for one that cannot be used."""

from collections.abc import Mapping

from factlink.errors import InputError

REMEDIES: Mapping[str, str] = {
    "a list of lists": "give each user one flat list of values",
    "a struct": "give each of its fields a column of its own",
    "bytes": "save them as files and give their paths, or leave the column out",
    "an object": "give strings, numbers, dates or lists of them",
    "a list": "give one value",
}


def flat_list(items: list[object], column: str, origin: str, row: int) -> list[str | None]:
    """The items of a JSON list as strings."""
    for what, kind in (("a list of lists", list), ("a struct", dict)):
        if any(isinstance(item, kind) for item in items):
            raise cell_error(column, origin, row, items, what)
    return [scalar_text(item) for item in items]


def scalar_text(item: object) -> str | None:
    """A scalar of `exact_value` as a string: true and false as words."""
    return item if item is None or isinstance(item, str) else str(item).lower()


def cell_error(column: str, origin: str, row: int, value: object, what: str) -> InputError:
    """The error for a cell that cannot be converted to a value."""
    shown = str(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return InputError(f"{origin} row {row}: column '{column}' holds {what}, {shown}; {REMEDIES[what]}")
