import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.candidates.products import sparse_products, vector_products
from factlink.linkers.factoid.channels.votes import VoterIndex, Votes, cast_votes, propose_pairs
from factlink.types import Pairs

STAR = csr_matrix(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], np.float32))


def star_votes(linked: list[int]) -> Votes:
    return cast_votes(STAR, STAR, Pairs(np.array(linked), np.array(linked)), np.ones(len(linked), np.float32))


def test_a_linked_neighbour_in_common_is_a_vote() -> None:
    votes = star_votes([1])
    pairs = gather_pairs(3, 3, [(np.array([0, 1, 2]), np.array([0, 1, 2]))])
    weight = np.log(3)
    assert_allclose(
        sparse_products(votes.left, votes.right, pairs.lefts, pairs.rights), [weight / (weight + 5), 0, 0], rtol=1e-5
    )


def test_a_pair_never_votes_for_itself() -> None:
    votes = star_votes([0])
    pairs = gather_pairs(3, 3, [(np.array([0]), np.array([0]))])
    assert_array_equal(sparse_products(votes.left, votes.right, pairs.lefts, pairs.rights), [0])


def test_votes_propose_pairs_that_share_a_linked_neighbour() -> None:
    lefts, rights = propose_pairs(star_votes([1]), 5)
    assert_array_equal(lefts, [0])
    assert_array_equal(rights, [0])


def test_one_linked_neighbour_proposes_all_pairs_that_share_it() -> None:
    lefts, rights = propose_pairs(star_votes([0]), 5)
    assert sorted(zip(lefts.tolist(), rights.tolist(), strict=True)) == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_a_weak_link_has_a_weaker_voice() -> None:
    linked = Pairs(np.array([1]), np.array([1]))
    pairs = gather_pairs(3, 3, [(np.array([0]), np.array([0]))])
    strong, weak = (cast_votes(STAR, STAR, linked, np.array([s], np.float32)) for s in (1.0, 0.2))
    assert sparse_products(weak.left, weak.right, pairs.lefts, pairs.rights) < sparse_products(
        strong.left, strong.right, pairs.lefts, pairs.rights
    )


def test_products_agree_with_dense_ones() -> None:
    rng = np.random.default_rng(0)
    left, right = rng.random((5, 8)).astype(np.float32), rng.random((4, 8)).astype(np.float32)
    left[left < 0.5], right[right < 0.5] = 0, 0
    lefts, rights = np.indices((5, 4))
    pairs = gather_pairs(5, 4, [(lefts.ravel(), rights.ravel())])
    wanted = (left @ right.T).ravel()
    assert_allclose(sparse_products(csr_matrix(left), csr_matrix(right), pairs.lefts, pairs.rights), wanted, rtol=1e-5)
    assert_allclose(vector_products(left, right, pairs.lefts, pairs.rights), wanted, rtol=1e-5)


def random_neighbours(n: int, seed: int) -> csr_matrix:
    rng = np.random.default_rng(seed)
    half = np.triu(rng.random((n, n)) < 0.15, 1) * rng.uniform(0.5, 1, (n, n))
    return csr_matrix((half + half.T).astype(np.float32))


def test_an_index_casts_and_proposes_as_looking_at_everybody_does() -> None:
    left, right = random_neighbours(30, 1), random_neighbours(25, 2)
    linked = Pairs(np.array([3, 7, 7, 20, 11, 2]), np.array([4, 1, 9, 9, 24, 0]))
    strengths = np.array([1, 0.5, 0.7, 1, 0.2, 0.9], np.float32)
    index = VoterIndex.of((left, right), linked, strengths)
    everybody = cast_votes(left, right, linked, strengths)
    assert_allclose(index.votes(left, 0).toarray(), everybody.left.toarray(), rtol=1e-5)
    assert_allclose(index.votes(right[[5, 9]], 1).toarray(), everybody.right[[5, 9]].toarray(), rtol=1e-5)
    some = np.array([0, 12, 29])
    users, proposed = index.propose(index.votes(left[some], 0), linked.rights, right, 1, 4)
    products = (everybody.left[some] @ everybody.right.T).toarray()
    for place in range(len(some)):
        best = np.sort(products[place][products[place] > 0])[::-1][:4]
        assert_allclose(products[place, proposed[users == place]], best, rtol=1e-5)


def test_an_index_proposes_whose_linked_neighbours_are_shared_before_whose_are_many() -> None:
    """User 0 has voter 1; on the other side 0 has that voter alone, and 3, a little nearer, 2 voters more."""
    left = csr_matrix((np.ones(2, np.float32), ([0, 1], [1, 0])), shape=(60, 60))
    ends = [(0, 1, 1.0), (3, 1, 1.1), (3, 2, 5.0), (3, 4, 5.0)]
    rows, columns, values = (np.array(each) for each in zip(*ends, strict=True))
    right = csr_matrix((values.astype(np.float32), (rows, columns)), shape=(60, 60))
    right = (right + right.T).tocsr()
    linked = Pairs(np.array([1, 2, 4]), np.array([1, 2, 4]))
    index = VoterIndex.of((left, right), linked, np.ones(3, np.float32))
    users, proposed = index.propose(index.votes(left[[0]], 0), linked.rights, right, 1, 1)
    assert (users.tolist(), proposed.tolist()) == ([0], [0])
