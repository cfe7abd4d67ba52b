"""Users who join a finished run: pairs by initials and by declarations, on either side."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.linkers.factoid.written.arriving import NOTHING, Arriving, settle
from factlink.linkers.factoid.written.declared import IN_TEXT, MUTUAL, OWN_FIELD
from factlink.linkers.factoid.written.handles import HandleChannel, HandleState, count_handle_letters
from factlink.types import Kind, Pairs
from tests.linkers.factoid.written.declared_world import network

NAMES = ["Ann Mary Lee", "Bob Ian Moe"]
HANDLES = ["xAML", "quux", "BIMster"]
GAINS = np.array([1, 2, 3, 4, 5], np.float32)


def pairs(found: list[tuple[np.ndarray, np.ndarray]]) -> list[tuple[int, int]]:  # type: ignore[type-arg]
    return [pair for lefts, rights in found for pair in zip(lefts.tolist(), rights.tolist(), strict=True)]


@pytest.mark.parametrize("names_left", [True, False])
def test_new_names_meet_handles_with_their_initials_and_new_handles_names(names_left: bool) -> None:
    named, handled = network("named", NAMES, {}), network("handled", HANDLES, {})
    networks = (named, handled) if names_left else (handled, named)
    settled = settle(HandleState(0.5, names_left, GAINS), None, networks, (np.zeros(2, bool), np.zeros(3, bool)))
    sides = (0, 1) if names_left else (1, 0)
    new_names = network("new", ["Zoe", "Kim Lou", "Al Moe Lin", "Bea Ida Mal"], {})
    assert pairs(Arriving(settled, sides[0], new_names).proposals()) == [(2, 0), (3, 2)]
    new_handles = network("new", ["plain", "BIM_", "amlx"], {})
    assert pairs(Arriving(settled, sides[1], new_handles).proposals()) == [(1, 1), (2, 0)]


@pytest.mark.parametrize("names_left", [True, False])
def test_the_channel_of_handles_has_new_users_on_the_left(names_left: bool) -> None:
    named, handled = network("named", NAMES, {}), network("handled", HANDLES, {})
    networks = (named, handled) if names_left else (handled, named)
    settled = settle(HandleState(0.5, names_left, GAINS), None, networks, (np.zeros(2, bool), np.zeros(3, bool)))
    sides = (0, 1) if names_left else (1, 0)
    [channel] = Arriving(settled, sides[0], network("new", ["Al Moe Lin"], {})).channels(handled)
    assert isinstance(channel, HandleChannel)
    assert (channel.names_left, channel.left.shape[0], channel.right.shape[0]) == (True, 1, 3)
    assert channel.weighting.weight == 0.5
    [channel] = Arriving(settled, sides[1], network("new", ["amlx"], {})).channels(named)
    assert isinstance(channel, HandleChannel)
    assert (channel.names_left, channel.left.shape[0], channel.right.shape[0]) == (False, 1, 2)


def test_whoever_declares_nothing_in_a_run_without_handles_meets_nobody() -> None:
    arriving = Arriving(NOTHING, 0, network("new", NAMES, {}))
    assert arriving.proposals() == []
    assert arriving.channels(network("right", HANDLES, {})) == []
    assert arriving.beliefs(np.array([0]), np.array([0])) is None


def test_declarations_of_new_users_are_believed_as_those_of_the_run_less_where_somebody_has_the_account() -> None:
    left = network("left", ["ann", "bob"], {"bio": (Kind.TEXT, {0: "nothing"})})
    right = network("right", ["x_one", "x_two", "x_three"], {"bio": (Kind.TEXT, {2: "also @new_c on left"})})
    trust = {MUTUAL: 0.9, OWN_FIELD: 0.8, IN_TEXT: 0.5}
    settled = settle(None, trust, (left, right), (np.zeros(2, bool), np.array([True, False, False])))
    new = network(
        "left",
        ["new_a", "new_b", "new_c"],
        {"bio": (Kind.TEXT, {0: "me on right: @x_one", 1: "also @x_two", 2: "me on right: @x_three"})},
    )
    arriving = Arriving(settled, 0, new)
    assert pairs(arriving.proposals()) == [(0, 0), (1, 1), (2, 2)]
    beliefs = arriving.beliefs(np.array([0, 1, 2, 0]), np.array([0, 1, 2, 1]))
    assert beliefs is not None
    assert_allclose(beliefs, [0.4, 0.5, 0.9, 0.0], rtol=1e-6)  # x_one, whom a field names, has a partner


@pytest.mark.parametrize("names_left", [True, False])
def test_new_handles_are_compared_with_the_letters_of_all_handles(names_left: bool) -> None:
    named, handled = network("named", NAMES, {}), network("handled", HANDLES, {})
    networks = (named, handled) if names_left else (handled, named)
    handles = HandleState(0.5, names_left, GAINS)
    settled = settle(handles, None, networks, (np.zeros(2, bool), np.zeros(3, bool)))
    new = ["bobbobmoe", "zzqx"]
    [found] = Arriving(settled, 1 if names_left else 0, network("new", new, {})).channels(named)
    together = count_handle_letters(pl.Series([*HANDLES, *new]))
    expected = handles.channel(pl.Series(NAMES), pl.Series(new), False, together)
    ends = Pairs(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    turned = Pairs(ends.rights, ends.lefts)
    assert_allclose(found.products(turned), expected.products(turned), rtol=1e-6)
    assert found.products(turned).max() > 0
