"""Pictures in factoid embedding: one that many users hold does not pull them together."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.embedding.settings import Training
from factlink.evaluation.metrics import evaluate
from factlink.linkers.fe.attributes import Attributes
from factlink.linkers.fe.factoid_weights import weigh_pictures
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.fe.persons import Persons
from factlink.protocols import Scorer
from factlink.synthetic.dials import Dials, LinkDials, PictureDials, Population
from factlink.synthetic.worlds import World, twins
from factlink.types import FactoidTable, Has, Kind, Network, Objects

SMALL = Training(dim=256)
PLAIN = Persons(rounds=0, less_hubness=False)
NAMES = FELinker(SMALL, persons=PLAIN)
PICTURES = FELinker(SMALL, attributes=Attributes(kinds=("name", "image"), weigh_kinds=False), persons=PLAIN)
AS_IN_THE_PAPER = replace(PICTURES, attributes=replace(PICTURES.attributes, weigh_pictures=False))


def test_a_picture_counts_less_the_more_users_hold_it() -> None:
    """Held by 2, by 3, by 30 users, a copy of the first, and a file that gave no vector."""
    vectors = np.zeros((5, 4), np.float32)
    vectors[[0, 1, 2, 3], [0, 1, 2, 0]] = 1
    holders = [2, 3, 30, 2, 5]
    table = FactoidTable(
        n_rows=42,
        rows={"left": np.arange(21), "right": np.arange(21, 42)},
        objects={"face": Objects(Kind.IMAGE, pl.Series(["a", "b", "c", "d", "e"]))},
        has={"face": Has(np.arange(42), np.repeat(np.arange(5), holders))},
        links={},
    )
    weights = weigh_pictures(table, {"face": vectors})
    assert weights["face"] == pytest.approx([1 / 3, 1 / 2, 0, 1 / 3, 0])


def test_tables_without_pictures_have_no_weights() -> None:
    assert weigh_pictures(FactoidTable(1, {"left": np.arange(1)}, {}, {}, {}), {}) == {}


def world(pictures: PictureDials, folder: Path) -> World:
    return twins(
        Dials(Population(people=240, users=(200, 200)), links=LinkDials(mean=0), pictures=pictures, seed=2), folder
    )


def mrr(linker: FELinker, made: World) -> float:
    left, right = made.networks
    return evaluate(linker.fit(left, right), made.whole_truth(left.name, right.name)).mrr


def test_default_avatars_do_not_pull_users_together(tmp_path: Path) -> None:
    made = world(PictureDials(default=1.0, missing=0.0), tmp_path)
    assert mrr(PICTURES, made) == mrr(NAMES, made)
    assert mrr(AS_IN_THE_PAPER, made) < mrr(NAMES, made) - 0.005


def test_users_of_whom_nothing_but_a_default_avatar_is_known_are_nobody_s_candidates(tmp_path: Path) -> None:
    made = world(PictureDials(default=1.0, missing=0.0), tmp_path)
    left, right = (nameless(network) for network in made.networks)
    assert np.isneginf(scores_of(PICTURES.fit(left, right))[:10, :10]).all()
    assert np.isfinite(scores_of(AS_IN_THE_PAPER.fit(left, right))[:10, :10]).all()


def scores_of(scorer: Scorer) -> np.ndarray:
    return scorer.scores(np.arange(len(scorer.left)))


def nameless(network: Network) -> Network:
    """The first ten users without names."""
    attributes = dict(network.attributes)
    for predicate, held in attributes.items():
        if held.kind is Kind.NAME:
            kept = np.flatnonzero(held.rows >= 10)
            attributes[predicate] = replace(held, rows=held.rows[kept], objects=held.objects.gather(kept))
    return replace(network, attributes=attributes)


def test_pictures_that_people_keep_still_help(tmp_path: Path) -> None:
    made = world(PictureDials(same=0.9, default=0.1, missing=0.0), tmp_path)
    assert mrr(PICTURES, made) > mrr(NAMES, made) + 0.005


def test_the_plain_paper_version_does_not_weigh_pictures() -> None:
    assert not FELinker.paper().attributes.weigh_pictures
    assert FELinker().attributes.weigh_pictures
