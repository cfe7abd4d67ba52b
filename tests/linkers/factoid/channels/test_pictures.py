"""Pictures as evidence of the default linker: the same one counts, one that many hold does not."""

from dataclasses import replace
from pathlib import Path

import pytest

from factlink.evaluation.metrics import evaluate
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.synthetic.dials import Dials, LinkDials, PictureDials, Population
from factlink.synthetic.worlds import twins
from factlink.types import Network, Pairs

PEOPLE = Population(people=240, users=(200, 200))


def world(pictures: PictureDials, folder: Path) -> tuple[Network, Network, Pairs]:
    made = twins(Dials(PEOPLE, links=LinkDials(mean=0), pictures=pictures, seed=2), folder)
    left, right = made.networks
    return left, right, made.whole_truth(left.name, right.name)


def hits(left: Network, right: Network, truth: Pairs) -> float:
    return evaluate(FactoidLinker().fit(left, right), truth).hits[1]


def without_pictures(network: Network) -> Network:
    return replace(network, attributes={p: a for p, a in network.attributes.items() if p != "picture"})


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Network, Network, Pairs]:
    return world(PictureDials(same=0.8, default=0.1), tmp_path_factory.mktemp("pictures"))


def test_people_who_keep_their_picture_are_found_by_it(shown: tuple[Network, Network, Pairs]) -> None:
    left, right, truth = shown
    assert hits(left, right, truth) > hits(without_pictures(left), without_pictures(right), truth) + 0.03


def test_the_worth_of_pictures_says_how_many_are_the_same(shown: tuple[Network, Network, Pairs]) -> None:
    channel_weights = {worth.left: worth for worth in FactoidLinker().fit(shown[0], shown[1]).channel_weights}
    assert 0.5 < channel_weights["picture"].weight < 0.95
    assert "that have the same picture" in channel_weights["picture"].reason


def test_default_avatars_are_no_evidence(tmp_path: Path) -> None:
    left, right, truth = world(PictureDials(default=1.0, missing=0.0), tmp_path)
    assert hits(left, right, truth) >= hits(without_pictures(left), without_pictures(right), truth) - 0.005
