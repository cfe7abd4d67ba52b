"""Charts as SVG and PNG: lines over a setting, bars in groups, shares of verdicts."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from factlink.errors import MissingExtraError

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
"""Told apart by people of any colour vision (Okabe and Ito)."""

_SIZE = 15


def check_charts() -> None:
    """Refuses before any work is done if the packages that draw are not there."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtraError("drawing needs altair and vl-convert-python; pip install 'factlink[report]'") from None


def draw_line(table: pl.DataFrame, x: str, y: str, title: str, stem: Path) -> None:
    """One line with its points, each labelled with its height."""
    import altair as alt

    across = alt.X(f"{x}:Q", title=x, scale=alt.Scale(zero=False, padding=20))
    up = alt.Y(f"{y}:Q", title=y, scale=alt.Scale(zero=False, padding=30))
    chart = alt.Chart(alt.InlineData(values=table.to_dicts())).encode(x=across, y=up)
    line = chart.mark_line(color=COLOURS[0], point=alt.OverlayMarkDef(size=60, color=COLOURS[0]))
    named = chart.mark_text(dy=-14, fontSize=_SIZE - 3, color="#333333").encode(text=alt.Text(f"{y}:Q", format=".3f"))
    _save(alt.layer(line, named).properties(width=560, height=340, title=title), stem)


def draw_groups(table: pl.DataFrame, columns: tuple[str, str, str], title: str, stem: Path) -> None:
    """Bars of the third column, grouped by the first and coloured by the second, each labelled with its height."""
    import altair as alt

    group, colour, height = columns
    chart = alt.Chart(alt.InlineData(values=table.to_dicts())).encode(
        x=alt.X(f"{group}:N", title=group, sort=None, axis=alt.Axis(labelAngle=0)),
        xOffset=alt.XOffset(f"{colour}:N", sort=None),
        y=alt.Y(f"{height}:Q", title=height),
    )
    bars = chart.mark_bar().encode(color=_colour(colour, table[colour].unique(maintain_order=True).to_list()))
    named = chart.mark_text(dy=-8, fontSize=_SIZE - 3).encode(text=alt.Text(f"{height}:Q", format=".3f"))
    _save(alt.layer(bars, named).properties(width=560, height=340, title=title), stem)


def draw_tally(table: pl.DataFrame, title: str, stem: Path) -> None:
    """What people said of the links of each method: bars of `links` by `verdict`, in groups by `method`."""
    import altair as alt

    verdicts = table["verdict"].unique(maintain_order=True).to_list()
    chart = alt.Chart(alt.InlineData(values=table.to_dicts())).encode(
        y=alt.Y("method:N", title=None, sort=None, axis=alt.Axis(labelLimit=300)),
        yOffset=alt.YOffset("verdict:N", sort=None),
        x=alt.X("links:Q", title="links judged", axis=alt.Axis(tickMinStep=1)),
    )
    bars = chart.mark_bar().encode(color=_colour("verdict", verdicts))
    named = chart.mark_text(dx=6, align="left", fontSize=_SIZE - 3).encode(text="links:Q")
    _save(alt.layer(bars, named).properties(width=560, height=120 * table["method"].n_unique(), title=title), stem)


def _colour(column: str, domain: Sequence[str]) -> Any:
    import altair as alt

    return alt.Color(
        f"{column}:N",
        title=column,
        scale=alt.Scale(domain=list(domain), range=list(COLOURS[: len(domain)])),
        legend=alt.Legend(orient="bottom", labelLimit=300),
    )


def _save(chart: Any, stem: Path) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    big = (
        chart.configure_axis(labelFontSize=_SIZE - 2, titleFontSize=_SIZE, titleFontWeight="normal")
        .configure_legend(labelFontSize=_SIZE - 2, titleFontSize=_SIZE - 2)
        .configure_title(fontSize=_SIZE + 1, anchor="start", offset=16)
        .configure(background="white")
    )
    for ending in ("svg", "png"):
        big.save(f"{stem}.{ending}", scale_factor=1.5)
