"""Links as a graph, by hand."""

from factlink.embedding.walks.adjacency import is_directed, join_links, undirected
from tests.embedding.walks.graphs import follows


def test_predicates_stand_end_to_end_without_loops() -> None:
    joined = join_links({"follows": follows((0, 1), (2, 2)), "likes": follows((1, 0), weights=[3])})
    assert joined.followers.tolist() == [0, 1]
    assert joined.followees.tolist() == [1, 0]
    assert joined.weights.tolist() == [1, 3]


def test_no_predicate_is_no_link() -> None:
    assert len(join_links({})) == 0
    assert undirected({}, 3).toarray().tolist() == [[0, 0, 0]] * 3


def test_both_directions_and_all_predicates_weigh_together() -> None:
    graph = undirected({"follows": follows((0, 1), (1, 0), (1, 2)), "likes": follows((0, 2), weights=[3])}, 3)
    assert graph.toarray().tolist() == [[0, 2, 3], [2, 0, 1], [3, 1, 0]]


def test_a_network_that_returns_a_link_is_directed() -> None:
    assert is_directed(follows((0, 1), (2, 1), (1, 0)))
    assert not is_directed(follows((0, 1), (2, 1), (0, 2)))
    assert not is_directed(follows())
