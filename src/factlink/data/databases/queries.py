"""A table or a query → SQL."""

import re

_QUERY = re.compile(r"\s*(?:\(|--|/\*|(?:select|with|values|table|from|show|call)\b\s*[^.\s])", re.IGNORECASE)
_PART = r'(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`|[^."`]+)'
_PARTS = re.compile(rf"{_PART}(?:\.{_PART})*")


def is_query(text: str) -> bool:
    """Whether the text is a query rather than the name of a table."""
    return _QUERY.match(text) is not None


def table_query(table: str, mark: str) -> str:
    """All rows of a table."""
    return f"SELECT * FROM {quoted_table(table, mark)}"


def quoted_table(table: str, mark: str) -> str:
    """`schema.table` with each part in quotation marks; parts that have them keep what is between them."""
    parts = re.findall(_PART, table) if _PARTS.fullmatch(table) else [table]
    return ".".join(quoted(_bare(part), mark) for part in parts)


def quoted(name: str, mark: str) -> str:
    """A name that SQL takes as it is."""
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


def inner(query: str) -> str:
    """The query as it can stand in brackets: no semicolon behind it, and a line end behind a comment."""
    return query.strip().rstrip(";") + "\n"


def _bare(part: str) -> str:
    mark = part[0]
    is_quoted = mark in '"`' and part.endswith(mark) and len(part) > 2
    return part[1:-1].replace(mark * 2, mark) if is_quoted else part
