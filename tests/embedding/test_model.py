"""Losses and gradients of one batch: by hand, against finite differences, and as the paper's equations say."""

import numpy as np
import pytest

from factlink.embedding.kernels import add_rows, bucket_order, multiply
from factlink.embedding.model import Batch, apply_pushes, measure_pushes, step_softmax
from factlink.embedding.projections import Phi

LOG2 = 0.6931471805599453


def batch(users: list[int], negatives: object, count: int = 1, step: float = 1.0, dtype: type = np.float64) -> Batch:
    return Batch(np.array(users), np.full(len(users), step, dtype), np.array(negatives), count)


def test_three_users_by_hand() -> None:
    vectors = np.array([[np.log(3), 0.0], [0.0, 1.0], [-np.log(4), 0.0]])
    phi = np.array([[1.0, 0.0]])
    pushes = measure_pushes(vectors, phi, batch([0], [[1, 2]], count=2), with_brackets=True)
    # σ(−log 3) = 1/4; σ(0) = 1/2; σ(−log 4) = 1/5; f = log 3/4 + log 1/2 + log 4/5
    assert pushes.pulls == pytest.approx([0.25])
    assert pushes.pushes[0] == pytest.approx([-0.5, -0.2])
    assert pushes.losses == pytest.approx([-np.log(0.75 * 0.5 * 0.8)])
    assert pushes.brackets[0] == pytest.approx([0.25 * 1.0986122886681098 + 0.2 * 1.3862943611198906, -0.5])


def test_shared_fakes_count_as_their_mean_times_count() -> None:
    vectors = np.array([[np.log(3), 0.0], [0.0, 1.0], [-np.log(4), 0.0]])
    phi = np.array([[1.0, 0.0]])
    pushes = measure_pushes(vectors, phi, batch([0], [1, 2], count=3), with_brackets=True)
    assert pushes.losses == pytest.approx([-np.log(0.75) + 1.5 * (-np.log(0.5) - np.log(0.8))])
    assert pushes.pushes == pytest.approx(np.array([[-0.75, 0.0], [-0.3, 0.0]]))
    assert pushes.brackets[0] == pytest.approx([0.25 * 1.0986122886681098 + 0.3 * 1.3862943611198906, -0.75])


def test_at_zero_every_sigmoid_is_a_half() -> None:
    pushes = measure_pushes(np.zeros((3, 4)), np.ones((2, 4)), batch([0, 1], [[2], [2]]), with_brackets=False)
    assert pushes.losses == pytest.approx([2 * LOG2, 2 * LOG2])
    assert pushes.pulls == pytest.approx([0.5, 0.5])
    assert pushes.brackets.size == 0


@pytest.mark.parametrize("scale", [0.1, 40.0])
def test_losses_of_large_dots_neither_overflow_nor_vanish(scale: float) -> None:
    vectors, phi = np.full((100, 1), scale, np.float32), np.full((1, 1), scale, np.float32)
    one = batch([0], [list(range(70))], count=70, dtype=np.float32)
    losses = measure_pushes(vectors, phi, one, with_brackets=False).losses
    dot = scale * scale
    assert losses == pytest.approx([np.log1p(np.exp(-dot)) + 70 * (dot + np.log1p(np.exp(-dot)))], rel=1e-4)


class FollowWorld:
    """A differentiable follow objective over (vectors, W, b) of five users, in double precision."""

    def __init__(self, negatives: object, count: int) -> None:
        random = np.random.default_rng(3)
        self.vectors = random.standard_normal((5, 3))
        self.phi = Phi(random.standard_normal((3, 3)), random.standard_normal(3), np.zeros((0, 3)))
        self.followees = np.array([2, 3])
        self.batch = batch([0, 1], negatives, count)

    def projected(self) -> np.ndarray:
        return self.vectors[self.followees] @ self.phi.matrix.T + self.phi.bias

    def loss(self) -> float:
        return float(measure_pushes(self.vectors, self.projected(), self.batch, with_brackets=False).losses.sum())


def numeric(world: FollowWorld, array: np.ndarray) -> np.ndarray:
    slope = np.empty_like(array)
    for place in np.ndindex(*array.shape):
        before = array[place]
        array[place] = before + 1e-6
        up = world.loss()
        array[place] = before - 1e-6
        slope[place] = (up - world.loss()) / 2e-6
        array[place] = before
    return slope


@pytest.mark.parametrize(("negatives", "count"), [([[3, 4], [4, 0]], 2), ([4, 0, 1], 2)])
def test_gradients_agree_with_finite_differences(negatives: object, count: int) -> None:
    world = FollowWorld(negatives, count)
    phi, before = world.projected(), world.vectors.copy()
    pushes = measure_pushes(world.vectors, phi, world.batch, with_brackets=True)
    moved = world.vectors.copy()
    apply_pushes(moved, phi, world.batch, pushes)
    add_rows(moved, world.followees, np.ones(2), world.phi.back(pushes.brackets))
    assert moved - before == pytest.approx(-numeric(world, world.vectors), abs=1e-7)
    assert pushes.brackets.sum(0) == pytest.approx(-numeric(world, world.phi.bias), abs=1e-7)
    slope = pushes.brackets.T @ before[world.followees]
    assert slope == pytest.approx(-numeric(world, world.phi.matrix), abs=1e-7)


