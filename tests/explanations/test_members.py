"""Products of users as sums over members that met, against brute force."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_matrix

from factlink.evidence import PARTS
from factlink.explanations.frames import both_predicates, part_frame, predicates_of, rest_of
from factlink.explanations.members import MOST_MEMBERS, Members, meet_members, strongest_meetings
from factlink.types import Attribute, Kind, Network

PEOPLE = Network(
    "left",
    pl.Series(["u1", "u2", "u3"]),
    {
        "handle": Attribute(Kind.NAME, np.array([0, 1]), pl.Series(["amytan88", "u2"])),
        "name": Attribute(Kind.NAME, np.array([0, 0]), pl.Series(["Amy", "Amy Tan"])),
    },
    {},
)


def members(n_users: int, n_members: int, seed: int, share: float) -> Members:
    random = np.random.default_rng(seed)
    weights = random.random((n_users, n_members)) * (random.random((n_users, n_members)) < share)
    return Members(csr_matrix(weights.astype(np.float32)), random.standard_normal((n_members, 5)).astype(np.float32))


def test_meetings_add_up_to_the_products_of_users() -> None:
    left, right = members(6, 9, 0, 0.6), members(7, 8, 1, 0.6)
    lefts, rights = np.array([0, 3, 5, 3]), np.array([6, 2, 2, 0])
    met = meet_members(left, right, lefts, rights)
    expected = (left.sums(lefts) * right.sums(rights)).sum(axis=1)
    assert np.bincount(met.pairs, met.weights, minlength=4) == pytest.approx(expected, abs=1e-4)
    one = (met.pairs == 1) & (met.lefts == met.lefts[met.pairs == 1][0]) & (met.rights == met.rights[met.pairs == 1][0])
    i, j = met.lefts[one][0], met.rights[one][0]
    by_hand = left.weights[3, i] * right.weights[2, j] * float(left.vectors[i] @ right.vectors[j])
    assert met.weights[one][0] == pytest.approx(by_hand, rel=1e-5)


def test_sparse_vectors_meet_as_dense_ones_do() -> None:
    left, right = members(4, 9, 0, 0.6), members(4, 8, 1, 0.6)
    sparse = [Members(side.weights, csr_matrix(side.vectors)) for side in (left, right)]
    rows = np.arange(4)
    dense, thin = meet_members(left, right, rows, rows), meet_members(*sparse, rows, rows)
    assert thin.weights == pytest.approx(dense.weights, abs=1e-5)


def test_of_many_members_the_strongest_are_compared() -> None:
    left, right = members(2, 100, 0, 1.0), members(2, 100, 1, 1.0)
    met = meet_members(left, right, np.array([1]), np.array([0]))
    assert len(np.unique(met.lefts)) == len(np.unique(met.rights)) == MOST_MEMBERS
    pulls = np.abs(left.weights.toarray()[1] * (left.vectors @ right.sums(np.array([0]))[0]))
    assert set(np.unique(met.lefts)) == set(np.argsort(-pulls)[:MOST_MEMBERS])
    best = strongest_meetings(met, 3)
    assert np.abs(best.weights).tolist() == sorted(np.abs(met.weights).tolist(), reverse=True)[:3]


def test_predicates_of_objects() -> None:
    found = predicates_of(PEOPLE, Kind.NAME, np.array([0, 0, 1]), pl.Series(["Amy", "amytan88", "nobody"]))
    assert found.to_list() == ["name", "handle", None]
    assert both_predicates(pl.Series(["a", "a"]), pl.Series(["a", "b"])).to_list() == ["a", "a · b"]


def test_the_rest_is_what_is_missing_to_the_score() -> None:
    parts = part_frame(np.array([0, 0, 1]), np.array([1.0, 2.0, 0.0]), "name", "handle")
    assert parts.schema == PARTS
    assert parts["weight"].to_list() == [1.0, 2.0]
    rest = rest_of(np.array([5.0, -1.0, np.nan]), parts, "rest")
    assert rest.select("pair", "weight").rows() == [(0, 2.0), (1, -1.0)]
