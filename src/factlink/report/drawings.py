"""Charts from the figures of a run, for the report and for notebooks alike."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from factlink.explanations.waterfall import Waterfall

Rows = Sequence[Mapping[str, Any]]

INK, QUIET, GRID, LEFT, RIGHT, GOOD, OPEN, NONE, BAD = (f"#0102{place:02x}" for place in range(9))
"""Placeholder colours that no chart uses by itself; each is replaced by a colour of the page or of a notebook."""
COLOURS = {
    INK: ("text", "#1b1f24"), QUIET: ("quiet", "#535c66"), GRID: ("line", "#d3d8de"), LEFT: ("left", "#0b57d0"),
    RIGHT: ("right", "#b5400c"), GOOD: ("link", "#1a7f37"), OPEN: ("unknown", "#9a6700"), NONE: ("none", "#6b7580"),
    BAD: ("against", "#b3261e"),
}  # fmt: skip
"""The name of each on the page, and its colour in a notebook."""
OUTCOMES = {"link": GOOD, "unknown": OPEN, "no account": NONE}
LOOK = {
    "background": "transparent", "aria": False, "font": "system-ui, sans-serif", "view": {"stroke": None},
    "axis": {
        "labelColor": QUIET, "titleColor": INK, "gridColor": GRID, "tickColor": GRID, "domainColor": GRID,
        "labelFontSize": 14, "titleFontSize": 14, "titleFontWeight": "normal", "labelLimit": 0,
    },
    "legend": {"labelColor": INK, "labelFontSize": 14}, "text": {"fontSize": 14},
}  # fmt: skip
WIDTH = 470


def for_notebooks(chart: Any) -> Any:
    """The chart in colours of its own, on white."""
    import altair as alt

    drawn = json.dumps(chart.configure(**(LOOK | {"background": "#ffffff"})).to_dict())
    for stand_in, (_, colour) in COLOURS.items():
        drawn = drawn.replace(stand_in, colour)
    return alt.Chart.from_json(drawn)


def probabilities(rows: Rows) -> Any:
    """How many best pairs of each outcome have which probability."""
    import altair as alt

    values = [{**row, "order": list(OUTCOMES).index(row["outcome"])} for row in rows]
    colours = alt.Scale(domain=list(OUTCOMES), range=list(OUTCOMES.values()))
    chart = alt.Chart(alt.InlineData(values=values)).mark_bar(strokeWidth=0)
    return chart.encode(
        x=alt.X(
            "from:Q", bin="binned", title="probability", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)
        ),
        x2="to:Q",
        y=alt.Y("pairs:Q", title="best pairs", axis=alt.Axis(tickCount=4, format="~s")),
        color=alt.Color("outcome:N", scale=colours, title=None, legend=alt.Legend(orient="top")),
        order="order:Q",
    ).properties(width=WIDTH - 70, height=220)


def precision_by_threshold(thresholds: Mapping[str, Sequence[float]]) -> Any:
    """The expected precision of the links from each probability on."""
    import altair as alt

    columns = (thresholds[key] for key in ("from", "links", "expected_false"))
    rows = [
        {"from": at, "links": links, "precision": 1 - false / links}
        for at, links, false in zip(*columns, strict=True)
        if links
    ]
    chart = alt.Chart(alt.InlineData(values=rows)).mark_line(color=LEFT, strokeWidth=2.5, interpolate="step-after")
    return chart.encode(
        x=alt.X(
            "from:Q", title="lowest probability of a link", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)
        ),
        y=alt.Y("precision:Q", title="expected precision", scale=alt.Scale(zero=False), axis=_PERCENT),
    ).properties(width=WIDTH - 70, height=180)


_PERCENT: Any = {"format": "%", "tickCount": 4}


def weights(rows: Rows) -> Any:
    """The weight of each kind of evidence, with the columns and networks it is from."""
    import altair as alt

    base = alt.Chart(alt.InlineData(values=list(rows))).encode(
        y=alt.Y("called:N", title=None, sort=None), x=alt.X("weight:Q", title="weight", axis=alt.Axis(tickCount=4))
    )
    labels = base.mark_text(align="left", dx=4, color=INK).encode(text=alt.Text("weight:Q", format=".2f"))
    return alt.layer(base.mark_bar(color=LEFT), labels).properties(width=WIDTH - 150, height=26 * len(rows))


def waterfall(fall: Waterfall) -> Any:
    """The parts of a score, each from where the one before ended."""
    import altair as alt

    steps = [(step, _step_label(step.predicate, step.left, step.right)) for step in fall.steps]
    rows = [
        {
            "part": label,
            "from": step.start,
            "to": step.end,
            "weight": step.weight,
            "order": place,
            "sign": _sign(step.weight),
        }
        for place, (step, label) in enumerate(steps)
    ]
    rows.append(
        {"part": "score", "from": 0.0, "to": fall.total, "weight": fall.total, "order": len(rows), "sign": "score"}
    )
    colours = alt.Scale(domain=["for", "against", "score"], range=[GOOD, BAD, INK])
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=alt.Y("order:O", title=None, axis=None))
    bars = base.mark_bar().encode(
        x=alt.X("from:Q", title="score so far"),
        x2="to:Q",
        color=alt.Color("sign:N", scale=colours, legend=None),
        tooltip=["part:N", alt.Tooltip("weight:Q", format="+.3f")],
    )
    names = base.mark_text(align="right", color=INK, limit=0).encode(x=alt.value(-8), text="part:N")
    figures = base.mark_text(align="left", color=INK, dx=4).encode(
        x=alt.value(WIDTH - 60), text=alt.Text("weight:Q", format="+.2f")
    )
    return alt.layer(bars, names, figures).properties(width=WIDTH - 70, height=24 * len(rows))


def neighbourhood(nodes: Rows, edges: Rows) -> Any:
    """One pair with its neighbours: the left network above, the right one below, links between them."""
    import altair as alt

    flat = alt.Axis(labels=False, ticks=False, domain=False, grid=False)
    x, y = alt.X("x:Q", title=None, axis=flat), alt.Y("y:Q", title=None, axis=flat, scale=alt.Scale(padding=30))
    kinds = alt.Scale(domain=["link", "follows"], range=[GOOD, GRID])
    lines = alt.Chart(alt.InlineData(values=list(edges))).mark_rule(strokeWidth=2).encode(
        x=x, y=y, x2="x2:Q", y2="y2:Q",
        color=alt.Color("kind:N", scale=kinds, title=None, legend=alt.Legend(orient="top")),
    )  # fmt: skip
    sides = alt.Scale(domain=["left", "right"], range=[LEFT, RIGHT])
    base = alt.Chart(alt.InlineData(values=list(nodes))).encode(x=x, y=y)
    points = base.mark_point(filled=True, size=110, opacity=1).encode(
        color=alt.Color("side:N", scale=sides, legend=None), tooltip=["name:N", "user:N", "network:N"]
    )
    names = base.mark_text(angle=330, align="left", dx=9, color=INK, limit=0).encode(text="name:N")
    both = alt.layer(lines, points, names).resolve_scale(color="independent")
    return both.properties(width=WIDTH + 200, height=320)


def map_of_links(rows: Rows) -> Any:
    """Users of some links in the plane."""
    import altair as alt

    flat = alt.Axis(labels=False, ticks=False, domain=False, grid=False)
    x, y = alt.X("x:Q", title=None, axis=flat), alt.Y("y:Q", title=None, axis=flat)
    base = alt.Chart(alt.InlineData(values=[{key: row[key] for key in ("x", "y", "x2", "y2")} for row in rows]))
    lines = base.mark_rule(color=QUIET, strokeWidth=1, opacity=0.6).encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    lefts = base.mark_point(filled=True, size=24, color=LEFT, opacity=1, shape="circle").encode(x=x, y=y)
    rights = base.mark_point(filled=False, size=60, color=RIGHT, opacity=1, shape="square", strokeWidth=1.5)
    rights = rights.encode(x=alt.X("x2:Q", title=None, axis=flat), y=alt.Y("y2:Q", title=None, axis=flat))
    return alt.layer(lines, lefts, rights).properties(width=WIDTH + 150, height=WIDTH)


def calibration(rows: Rows) -> Any:
    """The share of correct pairs over their mean probability."""
    import altair as alt

    ideal = alt.Chart(alt.InlineData(values=[{"a": 0, "b": 0}, {"a": 1, "b": 1}]))
    diagonal = ideal.mark_line(color=QUIET, strokeDash=[4, 4]).encode(x="a:Q", y="b:Q")
    base = alt.Chart(alt.InlineData(values=list(rows))).encode(
        x=alt.X("probability:Q", title="mean probability", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)),
        y=alt.Y("right:Q", title="share correct", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)),
    )
    points = base.mark_point(filled=True, size=70, color=LEFT, opacity=1)
    return alt.layer(diagonal, base.mark_line(color=LEFT), points).properties(width=300, height=300)


def _step_label(predicate: str, left: str, right: str) -> str:
    met = " ↔ ".join(text for text in (left, right) if text)
    return f"{predicate}: {met}" if met else predicate


def _sign(weight: float) -> str:
    return "for" if weight >= 0 else "against"
