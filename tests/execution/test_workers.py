"""How work is cut changes no byte."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factlink.candidates import top_k
from factlink.candidates.top_k import nearest_both_ways
from factlink.execution.workers import HERE, Workers, cut, join, spans
from factlink.linkers.factoid.linker import FactoidLinker, FactoidScorer
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import NO_PAIRS


class Cutters(Workers):
    """This process, but in parts; and which steps it was asked for."""

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self.asked: dict[str, int] = {}

    def map(self, step: Callable[..., Any], parts: Sequence[Any], *shared: Any) -> list[Any]:
        self.asked[step.__name__] = max(self.asked.get(step.__name__, 0), len(parts))
        return [step(part, *shared) for part in parts]


def fit(workers: Workers) -> FactoidScorer:
    left, right = twins(
        Dials(seed=2, population=Population(people=300, predicates=("username", "bio", "noise")))
    ).networks
    return FactoidLinker(k=20).fit_over(workers, left, right, NO_PAIRS).scorer


def test_every_stage_in_parts_gives_the_bytes_of_one_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "BLOCK_ENTRIES", 10_000)
    cutters = Cutters(4)
    whole, parted = fit(HERE), fit(cutters)
    assert whole.pairs.lefts.tolist() == parted.pairs.lefts.tolist()
    assert whole.pairs.rights.tolist() == parted.pairs.rights.tolist()
    assert whole.evidence.tobytes() == parted.evidence.tobytes()
    assert whole.probabilities.tobytes() == parted.probabilities.tobytes()
    assert {step: parts for step, parts in cutters.asked.items() if parts < 4} == {}
    assert set(cutters.asked) >= {
        "pack_part",
        "count_part",
        "project_part",
        "rows_part",
        "vectors_part",
        "encode_part",
        "propagate_part",
        "meet_part",
        "sparse_products_of",
        "vector_products_of",
        "propose_part",
        "balance_part",
    }


def test_the_nearest_of_equals_are_the_same_however_rows_are_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(top_k, "BLOCK_ENTRIES", 60)
    rng = np.random.default_rng(0)
    left, right = (rng.integers(0, 2, (n, 3)).astype(np.float32) for n in (40, 20))  # many equal scores
    one, many = nearest_both_ways(left, right, 3), nearest_both_ways(left, right, 3, Cutters(7))
    assert set(zip(*map(np.ndarray.tolist, one), strict=True)) == set(zip(*map(np.ndarray.tolist, many), strict=True))


@given(st.integers(0, 50), st.integers(1, 60))
def test_parts_are_all_of_it_in_order(n: int, parts: int) -> None:
    values = np.arange(n)
    dealt = cut(values, n, parts)
    assert join(dealt).tolist() == values.tolist()
    assert len(spans(n, parts)) == max(1, min(n, parts))
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1


def test_one_part_is_not_copied() -> None:
    values = np.arange(3)
    assert cut(values, 3, 1)[0] is values
    assert join([values]) is values
