"""Every message is one line that a terminal shows as it stands."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.errors import LONGEST, InputError, MissingExtraError, one_line, require_extra


def test_what_a_terminal_would_act_on_is_written_out() -> None:
    error = InputError("id 'two\nlines\x1b[2J' of \ud800 and é")
    assert str(error) == "id 'two\\nlines\\x1b[2J' of \\ud800 and é"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_long_messages_lose_their_middle() -> None:
    assert one_line("a" * 3000 + "b" * 3000) == "a" * 500 + " … " + "b" * 500
    assert one_line("a" * LONGEST) == "a" * LONGEST


@given(st.text())
def test_any_text_is_one_printable_line(text: str) -> None:
    assert one_line(text).isprintable()
    assert one_line(one_line(text)) == one_line(text) or len(one_line(text)) > LONGEST


def test_an_absent_package_names_the_extra() -> None:
    require_extra("counting", "images", "numpy")
    with pytest.raises(MissingExtraError, match=r"counting needs no_such_package; pip install 'factlink\[images\]'"):
        require_extra("counting", "images", "numpy", "no_such_package")
