"""The charts of a report as SVG whose colours follow the page, light or dark."""

from collections.abc import Mapping
from typing import Any

from factlink.report.drawings import COLOURS, LOOK, calibration, map_of_links, precision_by_threshold, probabilities


def draw_charts(values: Mapping[str, Any]) -> dict[str, str]:
    """SVG by name, for all that the values have something to draw of."""
    charts = {}
    if values["probabilities"]:
        charts["probabilities"] = probabilities(values["probabilities"])
        charts["thresholds"] = precision_by_threshold(values["thresholds"])
    if values["map"]:
        charts["map"] = map_of_links(values["map"])
    if values["truth"] and values["truth"]["calibration"]:
        charts["calibration"] = calibration(values["truth"]["calibration"])
    return {name: as_svg(chart) for name, chart in charts.items()}


def as_svg(chart: Any) -> str:
    """The chart as SVG with the page's colours; it scales with the page."""
    import vl_convert

    drawn: str = vl_convert.vegalite_to_svg(chart.configure(**LOOK).to_dict())
    for stand_in, (colour, _) in COLOURS.items():
        drawn = drawn.replace(stand_in, f"var(--{colour})")
    return drawn
