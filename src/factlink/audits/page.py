"""An audit as one HTML file in plain words."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from factlink.audits.drawings import draw_audit
from factlink.data.formats.html_text import legible_values
from factlink.report.page import load_template, read_style

_TEMPLATE = Path(__file__).parent / "templates" / "audit.html"


def render_audit(values: Mapping[str, Any]) -> str:
    """The page of an audit's values; all data is escaped, and no script runs."""
    from markupsafe import Markup

    values = legible_values(values)
    charts = {name: Markup(svg) for name, svg in draw_audit(values).items()}
    style = Markup(read_style())
    page: str = load_template(_TEMPLATE).render(**values, charts=charts, style=style, summary=summarise(values))
    return page


def summarise(values: Mapping[str, Any]) -> str:
    """The audit in a few sentences."""
    first, advice = values["risks"][0]["correct"], values["advice"]
    after = values["verified"] or advice["chosen"]
    said = (
        f"An attacker who has {values['right']['name']} links about {_of_100(first['value'])} of 100 people of "
        f"{values['left']['name']} correctly (between {_of_100(first['low'])} and {_of_100(first['high'])})."
    )
    if first["value"] <= advice["target"]:
        return f"{said} That is under the target of {_of_100(advice['target'])}."
    words = "; ".join(measure["words"] for measure in after["measures"])
    if not values["reached"]:
        best = f" The best that was found leaves {_of_100(after['risk']['value'])}: {words}." if words else ""
        return f"{said} No set of measures that was tried brings this under {_of_100(advice['target'])}.{best}"
    return f"{said} After these measures {_of_100(after['risk']['value'])} of 100 are left: {words}."


def _of_100(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")
