"""Small pieces of HTML for notebooks; everything from data is escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

_CELL = "text-align:left;padding:.15em .8em .15em 0;vertical-align:top"


def pairs_html(title: str, facts: Mapping[str, str]) -> str:
    """A title over a table of names and what they are."""
    return f"<p><b>{escape(title)}</b></p>{rows_html((), facts.items())}"


def rows_html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; what is missing is a dash."""
    head = "".join(f'<th style="{_CELL}">{escape(column)}</th>' for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    shown = "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    return f'<td style="{_CELL}">{escape(shown)}</td>'
