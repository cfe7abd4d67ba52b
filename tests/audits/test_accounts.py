"""One account by hand, and a part of a large release."""

import numpy as np
import polars as pl
import pytest

from factlink.audits import sampling
from factlink.audits.accounts import expose, without_things
from factlink.audits.attacks import Attack, Attacker
from factlink.audits.release import Release
from factlink.audits.sampling import grow_part, sample_release
from factlink.types import Follows, Network


def test_an_account_with_two_things_is_hidden_without_both(attacker: Attacker, attack: Attack) -> None:
    account = expose(attacker, attack, np.array([0]))[0]
    assert (account.user, account.partner, account.linked, account.correct) == ("a00", "b00", True, None)
    assert account.probability == pytest.approx(0.95)
    # handle and name are equally good; of equals the first in the alphabet is named first
    assert [thing.predicate for thing in account.things] == ["handle", "name", "follows"]
    assert [thing.probability for thing in account.things] == pytest.approx([0.6, 0.0, 0.0])
    assert account.things[2].shown == "1 link"
    assert account.smallest == ("handle", "name")


def test_an_account_that_its_name_gives_away(attacker: Attacker, true_release: Release) -> None:
    attack = attacker.attack(true_release)
    account, absent = expose(attacker, attack, np.array([25, 55]))
    assert (account.smallest, account.correct) == (("name",), True)
    assert (absent.linked, absent.partner, absent.things, absent.smallest) == (False, None, (), ())


def test_no_attack_is_made_for_an_account_that_is_not_linked(attacker: Attacker, attack: Attack) -> None:
    before = attacker.fits
    assert not expose(attacker, attack, np.array([55]))[0].linked
    assert attacker.fits == before


def test_things_are_removed_from_the_named_rows_only(release: Release) -> None:
    bare = without_things(release.left, {"name": np.array([0, 1]), "follows": np.array([1])})
    assert bare.attributes["name"].rows.tolist() == list(range(2, 60))
    assert len(bare.attributes["handle"].rows) == 60
    assert len(bare.links["follows"]) == 48  # the links 0 → 1 and 1 → 2 are gone


def test_a_part_grows_along_links() -> None:
    chain = Follows(np.arange(199), np.arange(1, 200), np.ones(199, np.float32))
    network = Network("chain", pl.Series([f"u{n:03}" for n in range(200)]), {}, {"follows": chain})
    part = np.flatnonzero(grow_part(network, np.array([0]), 2, 0))
    assert part.tolist() == [0, 1]
    assert grow_part(network, np.array([], np.int64), 60, 0).sum() == 60
    assert grow_part(network, np.array([], np.int64), 500, 0).all()


def test_a_large_release_is_tried_in_a_part(
    attacker: Attacker, true_release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    attack = attacker.attack(true_release)
    assert sample_release(attack, 0) is true_release
    monkeypatch.setattr(sampling, "LARGEST", 30)
    part = sample_release(attack, 0, np.array([5]))
    assert len(part.left) == 30
    assert "a05" in part.left.users.to_list()
    assert part.truth is not None
    pairs = zip(
        part.left.users.gather(part.truth.pairs.lefts), part.right.users.gather(part.truth.pairs.rights), strict=True
    )
    assert all(left[1:] == right[1:] for left, right in pairs)
    assert len(part.truth.pairs) + len(part.truth.absent) == 30