def test_a_factoid_moves_its_user_towards_phi_and_a_fake_away_from_it() -> None:
    random = np.random.default_rng(0)
    vectors = random.standard_normal((4, 8)).astype(np.float32)
    phi = random.standard_normal((1, 8)).astype(np.float32)
    one, before = batch([0], [[3]], step=0.5, dtype=np.float32), vectors.copy()
    apply_pushes(vectors, phi, one, measure_pushes(vectors, phi, one, with_brackets=False))
    moves = vectors - before
    sigma = 1 / (1 + np.exp(before[0] @ phi[0]))
    assert moves[0] == pytest.approx(0.5 * sigma * phi[0], abs=1e-6)
    assert moves[3] @ phi[0] < 0
    assert not moves[1:3].any()


@pytest.mark.parametrize("shared", [True, False])
def test_permuting_users_permutes_their_vectors(shared: bool) -> None:
    random = np.random.default_rng(1)
    vectors = random.standard_normal((20, 6)).astype(np.float32)
    phi = random.standard_normal((9, 6)).astype(np.float32)
    users, negatives = random.integers(0, 20, 9), random.integers(0, 20, 5 if shared else (9, 2))
    order = random.permutation(20)
    place_of = np.argsort(order)
    permuted = vectors[order]
    for space, rows, drawn in ((vectors, users, negatives), (permuted, place_of[users], place_of[negatives])):
        one = Batch(rows, np.full(9, 0.3, np.float32), drawn, 2)
        apply_pushes(space, phi, one, measure_pushes(space, phi, one, with_brackets=False))
    assert np.array_equal(permuted, vectors[order])


def test_rows_named_twice_get_both_moves() -> None:
    vectors = np.zeros((3, 2), np.float32)
    add_rows(vectors, np.array([1, 1, 2]), np.array([1, 2, 5], np.float32), np.ones((3, 2), np.float32))
    assert vectors.tolist() == [[0, 0], [3, 3], [5, 5]]


def test_several_entries_share_one_move() -> None:
    vectors = np.zeros((3, 1), np.float32)
    add_rows(vectors, np.array([0, 1, 2, 0]), np.ones(4, np.float32), np.array([[1], [10]], np.float32))
    assert vectors.tolist() == [[11], [1], [10]]


def test_buckets_keep_the_order_of_their_entries() -> None:
    starts, order = bucket_order(np.array([65, 1, 0, 65]))
    assert starts[:3].tolist() == [0, 1, 4]
    assert order.tolist() == [2, 0, 1, 3]


def test_blocks_multiply_as_the_whole() -> None:
    random = np.random.default_rng(0)
    left, right = random.standard_normal((600, 7)), random.standard_normal((7, 5))
    out = np.empty((600, 5))
    multiply(left, right, out)
    assert out == pytest.approx(left @ right)


def test_a_softmax_step_by_hand() -> None:
    """Scores log 2, log 1 and log 1 of three users: probabilities 1/2, 1/4, 1/4; the first is the user itself."""
    vectors = np.array([[np.log(2), 1.0], [0.0, 2.0], [0.0, 3.0]])
    losses = step_softmax(vectors, np.array([[1.0, 0.0]]), np.array([0]), np.array([0.1]))
    assert losses == pytest.approx([np.log(2)])
    assert vectors[:, 0] == pytest.approx([np.log(2) + 0.1 * (1 - 0.5), -0.1 * 0.25, -0.1 * 0.25])
    assert vectors[:, 1] == pytest.approx([1, 2, 3])


def test_softmax_steps_are_slopes() -> None:
    random = np.random.default_rng(2)
    vectors, phi, users = random.standard_normal((6, 3)), random.standard_normal((4, 3)), np.array([5, 0, 0, 2])
    steps = np.array([1.0, 0.5, 2.0, 1.0])

    def gained(at: np.ndarray) -> float:
        scores = at @ phi.T
        return float(steps @ (scores[users, np.arange(4)] - np.log(np.exp(scores).sum(0))))

    moved = vectors.copy()
    step_softmax(moved, phi, users, steps)
    for place in np.ndindex(vectors.shape):
        nudged = [vectors.copy(), vectors.copy()]
        nudged[0][place] += 1e-6
        nudged[1][place] -= 1e-6
        assert (moved - vectors)[place] == pytest.approx((gained(nudged[0]) - gained(nudged[1])) / 2e-6, abs=1e-5)
