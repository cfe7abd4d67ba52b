"""Text can be read: contrast of every pair of colours that meet, light and dark, after WCAG 2.2 AA."""

import re
from importlib.resources import files

import pytest

STYLE = files("factlink.review").joinpath("static/review.css").read_text("utf-8")
MEETINGS = [
    ("text", "page"),
    ("text", "card"),
    ("quiet", "page"),
    ("quiet", "card"),
    ("link", "page"),
    ("link", "card"),
    ("mark-text", "mark"),
    ("white", "match"),
    ("white", "unknown"),
    ("white", "non-match"),
]


def colours(scheme: str) -> dict[str, str]:
    light, dark = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    found = dict(re.findall(r"--([\w-]+): (#\w{6})", light))
    return {"white": "#ffffff"} | found | (dict(re.findall(r"--([\w-]+): (#\w{6})", dark)) if scheme == "dark" else {})


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), MEETINGS, ids=lambda name: name)
def test_text_stands_out_from_its_ground(scheme: str, text: str, ground: str) -> None:
    found = colours(scheme)
    assert contrast(found[text], found[ground]) >= 4.5


def test_a_keyboard_user_sees_where_the_focus_is() -> None:
    assert ":focus-visible { outline: 3px solid" in STYLE
    for scheme in ("light", "dark"):
        found = colours(scheme)
        assert contrast(found["focus"], found["card"]) >= 3
