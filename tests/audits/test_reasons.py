"""Reasons by hand: names alone link forty people with .6, handles alone twenty."""

from itertools import pairwise

import pytest

from factlink.audits.attacks import Attacker
from factlink.audits.reasons import exact_shapley, find_reasons, keep_parts, sampled_shapley
from factlink.audits.release import Release

GLOVES = {"l": 0.0, "r": 0.0, "s": 0.0, "lr": 1.0, "ls": 0.0, "rs": 1.0, "lrs": 1.0}


def gloves(some: frozenset[str]) -> float:
    """The glove game: a left (l, s) and the right glove (r) make a pair."""
    return GLOVES["".join(sorted(some))] if some else 0.0


def test_shapley_values_of_the_glove_game() -> None:
    found = exact_shapley(["l", "r", "s"], gloves)
    assert found == pytest.approx({"l": 1 / 6, "r": 4 / 6, "s": 1 / 6})


def test_sampled_values_add_up_to_the_whole() -> None:
    found = sampled_shapley(["l", "r", "s"], gloves, 0)
    assert sum(found.values()) == pytest.approx(1.0)
    assert all(found["r"] >= found[other] for other in "ls")


def test_reasons_of_the_release(attacker: Attacker, release: Release) -> None:
    reasons = find_reasons(attacker, release.publish(keep_parts(release.left, ["name", "handle"])), 31 / 60, 0)
    name, handle = reasons.single
    assert (name.parts, handle.parts) == (("name",), ("handle",))
    assert (name.alone, name.without) == pytest.approx((0.4, 0.2))
    assert (handle.alone, handle.without) == pytest.approx((0.2, 0.4))
    assert (name.shapley, handle.shapley) == pytest.approx(((0.4 + 31 / 60 - 0.2) / 2, (0.2 + 31 / 60 - 0.4) / 2))
    assert reasons.exact
    assert not reasons.double  # two parts have no combination of two but the whole


def test_combinations_of_two_with_links(attacker: Attacker, release: Release) -> None:
    reasons = find_reasons(attacker, release, 31 / 60, 0)
    risks = {reason.parts: (reason.alone, reason.without) for reason in reasons.double}
    assert risks["handle", "name"] == pytest.approx((31 / 60, 0.0))
    assert risks["follows", "name"] == pytest.approx((0.4, 0.2))
    assert all(one.alone >= other.alone for one, other in pairwise(reasons.double))
