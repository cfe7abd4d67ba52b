import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.errors import InputError, SettingError
from factlink.evaluation.folds import make_folds, rest_of
from factlink.types import Pairs


def pairs(*of: tuple[int, int]) -> Pairs:
    ends = np.array(of, np.int64).reshape(-1, 2)
    return Pairs(ends[:, 0], ends[:, 1])


def as_set(some: Pairs) -> set[tuple[int, int]]:
    return set(zip(some.lefts.tolist(), some.rights.tolist(), strict=True))


@given(st.sets(st.tuples(st.integers(0, 60), st.integers(0, 60)), min_size=12, max_size=80), st.integers(2, 5))
def test_folds_partition_the_truth(truth: set[tuple[int, int]], n_folds: int) -> None:
    if len({left for left, _ in truth}) < n_folds:
        return
    folds = make_folds(pairs(*truth), n_folds, seed=3)
    tested = [pair for fold in folds for pair in as_set(fold.tested)]
    assert sorted(tested) == sorted(truth)
    for fold in folds:
        assert as_set(fold.known) == truth - as_set(fold.tested)
        assert not set(fold.known.lefts.tolist()) & set(fold.tested.lefts.tolist())


def test_folds_are_of_equal_size_and_random_but_the_same_for_the_same_seed() -> None:
    truth = pairs(*((n, n) for n in range(100)))
    folds = make_folds(truth, 5)
    assert [len(fold.tested) for fold in folds] == [20] * 5
    assert folds[0].tested.lefts.tolist() != list(range(20))
    assert folds[0].tested.lefts.tolist() == make_folds(truth, 5)[0].tested.lefts.tolist()
    assert folds[0].tested.lefts.tolist() != make_folds(truth, 5, seed=1)[0].tested.lefts.tolist()


def test_one_fold_tests_everything_and_knows_nothing() -> None:
    (fold,) = make_folds(pairs((0, 0), (1, 1)), 1)
    assert len(fold.tested) == 2
    assert len(fold.known) == 0


def test_too_many_or_no_folds_are_refused() -> None:
    with pytest.raises(InputError, match="names 2 left users, too few for 3 folds"):
        make_folds(pairs((0, 0), (1, 1), (1, 2)), 3)
    with pytest.raises(SettingError, match="folds is 0; there is at least 1"):
        make_folds(pairs((0, 0)), 0)


def test_the_rest_shares_no_user_with_the_known_pairs() -> None:
    fold = rest_of(pairs((0, 0), (1, 1), (2, 2), (1, 5), (4, 0)), pairs((0, 0), (1, 1)))
    assert as_set(fold.tested) == {(2, 2)}
    assert as_set(fold.known) == {(0, 0), (1, 1)}


def test_known_pairs_that_leave_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="cover the whole truth"):
        rest_of(pairs((0, 0)), pairs((0, 0)))
