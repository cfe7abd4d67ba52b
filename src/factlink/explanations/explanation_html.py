"""An explanation in a notebook: a bar for each part of the score."""

from collections.abc import Sequence
from html import escape

from factlink.evidence import Evidence
from factlink.explanations.waterfall import Step, Waterfall, make_waterfall

FOR, AGAINST, SUM = "#1a7f37", "#b3261e", "#535c66"
_CELL = "text-align:left;padding:.1em .8em .1em 0;vertical-align:middle"


def explanation_html(title: str, parts: Sequence[Evidence]) -> str:
    """A title over a waterfall; everything from data is escaped."""
    fall = make_waterfall(parts)
    rows = "".join(_row(fall, step) for step in fall.steps)
    return f"<p><b>{escape(title)}</b></p><table><tbody>{rows}{_row(fall, None)}</tbody></table>"


def _row(fall: Waterfall, step: Step | None) -> str:
    weight, name = (step.weight, step.predicate) if step else (fall.total, "score")
    met = " ↔ ".join(text for text in (step.left, step.right) if text) if step else ""
    met += f" [{step.note}]" if step and step.note else ""
    colour = SUM if step is None else FOR if weight >= 0 else AGAINST
    cells = (escape(name), f"{weight:+z.3f}", _bar(fall, step, colour), escape(met))
    return f"<tr>{''.join(f'<td style={chr(34)}{_CELL}{chr(34)}>{cell}</td>' for cell in cells)}</tr>"


def _bar(fall: Waterfall, step: Step | None, colour: str) -> str:
    place = fall.bar(step)
    rect = f'<rect x="{place["x"]}" width="{place["width"]}" y="1" height="8" fill="{colour}"/>'
    return f'<svg width="200" height="14" viewBox="0 0 100 10" preserveAspectRatio="none">{rect}</svg>'
