"""Text and marks of the report can be seen, light, dark and printed, after WCAG 2.2 AA."""

import re
from importlib.resources import files

import pytest

from tests.review.test_style import contrast

STYLE = files("factlink.report").joinpath("static/report.css").read_text("utf-8")
LIGHT, DARK, PRINT = (
    dict(re.findall(r"--([\w-]+): (#\w{3,6})", block)) for block in re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
)
SCHEMES = {
    "light": LIGHT,
    "dark": DARK,
    "print": {name: c if len(c) == 7 else f"#{c[1] * 2}{c[2] * 2}{c[3] * 2}" for name, c in PRINT.items()},
}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("text", ["text", "quiet", "warn", "link", "against"])
def test_text_stands_out(scheme: str, text: str) -> None:
    for ground in ("card", "page"):
        assert contrast(SCHEMES[scheme][text], SCHEMES[scheme][ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("mark", ["left", "right", "link", "unknown", "none"])
def test_marks_of_charts_stand_out(scheme: str, mark: str) -> None:
    assert contrast(SCHEMES[scheme][mark], SCHEMES[scheme]["card"]) >= 3
