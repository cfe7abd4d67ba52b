"""Each network's link predicates are weighed by how often the other network has their links too."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.linkers.factoid.neighbourhood import read_neighbourhood
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
