"""The best pair over all name columns: by hand, and streaming against the full table."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.candidates.top_k import best_of_block
from factlink.errors import InputError, SettingError
from factlink.linkers.baselines.features.best_pairs import BestPairScorer
from factlink.linkers.baselines.features.owned_objects import owned_objects
from factlink.linkers.baselines.features.similarities import JaroWinkler, SparseCosine, VectorCosine
from factlink.linkers.baselines.name import NameLinker
from factlink.types import Attribute, Kind, Network


def network(called: str, n: int, **columns: list[tuple[int, str]]) -> Network:
    attributes = {
        predicate: Attribute(Kind.NAME, np.array([row for row, _ in cells], np.int32), pl.Series([v for _, v in cells]))
        for predicate, cells in columns.items()
    }
    return Network(called, pl.Series([f"{called}{i}" for i in range(n)]), attributes, {})


LEFT = network("left", 3, name=[(0, "Amy Tan"), (1, "Desmond Ng")], nickname=[(0, "amytan88"), (0, "amy")])
RIGHT = network(
    "right", 4, handle=[(0, "desmond_ng"), (2, "amytan88"), (3, "nicole")], display=[(0, "Des"), (3, "Nic")]
)


def jaro_winkler(left: Network, right: Network) -> BestPairScorer:
    return NameLinker("jaro-winkler").fit(left, right)


def test_owned_objects_are_distinct_and_know_their_owners() -> None:
    owned = owned_objects(LEFT, Kind.NAME)
    assert owned.objects.to_list() == ["Amy Tan", "Desmond Ng", "amy", "amytan88"]
    assert owned.owners.tolist() == [0, 0, 0, 1]
    assert owned.places.tolist() == [0, 2, 3, 1]


def test_a_nickname_on_one_side_meets_a_handle_on_the_other() -> None:
    scores = jaro_winkler(LEFT, RIGHT).scores(np.array([0, 1]))
    assert scores[0, 2] == 1.0
    assert np.argmax(scores, axis=1).tolist() == [2, 0]


def test_who_has_no_name_is_not_scored() -> None:
    scorer = jaro_winkler(LEFT, RIGHT)
    assert np.isneginf(scorer.scores(np.array([2]))).all()
    assert np.isneginf(scorer.scores(np.array([0]))[0, 1])
    assert scorer.candidates(4).rights[2].tolist() == [-1, -1, -1, -1]
    assert 1 not in scorer.candidates(4).rights


def test_jaro_winkler_by_hand() -> None:
    scores = JaroWinkler(["MARTHA"], ["marhta", "xyz"]).scores(np.array([0]))
    assert scores[0].tolist() == pytest.approx([0.9611, 0.0], abs=1e-4)


words = st.text("abc", min_size=1, max_size=4)
cells = st.lists(st.tuples(st.integers(0, 4), words), min_size=1, max_size=9)


@given(cells, cells, cells, st.integers(1, 5))
def test_candidates_are_the_best_of_the_scores(
    one: list[tuple[int, str]], two: list[tuple[int, str]], three: list[tuple[int, str]], k: int
) -> None:
    scorer = jaro_winkler(network("l", 5, a=sorted(one)), network("r", 5, a=sorted(two), b=sorted(three)))
    whole = best_of_block(scorer.scores(np.arange(5)), k)
    found = scorer.candidates(k)
    assert np.array_equal(found.scores, whole.scores)
    assert np.array_equal(found.rights >= 0, whole.rights >= 0)


def test_vector_and_sparse_cosine_agree() -> None:
    from scipy.sparse import csr_matrix

    rng = np.random.default_rng(0)
    left, right = (np.abs(rng.standard_normal((n, 5), np.float32)) for n in (4, 6))
    dense, sparse = VectorCosine(left, right), SparseCosine(csr_matrix(left), csr_matrix(right))
    rows = np.array([3, 1])
    assert np.allclose(dense.scores(rows), sparse.scores(rows), atol=1e-6)
    assert np.array_equal(dense.nearest(rows, 3).rights, sparse.nearest(rows, 3).rights)


def test_a_network_without_names_is_refused() -> None:
    with pytest.raises(InputError, match=r"network 'right' has no names; set a column's kind \(--kind COLUMN=name\)"):
        NameLinker().fit(LEFT, network("right", 2))


def test_an_unknown_similarity_is_refused() -> None:
    with pytest.raises(
        SettingError,
        match="no name similarity is called 'soundex'; there are: jaro-winkler, jaro-winkler-vectors, ngrams",
    ):
        NameLinker("soundex")


def test_nearest_names_are_those_of_the_whole_table_both_ways() -> None:
    lefts, rights = ["amy tan", "AMY TAN", "bo li", "zoe"], ["amy tan", "amytan", "li bo", "amy t"]
    names = JaroWinkler(lefts, rights)
    table = names.scores(np.arange(4))
    forth = names.nearest(np.array([2, 0]), 3)
    back = names.turned().nearest(np.arange(4), 2)
    for row, near in zip((2, 0), range(2), strict=True):
        assert forth.rights[near].tolist() == np.lexsort((np.arange(4), -table[row]))[:3].tolist()
        assert forth.scores[near].tolist() == np.sort(table[row])[::-1][:3].tolist()
    assert back.rights[0].tolist() == [0, 1]  # of two names that are equal but for their case the first
    assert back.scores[:, 0].tolist() == table.max(axis=0).tolist()
