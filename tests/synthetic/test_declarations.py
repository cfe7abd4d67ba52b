"""Dials of names as people write them, and of bios that name accounts."""

import numpy as np
import pytest

from factlink.errors import SettingError
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.linkers.factoid.written.declared import find_declared
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population, TextDials
from factlink.synthetic.worlds import World, twins


def world(names: NameDials | None = None, texts: TextDials | None = None) -> World:
    return twins(
        Dials(
            population=Population(people=200),
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


def test_false_claims_link_no_more_people_wrongly() -> None:
    made = world(texts=TextDials(celebrities=0.1))
    truth = made.truth("left", "right")
    hits = [
        np.mean(
            FactoidLinker(steps=Steps(declared=declared)).fit(*made.networks).candidates(1).rights[truth.lefts, 0]
            == truth.rights
        )
        for declared in (False, True)
    ]
    assert hits[1] >= hits[0]


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
