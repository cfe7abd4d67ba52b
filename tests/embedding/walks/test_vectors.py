"""LINE, IONE and DeepWalk vectors: gradients by hand and worlds of two cliques."""

import numpy as np
import pytest

from factlink.embedding.walks.contexts import context_vectors
from factlink.embedding.walks.deepwalk import WalkSettings, deepwalk_vectors
from factlink.embedding.walks.line import exchange, line_vectors, push
from factlink.embedding.walks.skip_gram import SkipGram, both_directions, negative_weights, starting_vectors
from factlink.errors import SettingError
from factlink.types import Floats
from tests.embedding.walks.graphs import apartness, cosines, follows, two_cliques

SMALL = SkipGram(dim=8, rate=0.05)


def floats(*values: float) -> Floats:
    return np.array(values, np.float32)


def test_a_true_pair_moves_together_by_the_rate_times_the_doubt() -> None:
    vector, context, step = floats(1, 0), floats(0, 2), floats(0, 0)  # dot 0, σ = ½
    push(vector, context, np.float32(0.1), True, step)
    assert step.tolist() == pytest.approx([0, 0.1])
    assert context.tolist() == pytest.approx([0.05, 2])
    assert vector.tolist() == [1, 0]


def test_a_fake_pair_moves_apart() -> None:
    vector, context = floats(1, 0), floats(np.log(3), 2)  # σ(log 3) = ¾
    exchange(vector, context, np.float32(0.4), False)
    assert vector.tolist() == pytest.approx([1 - 0.3 * np.log(3), -0.6], rel=1e-5)
    assert context.tolist() == pytest.approx([np.log(3) - 0.3, 2], rel=1e-5)


def test_starting_vectors_are_small_and_those_of_their_seed() -> None:
    vectors = starting_vectors(100, 10, 3)
    assert np.abs(vectors).max() <= 0.05
    assert vectors.tobytes() == starting_vectors(100, 10, 3).tobytes() != starting_vectors(100, 10, 4).tobytes()


def test_negatives_weigh_degree_to_three_quarters() -> None:
    links = follows((0, 1), (0, 2), weights=[1, 15])
    assert negative_weights(links, 4).tolist() == pytest.approx([8, 1, 15**0.75, 0])


def test_both_directions_are_twice_the_links() -> None:
    links = both_directions(follows((0, 1), (2, 1), weights=[1, 3]))
    assert links.followers.tolist() == [0, 2, 1, 1]
    assert links.followees.tolist() == [1, 1, 0, 2]
    assert links.weights.tolist() == [1, 3, 1, 3]


@pytest.mark.parametrize("order", [1, 2])
def test_line_tells_cliques_apart(order: int) -> None:
    vectors = line_vectors(two_cliques(), 11, order, 1000, SMALL, seed=0)
    assert apartness(vectors[:10]) > 0.3  # 0 for vectors that know nothing
    assert not vectors[10].any()


def test_ione_tells_cliques_apart_and_joins_networks_at_shared_rows() -> None:
    left = two_cliques()
    moved = np.array([0, 1, 12, 13, 14, 5, 6, 17, 18, 19])  # rows 0, 1, 5 and 6 are known pairs
    right = follows(*zip(moved[left.followers].tolist(), moved[left.followees].tolist(), strict=True))
    vectors = context_vectors([left, right], 20, 20_000, SMALL, seed=0)
    table = cosines(vectors[np.ix_([2, 3, 4, 7, 8, 9, 12, 13, 14, 17, 18, 19])])
    own, other = table[:3, 6:9].mean() + table[3:6, 9:].mean(), table[:3, 9:].mean() + table[3:6, 6:9].mean()
    assert apartness(vectors[:10]) > 0.3  # 0 for vectors that know nothing
    assert own - other > 0.6
    assert not vectors[10].any()


def test_ione_of_two_users_has_no_negatives_and_ends() -> None:
    assert np.isfinite(context_vectors([follows((0, 1)), follows((1, 0))], 2, 50, SMALL, seed=0)).all()


def test_deepwalk_tells_cliques_apart() -> None:
    vectors = deepwalk_vectors({"follows": two_cliques()}, 11, 8, 0, WalkSettings(walks=40))
    assert apartness(vectors[:10]) > 0.3
    assert not vectors[10].any()


def test_deepwalk_without_links_is_zero() -> None:
    assert not deepwalk_vectors({}, 3, 8, 0).any()


def test_vectors_are_those_of_their_seed() -> None:
    links = two_cliques()
    for make in (
        lambda seed: line_vectors(links, 10, 2, 20, SMALL, seed),
        lambda seed: context_vectors([links, links], 10, 500, SMALL, seed),
        lambda seed: deepwalk_vectors({"follows": links}, 10, 8, seed),
    ):
        assert make(1).tobytes() == make(1).tobytes() != make(2).tobytes()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SkipGram(dim=0), "dim is 0"),
        (lambda: SkipGram(negatives=0), "negatives is 0"),
        (lambda: SkipGram(rate=0), "rate is 0"),
        (lambda: SkipGram(rate=10.5), "rate is 10.5; it must be above 0, and 10 at most"),
        (lambda: WalkSettings(length=1), "length is 1"),
        (lambda: WalkSettings(walks=0), "walks is 0"),
    ],
)
def test_impossible_settings_are_refused(make: type, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        make()
