"""Charts as SVG and PNG: lines over a setting, bars in groups, shares of verdicts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from factlink.errors import MissingExtraError

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""Distinguishable with any colour vision (Okabe and Ito)."""

VERDICT_COLOURS = ("#009e73", "#999999", "#d55e00")  # match, unknown, non-match

_SIZE = 15
_FEW = 8  # points that can all be labelled


def check_charts() -> None:
    """Refuses before any work is done if the packages that draw are not there."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtraError("drawing needs altair and vl-convert-python; pip install 'factlink[report]'") from None


def draw_line(table: pl.DataFrame, x: str, y: str, title: str, stem: Path) -> None:
    """One line with its points, and the height of each, or of the last where there are many.

    What is never zero is drawn on a scale of powers of two.
    """
    import altair as alt

    points = table.select(x=x, y=y)
    doubling = bool((points["x"] > 0).all())
    scale = alt.Scale(type="log", base=2, padding=30, nice=False) if doubling else alt.Scale(zero=True)
    ticks = alt.Axis(values=points["x"].to_list(), format="d") if doubling else alt.Axis(format="d")
    chart = _chart(points).encode(x=alt.X("x:Q", title=x, scale=scale, axis=ticks))
    height = alt.Y("y:Q", title=y, scale=alt.Scale(zero=False))
    line = chart.mark_line(color=COLOURS[0], point=alt.OverlayMarkDef(size=60, color=COLOURS[0])).encode(y=height)
    labelled = _chart(points if len(points) <= _FEW else points.tail(1)).encode(x="x:Q", y="y:Q")
    named = labelled.mark_text(dy=16, dx=4, align="left", fontSize=_SIZE - 3, color="#333333")
    heights = named.encode(text=alt.Text("y:Q", format=".3f"))
    _save(alt.layer(line, heights).properties(width=560, height=340, title=title), stem)


def draw_groups(table: pl.DataFrame, columns: tuple[str, str, str], title: str, stem: Path) -> None:
    """Bars of the third column, grouped by the first and coloured by the second, each labelled with its height."""
    import altair as alt

    group, colour, height = columns
    chart = _chart(table.select(group=group, colour=colour, height=height)).encode(
        x=alt.X("group:N", title=group, sort=None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset("colour:N", sort=None),
        y=alt.Y("height:Q", title=height),
    )
    bars = chart.mark_bar().encode(color=_colour("colour", colour, table[colour].unique(maintain_order=True).to_list()))
    named = chart.mark_text(dy=-8, fontSize=_SIZE - 3).encode(text=alt.Text("height:Q", format=".3f"))
    _save(alt.layer(bars, named).properties(width=560, height=340, title=title), stem)


def draw_tally(table: pl.DataFrame, title: str, stem: Path) -> None:
    """Judgements of the links of each method: bars of `links` by `verdict`, in groups by `method`."""
    import altair as alt

    verdicts = table["verdict"].unique(maintain_order=True).to_list()
    chart = _chart(table).encode(
        y=alt.Y("method:N", title=None, sort=None, axis=alt.Axis(labelLimit=300)),
        yOffset=alt.YOffset("verdict:N", sort=None),
        x=alt.X("links:Q", title="links judged", axis=alt.Axis(tickMinStep=1)),
    )
    bars = chart.mark_bar().encode(color=_colour("verdict", "verdict", verdicts, VERDICT_COLOURS))
    named = chart.mark_text(dx=6, align="left", fontSize=_SIZE - 3).encode(text="links:Q")
    _save(alt.layer(bars, named).properties(width=560, height=120 * table["method"].n_unique(), title=title), stem)


def _chart(table: pl.DataFrame) -> Any:
    """Columns must bear plain names: Vega reads quotes, dots and brackets in them as paths."""
    import altair as alt

    return alt.Chart(alt.InlineData(values=table.to_dicts()))


def _colour(column: str, title: str, domain: Sequence[str], colours: Sequence[str] = COLOURS) -> Any:
    import altair as alt

    return alt.Color(
        f"{column}:N",
        title=title,
        scale=alt.Scale(domain=list(domain), range=list(colours[: len(domain)])),
        legend=alt.Legend(orient="bottom", labelLimit=300),
    )


def _save(chart: Any, stem: Path) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    big = (
        chart.configure(background="white")
        .configure_axis(labelFontSize=_SIZE - 2, titleFontSize=_SIZE, titleFontWeight="normal")
        .configure_legend(labelFontSize=_SIZE - 2, titleFontSize=_SIZE - 2)
        .configure_title(fontSize=_SIZE + 1, anchor="start", offset=16)
    )
    for ending in ("svg", "png"):
        big.save(f"{stem}.{ending}", scale_factor=1.5)
