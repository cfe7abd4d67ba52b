"""The charts of an audit."""

from collections.abc import Mapping, Sequence
from typing import Any

from factlink.report.charts import as_svg
from factlink.report.drawings import BAD, GOOD, INK, LEFT, QUIET, RIGHT, WIDTH

Values = Mapping[str, Any]
_PERCENT: Any = {"format": "%", "tickCount": 5}
_ROW = 30  # height of a bar
_LONGEST = 30  # letters of a label


def draw_audit(values: Values) -> dict[str, str]:
    """SVG by name, for all that there is something to draw of."""
    charts = {"risks": _risks(values["risks"])}
    if values["groups"]:
        charts["groups"] = _groups(values["groups"])
    if values["reasons"]["single"]:
        charts["reasons"] = _reasons(values["reasons"]["single"])
    if values["advice"]["single"]:
        charts["measures"] = _measures(values["advice"])
    return {name: as_svg(chart) for name, chart in charts.items()}


def _risks(risks: Sequence[Values]) -> Any:
    """The risk by level with intervals, and the baseline of decoys."""
    import altair as alt

    rows = [_row(f"at {risk['level']:.0%} certainty", risk["correct"], "people of the release") for risk in risks]
    rows += [_row(f"at {risk['level']:.0%} certainty", risk["baseline"], "decoys") for risk in risks]
    colours = alt.Scale(domain=["people of the release", "decoys"], range=[BAD, QUIET])
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y("label:N", title=None, sort=None), yOffset=alt.YOffset("of:N", sort=None)
    )
    bars = base.mark_bar().encode(
        x=_share_axis("share of people linked"),
        color=alt.Color("of:N", scale=colours, title=None, legend=_legend()),
    )
    return _sized(alt.layer(bars, _whiskers(base)), 44 * len(risks))


def _groups(groups: Sequence[Values]) -> Any:
    import altair as alt

    rows = [
        _row(
            _cut(group["name"] if group["by"] in ("names", "links") else f"{group['by']}: {group['name']}"),
            group["risk"],
            "",
        )
        for group in groups
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=_labels())
    bars = base.mark_bar(color=LEFT).encode(x=_share_axis("share of the group linked correctly"))
    return _sized(alt.layer(bars, _whiskers(base)), _ROW * len(rows))


def _reasons(reasons: Sequence[Values]) -> Any:
    """What each part adds to the risk, beside the risk with it alone and without it."""
    import altair as alt

    shown = {"part of the risk": "shapley", "risk with it alone": "alone", "risk without it": "without"}
    rows = [
        {"label": _cut(reason["parts"][0]), "what": what, "value": max(0.0, reason[key])}
        for reason in reasons
        for what, key in shown.items()
    ]
    colours = alt.Scale(domain=list(shown), range=[LEFT, RIGHT, QUIET])
    chart = alt.Chart(alt.InlineData(values=rows)).mark_bar()
    bars = chart.encode(
        y=_labels(),
        yOffset=alt.YOffset("what:N", sort=None),
        x=_share_axis("share of people"),
        color=alt.Color("what:N", scale=colours, title=None, legend=_legend(columns=2)),
    )
    return _sized(bars, 48 * len(reasons))


def _measures(advice: Values) -> Any:
    """The risk after each measure, by its number in the table, and what it costs; the target as a line."""
    import altair as alt

    rows = [
        {"label": f"{number}.", "value": one["risk"]["value"], "cost": f"{one['cost']:.0%} lost"}
        for number, one in enumerate(advice["single"], 1)
    ]
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=_labels(), x=_share_axis("risk after the measure"))
    costs = base.mark_text(align="left", dx=6, color=INK).encode(text="cost:N", x=alt.XDatum(1))  # beside all lines
    lines = [
        {"value": advice["before"]["value"], "what": "risk as it is"},
        {"value": advice["target"], "what": "target"},
    ]
    colours = alt.Scale(domain=["risk as it is", "target"], range=[BAD, GOOD])
    rules = alt.Chart(alt.InlineData(values=lines)).mark_rule(strokeDash=[5, 4], strokeWidth=2)
    ruled = rules.encode(
        x="value:Q", color=alt.Color("what:N", scale=colours, title=None, legend=_legend(symbolType="stroke"))
    )
    return _sized(alt.layer(base.mark_bar(color=LEFT), ruled, costs), 24 * len(rows))


def _sized(chart: Any, height: int) -> Any:
    """Room at the left, since fonts of readers are wider than those the labels are measured in."""
    return chart.properties(width=WIDTH - 130, height=height, padding={"left": 45, "right": 25, "top": 5, "bottom": 5})


def _legend(**said: Any) -> Any:
    import altair as alt

    return alt.Legend(orient="top", columnPadding=40, **said)


def _row(label: str, share: Values, of: str) -> dict[str, Any]:
    return {"label": label, "of": of} | {key: share[key] for key in ("value", "low", "high")}


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _labels() -> Any:
    import altair as alt

    return alt.Y("label:N", title=None, sort=None)


def _share_axis(title: str) -> Any:
    import altair as alt

    return alt.X("value:Q", title=title, axis=_PERCENT, scale=alt.Scale(domain=[0, 1]))


def _whiskers(base: Any) -> Any:
    import altair as alt

    return base.mark_rule(color=INK, strokeWidth=2).encode(x=alt.X("low:Q"), x2="high:Q")
