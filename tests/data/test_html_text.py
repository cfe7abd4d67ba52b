"""Text for pages: what HTML forbids is replaced, everything else stays."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.data.formats.html_text import forbidden_in, legible, legible_values

FORBIDDEN = ["\0", "\x08", "\x0b", "\x0c", "\x1b", "\x7f", "\x9f", "\ud800", "\udfff", "\ufdd0", "\ufdef"]
FORBIDDEN += ["\ufffe", "\uffff", "\U0001fffe", "\U0010ffff"]
ANYTHING = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize("char", FORBIDDEN, ids=ascii)
def test_each_forbidden_character_becomes_one_replacement(char: str) -> None:
    assert legible(f"a{char}{char}b") == "a\ufffd\ufffdb"
    assert forbidden_in(f"ab{char}") == f"U+{ord(char):04X}"


@pytest.mark.parametrize(
    "text", ["", "Amy\tTan\r\n", "\N{PILE OF POO}\u200d", "\u202e\u2028\xa0\ufffd\ue000", "<&'\">"]
)
def test_what_a_page_can_hold_stays(text: str) -> None:
    assert legible(text) == text
    assert forbidden_in(text) is None


@given(ANYTHING)
def test_whatever_comes_can_be_encoded_and_drawn(text: str) -> None:
    clean = legible(text)
    assert len(clean) == len(text)
    assert legible(clean) == clean
    assert (forbidden_in(text) is None) == (clean == text)
    clean.encode("utf-8")
    escaped = clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    ElementTree.fromstring(f"<text>{escaped}</text>")


def test_texts_are_made_legible_wherever_they_stand() -> None:
    values = {"a\0": ["b\0", {"c": ("d\0", 1, None, 0.5)}], "e": True}
    assert legible_values(values) == {"a\ufffd": ["b\ufffd", {"c": ["d\ufffd", 1, None, 0.5]}], "e": True}
