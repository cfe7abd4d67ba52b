import numpy as np

from factlink.evaluation.cycles import Disagreement, list_disagreements, open_triangles
from factlink.types import Candidates


def best(*rights: int) -> Candidates:
    column = np.array(rights, np.int32)[:, None]
    return Candidates(column, np.ones(column.shape, np.float32))


def test_a_triangle_that_does_not_close_is_listed() -> None:
    triangles = list_disagreements({("a", "b"): best(1, 0), ("b", "c"): best(0, 1), ("a", "c"): best(1, 1)})
    assert list(triangles) == [Disagreement(("a", "b", "c"), first=1, second=0, third=1, detour=0)]


def test_agreeing_networks_have_none() -> None:
    same = best(0, 1, 2)
    assert not list(list_disagreements({("a", "b"): same, ("b", "c"): same, ("a", "c"): same}))


def test_two_networks_make_no_triangle() -> None:
    assert not list(list_disagreements({("a", "b"): best(0)}))


def test_missing_candidates_make_no_triangle() -> None:
    nobody, zero, one = np.array([-1]), np.array([0]), np.array([1])
    for sides in ((nobody, zero, one), (zero, nobody, one), (zero, zero, nobody)):
        assert len(open_triangles(*sides)) == 0
    assert open_triangles(zero, zero, one).tolist() == [[0, 0, 1, 0]]
