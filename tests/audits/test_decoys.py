"""Decoys: new accounts below those of the release, the same whatever the order of rows."""

import numpy as np

from factlink.audits.decoys import add_decoys, draw_values
from factlink.audits.release import Release
from factlink.types import Attribute, Kind, Network
from tests.audits.conftest import column


def test_decoys_stand_below_the_people_and_are_nobody(release: Release) -> None:
    left = release.left
    joined = add_decoys(left, 0)
    assert len(joined) == 110
    assert joined.users.head(60).to_list() == left.users.to_list()
    for predicate, attribute in left.attributes.items():
        values = joined.attributes[predicate]
        assert values.objects.head(60).to_list() == attribute.objects.to_list()
        assert not set(values.objects.tail(50)) & set(attribute.objects)
    follows = joined.links["follows"]
    assert (follows.followers[:50] == left.links["follows"].followers).all()
    assert ((follows.followers[50:] >= 60) | (follows.followees[50:] >= 60)).all()


def test_decoys_do_not_depend_on_the_order_of_rows(release: Release) -> None:
    left = release.left
    order = np.arange(60)[::-1]
    turned = Network(
        left.name,
        left.users.reverse(),
        {name: Attribute(a.kind, a.rows, a.objects.reverse()) for name, a in left.attributes.items()},
        {name: type(f)(order[f.followers], order[f.followees], f.weights) for name, f in left.links.items()},
    )
    one, other = add_decoys(left, 3), add_decoys(turned, 3)
    for predicate in left.attributes:
        mine, theirs = (each.attributes[predicate].objects.tail(50).to_list() for each in (one, other))
        assert mine == theirs


def test_decoys_have_no_pictures(release: Release) -> None:
    pictures = column([f"{n}.png" for n in range(60)], Kind.IMAGE)
    left = Network("pictures", release.left.users, {"picture": pictures}, {})
    assert len(add_decoys(left, 0).attributes["picture"].rows) == 60


def test_values_are_put_together_anew() -> None:
    rng = np.random.default_rng(0)
    assert set(draw_values(["Oslo", "Bergen"], Kind.CATEGORY, 20, rng)) == {"Oslo", "Bergen"}
    names = draw_values(["Amy Tan", "Joey Lim"], Kind.NAME, 20, rng)
    assert all(name.split()[0] in ("Amy", "Joey") and len(name.split()) == 2 for name in names)
    assert not {"Amy Tan", "Joey Lim"} & set(names)
    assert set("".join(draw_values(["abab"], Kind.HANDLE, 20, rng))) <= set("ab")
