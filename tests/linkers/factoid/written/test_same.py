"""Users of two networks who have the same site or the same e-mail address."""

import hashlib

import numpy as np
import polars as pl
import pytest

from factlink.linkers.factoid.written.same import Mails, post_columns, same_mails, same_sites
from factlink.types import Attribute, Kind, Network


def mails(addresses: list[tuple[int, str]], hashes: list[tuple[int, str]] | None = None) -> Mails:
    schema = {"row": pl.Int64, "mail": pl.String}
    return (
        pl.DataFrame(addresses, schema, orient="row"),
        pl.DataFrame(hashes or [], schema, orient="row"),
    )


def sites(rows: list[tuple[int, str, bool]]) -> pl.DataFrame:
    return pl.DataFrame(rows, {"row": pl.Int64, "site": pl.String, "own": pl.Boolean}, orient="row")


def test_the_same_address_is_shared_out_among_those_who_have_it_on_a_side() -> None:
    left, right = mails([(0, "a@x.org"), (1, "a@x.org"), (2, "b@x.org")]), mails([(5, "a@x.org"), (6, "b@x.org")])
    found = same_mails(left, right)
    assert found.rows() == [
        (0, 5, 0.5, "both have the same e-mail address"),
        (1, 5, 0.5, "both have the same e-mail address"),
        (2, 6, 1.0, "both have the same e-mail address"),
    ]


@pytest.mark.parametrize(("n", "met"), [(3, 3), (4, 0)])
def test_what_more_than_three_users_of_a_network_have_is_nobodys(n: int, met: int) -> None:
    shared = mails([(row, "info@x.org") for row in range(n)])
    assert len(same_mails(shared, mails([(0, "info@x.org")]))) == met
    assert len(same_mails(mails([(0, "info@x.org")]), shared)) == met


@pytest.mark.parametrize("make", [hashlib.md5, hashlib.sha256])
def test_a_hash_meets_the_address_that_it_is_of_on_either_side(make: object) -> None:
    digest = make(b"a@x.org").hexdigest()  # type: ignore[operator]
    plain, hashed = mails([(0, "a@x.org")]), mails([], [(7, digest)])
    assert same_mails(plain, hashed).rows() == [(0, 7, 1.0, "both have the same e-mail address")]
    assert same_mails(hashed, plain).rows() == [(7, 0, 1.0, "both have the same e-mail address")]
    assert same_mails(hashed, hashed)["row"].to_list() == [7]


def test_pairs_are_named_once_in_the_order_of_rows() -> None:
    left = mails([(row, f"{row}@x.org") for row in reversed(range(300))], [(0, "f" * 32)])
    right = mails([(row, f"{row}@x.org") for row in range(300)], [(0, "f" * 32)])
    found = same_mails(left, right)
    assert found["row"].to_list() == list(range(300))
    assert found["other"].to_list() == list(range(300))


def test_a_site_is_of_both_where_both_give_it_as_theirs() -> None:
    left = sites([(0, "x.org", True), (0, "y.org", True), (1, "", True), (2, "z.org", True)])
    right = sites([(3, "x.org", False), (3, "y.org", True), (4, "", True), (5, "z.org", False)])
    assert same_sites(left, right).rows() == [
        (0, 3, 1.0, "both have y.org", True),
        (2, 5, 1.0, "both have z.org", False),
    ]


def test_texts_of_which_somebody_has_several_are_posts() -> None:
    attributes = {
        "bio": Attribute(Kind.TEXT, np.array([0, 1]), pl.Series(["a", "b"])),
        "post": Attribute(Kind.TEXT, np.array([0, 0]), pl.Series(["a", "b"])),
        "name": Attribute(Kind.NAME, np.array([0, 0]), pl.Series(["a", "b"])),
    }
    assert post_columns(Network("here", pl.Series(["u", "v"]), attributes, {})) == {"post"}
