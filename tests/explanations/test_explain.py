"""What is kept of explanations."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from factlink.evidence import PARTS
from factlink.explanations.explain import EVIDENCE, choose_pairs, explain_pairs, keep_strongest
from factlink.protocols import Scorer
from factlink.types import Floats, Ints, Links, Network


def parts(*rows: tuple[int, str, float]) -> pl.DataFrame:
    frame = pl.DataFrame(rows, schema=["pair", "kind", "weight"], orient="row")
    told = {"predicate": pl.col("kind"), "left": pl.lit("a"), "right": pl.lit("b"), "note": pl.lit(None, pl.String)}
    return frame.with_columns(**told).select(pl.col(name).cast(kind) for name, kind in PARTS.items())


def test_the_strongest_parts_stay_and_small_ones_are_added_up_by_kind() -> None:
    found = keep_strongest(
        parts((0, "name", 0.5), (0, "friends", -2.0), (0, "friends", 0.25), (0, "friends", 0.125), (1, "name", 1.0)), 2
    )
    assert found.select("pair", "kind", "predicate", "weight").rows() == [
        (0, "friends", "friends", -2.0),
        (0, "name", "name", 0.5),
        (0, "friends", "friends, 2 smaller parts", 0.375),
        (1, "name", "name", 1.0),
    ]


def links(probabilities: list[float], rights: list[int]) -> Links:
    n = len(rights)
    zeros = np.zeros(n, np.float32)
    return Links(np.arange(n), np.array(rights), zeros, np.array(probabilities, np.float32), zeros, zeros, zeros)


def test_all_pairs_are_kept_as_long_as_they_are_few() -> None:
    assert choose_pairs(links([0.9, 0.1, 0.5], [4, -1, 6]), 10).tolist() == [0, 2]


def test_of_many_pairs_the_doubtful_and_the_surest_are_kept() -> None:
    probabilities = np.linspace(0.5, 1.0, 100).tolist()
    chosen = choose_pairs(links(probabilities, list(range(100))), 20).tolist()
    assert len(chosen) == len(set(chosen)) == 20
    assert chosen[:10] == list(range(10))
    assert chosen[-2:] == [98, 99]


def test_a_scorer_that_knows_scores_alone_has_no_evidence() -> None:
    @dataclass(frozen=True)
    class Plain(Scorer):
        left: Network
        right: Network

        def scores(self, rows: Ints) -> Floats:
            return np.zeros((len(rows), len(self.right)), np.float32)

    network = Network("n", pl.Series(["a"]), {}, {})
    found = explain_pairs(Plain(network, network), np.array([0]), np.array([0]))
    assert (found.height, found.schema) == (0, EVIDENCE)
