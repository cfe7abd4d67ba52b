"""The charts of a report as SVG whose colours follow the page, light or dark."""

from collections.abc import Mapping, Sequence
from typing import Any

from factlink.errors import MissingExtraError

Rows = Sequence[Mapping[str, Any]]

INK, QUIET, GRID, LEFT, RIGHT, GOOD, OPEN, NONE = (f"#0102{place:02x}" for place in range(8))
"""Placeholder colours that no chart uses by itself; each is replaced by a colour of the page."""
COLOURS = {
    INK: "text", QUIET: "quiet", GRID: "line", LEFT: "left", RIGHT: "right", GOOD: "link", OPEN: "unknown",
    NONE: "none",
}  # fmt: skip
OUTCOMES = {"link": GOOD, "unknown": OPEN, "no account": NONE}
WIDTH = 470


def require_extra() -> None:
    """Raises an error without the packages of the extra."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "factlink report needs altair and vl-convert-python; pip install 'factlink[report]'"
        ) from None


def draw_charts(values: Mapping[str, Any]) -> dict[str, str]:
    """SVG by name, for every chart that has values."""
    require_extra()
    charts = {"seconds": _bars([{"what": k, "n": v} for k, v in values["run"]["seconds"].items()], "seconds", ".1f")}
    if values["channel_weights"]:
        channel_weights = values["channel_weights"][:12]
        names = _distinct([_called(weight) for weight in channel_weights])
        rows = [{"what": name, "n": weight["weight"]} for name, weight in zip(names, channel_weights, strict=True)]
        charts["channel_weights"] = _bars(rows, "weight", ".2f")
    if values["probabilities"]:
        charts["probabilities"] = _histogram(values["probabilities"])
        charts["thresholds"] = _thresholds(values["thresholds"])
    if values["map"]:
        charts["map"] = _map(values["map"])
    if values["truth"] and values["truth"]["calibration"]:
        charts["calibration"] = _calibration(values["truth"]["calibration"])
    return {name: _svg(chart) for name, chart in charts.items()}


def _called(weight: Mapping[str, Any]) -> str:
    predicates = " · ".join(dict.fromkeys(weight[side] for side in ("left", "right") if weight[side]))
    text = ": ".join(part for part in (weight["source"], predicates) if part)
    return text if len(text) <= 44 else f"{text[:43]}…"


def _distinct(names: Sequence[str]) -> list[str]:
    """Repeated names get a number: a link predicate has a weight in each network."""
    return [
        name if name not in names[:at] else f"{name} ({1 + names[:at].count(name)})" for at, name in enumerate(names)
    ]


def _bars(rows: Rows, title: str, digits: str) -> Any:
    import altair as alt

    base = alt.Chart(alt.InlineData(values=list(rows))).encode(
        y=alt.Y("what:N", title=None, sort=None, axis=alt.Axis(labelLimit=230)),
        x=alt.X("n:Q", title=title, axis=alt.Axis(tickCount=4), scale=alt.Scale(padding=36, nice=False, zero=True)),
    )
    labels = base.mark_text(align="left", dx=4, color=INK).encode(text=alt.Text("n:Q", format=digits))
    return alt.layer(base.mark_bar(color=LEFT, height={"band": 0.7}), labels).properties(
        width=WIDTH - 210, height=26 * len(rows)
    )


def _histogram(rows: Rows) -> Any:
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


def _thresholds(thresholds: Mapping[str, Sequence[float]]) -> Any:
    import altair as alt

    rows = [
        {"from": at, "false": false / links if links else 0.0}
        for at, links, false in zip(*(thresholds[key] for key in ("from", "links", "expected_false")), strict=True)
    ]
    chart = alt.Chart(alt.InlineData(values=rows)).mark_line(color=LEFT, strokeWidth=2.5, interpolate="step-after")
    return chart.encode(
        x=alt.X(
            "from:Q", title="lowest probability of a link", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)
        ),
        y=alt.Y("false:Q", title="expected to be false", axis=alt.Axis(format="%", tickCount=4)),
    ).properties(width=WIDTH - 70, height=180)


def _map(rows: Rows) -> Any:
    import altair as alt

    flat = alt.Axis(labels=False, ticks=False, domain=False, grid=False)
    x, y = alt.X("x:Q", title=None, axis=flat), alt.Y("y:Q", title=None, axis=flat)
    base = alt.Chart(alt.InlineData(values=[{key: row[key] for key in ("x", "y", "x2", "y2")} for row in rows]))
    lines = base.mark_rule(color=QUIET, strokeWidth=1, opacity=0.6).encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    lefts = base.mark_point(filled=True, size=24, color=LEFT, opacity=1, shape="circle").encode(x=x, y=y)
    rights = base.mark_point(filled=False, size=60, color=RIGHT, opacity=1, shape="square", strokeWidth=1.5)
    rights = rights.encode(x=alt.X("x2:Q", title=None, axis=flat), y=alt.Y("y2:Q", title=None, axis=flat))
    return alt.layer(lines, lefts, rights).properties(width=WIDTH + 150, height=WIDTH)


def _calibration(rows: Rows) -> Any:
    import altair as alt

    ideal = alt.Chart(alt.InlineData(values=[{"a": 0, "b": 0}, {"a": 1, "b": 1}]))
    diagonal = ideal.mark_line(color=QUIET, strokeDash=[4, 4]).encode(x="a:Q", y="b:Q")
    base = alt.Chart(alt.InlineData(values=list(rows))).encode(
        x=alt.X("probability:Q", title="mean probability", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)),
        y=alt.Y("right:Q", title="share correct", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5)),
    )
    points = base.mark_point(filled=True, size=70, color=LEFT, opacity=1)
    return alt.layer(diagonal, base.mark_line(color=LEFT), points).properties(width=300, height=300)


def _svg(chart: Any) -> str:
    """The chart as SVG with the page's colours; it scales with the page."""
    import vl_convert

    look = {
        "background": "transparent", "aria": False, "font": "system-ui, sans-serif", "view": {"stroke": None},
        "axis": {
            "labelColor": QUIET, "titleColor": INK, "gridColor": GRID, "tickColor": GRID, "domainColor": GRID,
            "labelFontSize": 14, "titleFontSize": 14, "titleFontWeight": "normal",
        },
        "legend": {"labelColor": INK, "labelFontSize": 14}, "text": {"fontSize": 14},
    }  # fmt: skip
    drawn: str = vl_convert.vegalite_to_svg(chart.configure(**look).to_dict())
    for stand_in, colour in COLOURS.items():
        drawn = drawn.replace(stand_in, f"var(--{colour})")
    return drawn
