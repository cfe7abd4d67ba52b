"""What is kept of explanations, and when a pair contradicts itself."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.data.crowd.dials import Crowd, Dials, LinkDials, NameDials
from factlink.data.synthetic import twins
from factlink.errors import SettingError
from factlink.evaluation.explain import (
    EVIDENCE,
    Yardstick,
    choose_pairs,
    contradicts,
    explain_pair,
    explain_pairs,
    keep_strongest,
    yardstick,
)
from factlink.linkers.factoid import FactoidLinker
from factlink.types import PARTS, Attribute, Follows, Links, Network


def parts(*rows: tuple[int, str, float]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=["pair", "kind", "weight"], orient="row")
    told = {"predicate": pl.col("kind"), "left": pl.lit("a"), "right": pl.lit("b"), "note": pl.lit(None, pl.String)}
    return frame.with_columns(**told).select(pl.col(name).cast(kind) for name, kind in PARTS.items())


def test_the_strongest_parts_stay_and_small_ones_are_added_up_by_kind() -> None:
    found = keep_strongest(
        parts((0, "name", 0.5), (0, "friends", -2.0), (0, "friends", 0.25), (0, "friends", 0.125), (1, "name", 1.0)), 2
    )
    assert found.select("pair", "kind", "predicate", "weight").rows() == [
        (0, "friends", "friends", -2.0),
        (0, "name", "name", 0.5),
        (0, "friends", "friends, 2 smaller parts", 0.375),
        (1, "name", "name", 1.0),
    ]


def links(probabilities: list[float], rights: list[int]) -> Links:
    n = len(rights)
    zeros = np.zeros(n, np.float32)
    return Links(np.arange(n), np.array(rights), zeros, np.array(probabilities, np.float32), zeros, zeros, zeros)


def test_all_pairs_are_kept_as_long_as_they_are_few() -> None:
    assert choose_pairs(links([0.9, 0.1, 0.5], [4, -1, 6]), 10).tolist() == [0, 2]


def test_of_many_pairs_the_doubtful_and_the_surest_are_kept() -> None:
    probabilities = np.linspace(0.5, 1.0, 100).tolist()
    chosen = choose_pairs(links(probabilities, list(range(100))), 20).tolist()
    assert len(chosen) == len(set(chosen)) == 20
    assert chosen[:10] == list(range(10))
    assert chosen[-2:] == [98, 99]


def test_the_yardstick_is_the_median_pair() -> None:
    rows = [("l1", "name", 1.0), ("l1", "friends", 4.0), ("l2", "name", 3.0), ("l3", "image", 2.0), ("l3", "text", 9.0)]
    frame = pl.DataFrame(rows, schema=["left", "kind", "weight"], orient="row").with_columns(right=pl.lit("r"))
    assert yardstick(frame) == Yardstick(agreement=2.0, friends=0.0)
    assert yardstick(pl.DataFrame(schema=EVIDENCE)) == Yardstick(0.0, 0.0)


@pytest.mark.parametrize(
    ("sums", "degrees", "expected"),
    [
        ({"name": 3.0, "friends": -0.1}, (9, 9), True),
        ({"name": 1.0, "image": 1.5}, (8, 8), True),
        ({"name": 3.0, "friends": 0.2}, (9, 9), False),
        ({"name": 1.0, "friends": -0.1}, (9, 9), False),
        ({"name": 3.0, "friends": -0.1}, (9, 7), False),
    ],
)
def test_contradiction_by_hand(sums: dict[str, float], degrees: tuple[int, int], expected: bool) -> None:
    assert contradicts(sums, Yardstick(agreement=2.0, friends=1.0), degrees) is expected
    assert not contradicts(sums, Yardstick(agreement=2.0, friends=0.19), degrees)  # friends hardly count here
    assert not contradicts(sums, Yardstick(agreement=2.0, friends=0.0), degrees)  # links say nothing in this run


def impostor_of(network: Network, victim: Network, row: int, friends: list[int]) -> Network:
    """The network with one more user, who bears the names of a user of the other one and follows strangers."""
    attributes = {}
    for predicate, attribute in network.attributes.items():
        stolen = victim.attributes[predicate].objects.filter(pl.Series(victim.attributes[predicate].rows == row))
        rows = np.concatenate([attribute.rows, np.full(len(stolen), len(network))])
        attributes[predicate] = Attribute(attribute.kind, rows, pl.concat([attribute.objects, stolen]))
    follows = network.links["follows"]
    more = Follows(
        np.concatenate([follows.followers, np.full(len(friends), len(network))]),
        np.concatenate([follows.followees, friends]),
        np.concatenate([follows.weights, np.ones(len(friends), np.float32)]),
    )
    users = pl.concat([network.users, pl.Series(["impostor"])])
    return replace(network, users=users, attributes=attributes, links={"follows": more})


def test_a_copied_profile_among_strangers_is_flagged() -> None:
    crowd = Crowd(people=300, presence=0.95, predicates=("username", "screen_name"))
    made = twins(Dials(crowd, NameDials(same=0.7, hidden=0.0), links=LinkDials(mean=14, kept=0.9, own=0.1), seed=2))
    left, right = made.networks
    truth = made.truth("left", "right")
    follows = right.links["follows"]
    counts = np.bincount(np.concatenate([follows.followers, follows.followees]), minlength=len(right))
    place = int(np.argmax(counts[truth.rights]))
    honest, victim = int(truth.lefts[place]), int(truth.rights[place])
    strangers = np.setdiff1d(
        np.arange(len(left)), left.links["follows"].followees[left.links["follows"].followers == honest]
    )
    faked = impostor_of(left, right, victim, strangers[::29][:9].tolist())
    scorer = FactoidLinker().fit(faked, right)
    assert explain_pair(scorer, len(left), victim).is_contradictory
    assert not explain_pair(scorer, honest, victim).is_contradictory


def test_a_scorer_that_cannot_explain_is_named() -> None:
    class Dumb:
        pass

    with pytest.raises(SettingError, match="a Dumb cannot take its scores apart"):
        explain_pairs(Dumb(), np.array([0]), np.array([0]))  # type: ignore[arg-type]
