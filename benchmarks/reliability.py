"""Draws docs/figures/reliability.svg: expected against true shares of false links, every row of the open worlds.

    python benchmarks/reliability.py

A point is one world; its area grows with its links. Between the two dashed lines the estimate is off by at most .04.
"""

from html import escape

from machine import ROOT, Row
from pages import read_result

FIGURE = ROOT / "docs" / "figures" / "reliability.svg"
SIDE, LEFT, TOP = 400, 60, 20
HIGHEST, OFF = 0.2, 0.04
MADE_UP, SHARED = "#b5400c", "#0b57d0"


def draw(rows: list[Row]) -> str:
    """The diagram; what is beyond its edge stands at the edge."""
    dots = [_dot(row) for row in sorted(rows, key=lambda row: -row["links"])]
    parts = [_band(), _axes(), *dots, _legend()]
    size = SIDE + LEFT + TOP
    title = "<title>Expected and true shares of false links</title>"
    style = 'font-family="system-ui, sans-serif" font-size="13" fill="#1b1f24"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}" {style}>'
    )
    return "\n".join([head, title, f'<rect width="{size}" height="{size}" fill="#ffffff"/>', *parts, "</svg>", ""])


def _across(share: float) -> float:
    return LEFT + SIDE * min(share, HIGHEST) / HIGHEST


def _up(share: float) -> float:
    return TOP + SIDE * (1 - min(max(share, 0.0), HIGHEST) / HIGHEST)


def _dot(row: Row) -> str:
    expected, true = row["expected_false_links"], row["false_links"]
    colour = MADE_UP if row["set"].startswith("made-up") else SHARED
    radius = 2 + min(6.0, (row["links"] / 100) ** 0.5)
    said = escape(f"{row['set']}, {row['hidden']:.0%} hidden: {expected:.3f} expected, {true:.3f} true")
    place = f'cx="{_across(expected):.1f}" cy="{_up(true):.1f}" r="{radius:.1f}"'
    return f'<circle {place} fill="{colour}" fill-opacity="0.45"><title>{said}</title></circle>'


def _band() -> str:
    lines = [
        (0.0, 0.0, HIGHEST, HIGHEST, ""),
        (0.0, OFF, HIGHEST - OFF, HIGHEST, "5 4"),
        (OFF, 0.0, HIGHEST, HIGHEST - OFF, "5 4"),
    ]
    return "\n".join(
        f'<line x1="{_across(a):.1f}" y1="{_up(b):.1f}" x2="{_across(c):.1f}" y2="{_up(d):.1f}" '
        f'stroke="#6b7580" stroke-dasharray="{dash}"/>'
        for a, b, c, d, dash in lines
    )


def _axes() -> str:
    ticks = [place / 20 for place in range(5)]
    across = [f'<text x="{_across(t):.0f}" y="{TOP + SIDE + 18}" text-anchor="middle">{t:.0%}</text>' for t in ticks]
    up = [f'<text x="{LEFT - 8}" y="{_up(t) + 4:.0f}" text-anchor="end">{t:.0%}</text>' for t in ticks]
    frame = f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#d3d8de"/>'
    below = f'<text x="{LEFT + SIDE / 2}" y="{TOP + SIDE + 38}" text-anchor="middle">false links, expected</text>'
    turned = f"translate(16 {TOP + SIDE / 2}) rotate(-90)"
    beside = f'<text transform="{turned}" text-anchor="middle">false links, true</text>'
    return "\n".join([frame, *across, *up, below, beside])


def _legend() -> str:
    named = ((SHARED, "shared sets"), (MADE_UP, "made-up worlds"))
    return "\n".join(
        f'<circle cx="{LEFT + 16}" cy="{TOP + 18 + 20 * place}" r="6" fill="{colour}" fill-opacity="0.45"/>'
        f'<text x="{LEFT + 28}" y="{TOP + 22 + 20 * place}">{name}</text>'
        for place, (colour, name) in enumerate(named)
    )


if __name__ == "__main__":
    FIGURE.write_text(draw(read_result("open_world").rows), "utf-8")
