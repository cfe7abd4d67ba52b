"""Each network's link predicates are weighed by how often the other network has their links too."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.channels.neighbourhood import read_neighbourhood
from factlink.types import Follows, Network, Pairs

N = 60


def ring(step: int) -> Follows:
    users = np.arange(N)
    return Follows(users, (users + step) % N, np.ones(N, np.float32))


@pytest.fixture(scope="module")
def networks() -> tuple[Network, Network]:
    users = [pl.Series([f"{side}{row}" for row in range(N)]) for side in "lr"]
    left = Network("left", users[0], {}, {"follows": ring(1), "likes": ring(20)})
    return left, Network("right", users[1], {}, {"friends": ring(1)})


def test_a_predicate_whose_links_the_other_network_has_counts_most(networks: tuple[Network, Network]) -> None:
    everybody = Pairs(np.arange(N), np.arange(N))
    hood = read_neighbourhood(*networks, everybody, 0)
    left, right = hood.weights
    assert left == {"follows": 1.0, "likes": pytest.approx(0.35, abs=0.1)}  # √ of (10 / 80) / (70 / 80), less chance
    assert right == {"friends": 1.0}
    weights = [(each.left, each.right, each.weight) for each in hood.channel_weights]
    assert weights == [("follows", "", 1.0), ("likes", "", left["likes"]), ("", "friends", 1.0)]
    assert [each.reason[:3] for each in hood.channel_weights] == ["88%", "12%", "100"]
    assert hood.left[5].indices.tolist() == [4, 6, 25, 45]
    assert hood.right[5].indices.tolist() == [4, 6]


def test_a_predicate_whose_links_the_other_network_has_by_chance_alone_counts_nothing(
    networks: tuple[Network, Network],
) -> None:
    rings = [ring(step) for step in range(2, 26)]  # 1,440 links, none of them in the other network
    ends = [np.concatenate(each) for each in zip(*((r.followers, r.followees, r.weights) for r in rings), strict=True)]
    left, right = networks
    noisy = replace(left, links={"follows": ring(1), "views": Follows(*ends)})
    hood = read_neighbourhood(noisy, right, Pairs(np.arange(N), np.arange(N)), 0)
    assert hood.weights[0] == {"follows": 1.0, "views": 0.0}
    assert hood.left[5].toarray()[0].nonzero()[0].tolist() == [4, 6]


def test_a_pair_is_ranked_by_the_neighbours_that_are_linked(networks: tuple[Network, Network]) -> None:
    everybody = Pairs(np.arange(N), np.arange(N))
    channel, votes = read_neighbourhood(*networks, everybody, 0).vote_channel(everybody, np.ones(N, np.float32))
    assert channel.weight > 0.9
    assert votes.left.shape == votes.right.shape == (N, N)
    assert votes.right[5].indices.tolist() == [4, 6]


def test_partners_have_other_rows_in_the_other_network(networks: tuple[Network, Network]) -> None:
    """The left network of before on the right, its users in another order and one more of them."""
    order = (np.arange(N) * 7 + 3) % N
    users = pl.Series([f"r{row}" for row in range(N + 1)])
    links = {
        name: Follows(order[follows.followers], order[follows.followees], follows.weights)
        for name, follows in networks[0].links.items()
    }
    plain = replace(networks[1], links={"friends": ring(1)})
    some = np.arange(0, N - 1)
    hood = read_neighbourhood(plain, Network("right", users, {}, links), Pairs(some, order[some]), 0)
    assert hood.weights[0] == {"friends": 1.0}
    assert hood.weights[1] == {"follows": 1.0, "likes": pytest.approx(0.35, abs=0.1)}
    weights = [(each.left, each.right, each.weight) for each in hood.channel_weights]
    assert weights == [("friends", "", 1.0), ("", "follows", 1.0), ("", "likes", hood.weights[1]["likes"])]
    assert hood.left.shape == (N, N)
    assert hood.right.shape == (N + 1, N + 1)
    assert sorted(hood.right[order[5]].indices.tolist()) == sorted(order[[4, 6, 25, 45]].tolist())


def test_without_links_in_common_all_predicates_count_the_same(networks: tuple[Network, Network]) -> None:
    left = replace(networks[0], links={"likes": ring(20), "views": ring(25)})
    hood = read_neighbourhood(left, networks[1], Pairs(np.arange(2), np.arange(2)), 0)
    assert hood.weights == ({"likes": 1.0, "views": 1.0}, {"friends": 1.0})


def test_the_names_of_neighbours_by_hand(networks: tuple[Network, Network]) -> None:
    """Everybody has two neighbours, equally rare: the mean of theirs, less that of all, of length 1."""
    ringed = replace(networks[0], links={"follows": ring(1)})
    everybody = Pairs(np.arange(N), np.arange(N))
    vectors = np.random.default_rng(0).normal(size=(2 * N, 8)).astype(np.float32)
    vectors[N:] += 1
    channel = read_neighbourhood(ringed, networks[1], everybody, 0).name_channel(vectors)
    sides = [part[np.arange(N) - 1] + part[(np.arange(N) + 1) % N] for part in (vectors[:N], vectors[N:])]
    units = [side / np.linalg.norm(side, axis=1, keepdims=True) for side in sides]
    mean = np.concatenate(units).mean(axis=0)
    assert channel.mean is not None
    assert_allclose(channel.mean, mean, atol=1e-5)
    for found, unit in zip((channel.left, channel.right), units, strict=True):
        wanted = (unit - mean) / np.linalg.norm(unit - mean, axis=1, keepdims=True)
        assert_allclose(found, wanted, atol=1e-4)
    assert channel.weighting.source is EvidenceSource.NEIGHBOURS
