"""Dials of names as people write them, and of bios that name accounts."""

import numpy as np
import pytest

from factlink.decision.decisions import link
from factlink.errors import SettingError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.written.declared import find_declared
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population, TextDials
from factlink.synthetic.worlds import World, twins
from factlink.types import DECISIONS, Decision


def world(names: NameDials | None = None, texts: TextDials | None = None, people: int = 200) -> World:
    return twins(
        Dials(
            population=Population(people=people),
            names=names or NameDials(),
            texts=texts or TextDials(),
            links=LinkDials(mean=0),
        )
    )


def test_bios_declare_the_own_account_as_often_as_is_said() -> None:
    made = world(texts=TextDials(declared=0.5))
    declared, truth = find_declared(*made.networks), made.truth("left", "right")
    own = dict(zip(truth.lefts.tolist(), truth.rights.tolist(), strict=True))
    right = [
        own.get(a) == b for a, b in zip(declared.pairs.lefts.tolist(), declared.pairs.rights.tolist(), strict=True)
    ]
    assert np.mean(right) > 0.95
    assert len(declared) == pytest.approx(0.75 * len(truth), rel=0.2)  # either of the two


def test_other_columns_do_not_change() -> None:
    plain, said = world(), world(texts=TextDials(declared=0.5))
    for mine, theirs in zip(plain.networks, said.networks, strict=True):
        assert mine.users.equals(theirs.users)
        assert mine.attributes["username"].objects.equals(theirs.attributes["username"].objects)


def test_nearly_all_who_declare_are_found_though_a_third_has_other_names() -> None:
    made = world(NameDials(hidden=0.2), TextDials(declared=0.5))
    truth, declared = made.truth("left", "right"), find_declared(*made.networks)
    named = set(zip(declared.pairs.lefts.tolist(), declared.pairs.rights.tolist(), strict=True))
    first = FactoidLinker().fit(*made.networks).candidates(1).rights[:, 0]
    pairs = zip(truth.lefts.tolist(), truth.rights.tolist(), strict=True)
    found = [int(first[left]) == right for left, right in pairs if (left, right) in named]
    assert np.mean(found) >= 0.98


def test_nobody_is_linked_to_a_celebrity_because_bios_say_so() -> None:
    made = world(texts=TextDials(celebrities=0.1), people=800)
    declared, truth = find_declared(*made.networks), made.truth("left", "right")
    named, true = (set(zip(p.lefts.tolist(), p.rights.tolist(), strict=True)) for p in (declared.pairs, truth))
    found = link(FactoidLinker().fit(*made.networks), 0.9)
    is_link = found.decisions == DECISIONS.index(Decision.LINK)
    linked = set(zip(found.lefts[is_link].tolist(), found.rights[is_link].tolist(), strict=True))
    assert len(named - true) > 100
    assert not linked & (named - true)


def test_nicknames_and_initials_are_drawn() -> None:
    plain = world(NameDials(cultures=("english",), hidden=0, native=0))
    made = world(NameDials(cultures=("english",), hidden=0, native=0, nicknames=1.0, initials=1.0))
    names, handles = (made.networks[0].attributes[p].objects for p in ("screen_name", "username"))
    assert names.str.contains(r"^\S+ \S").mean() == pytest.approx(1, abs=0.02)
    assert not names.equals(plain.networks[0].attributes["screen_name"].objects)
    assert handles.str.contains(r"^[a-z]{2,3}\d+$").all()


def test_shares_beyond_one_are_refused() -> None:
    with pytest.raises(SettingError, match=r"declared \+ celebrities=1\.2 must lie between 0 and 1"):
        TextDials(declared=0.6, celebrities=0.6)
