import numpy as np
import pytest
from rapidfuzz.distance import JaroWinkler
from rapidfuzz.process import cdist

from factlink.errors import SettingError
from factlink.synthetic.worlds import Population, World, preset, twins
from factlink.types import Network


@pytest.fixture(scope="module")
def facebook_twitter() -> World:
    return twins(preset("fb-tw"))


@pytest.fixture(scope="module")
def foursquare_twitter() -> World:
    return twins(preset("fq-tw"))


@pytest.fixture(scope="module")
def crawl() -> World:
    return twins(preset("crawl"))


def counts(world: World) -> list[tuple[int, int]]:
    return [(len(network), len(network.links["follows"])) for network in world.networks]


def test_facebook_twitter_has_the_counts_of_the_paper(facebook_twitter: World) -> None:
    assert counts(facebook_twitter) == [(17_359, 224_762), (20_024, 165_406)]
    assert len(facebook_twitter.truth("facebook", "twitter")) == 1_998
    for network in facebook_twitter.networks:
        assert list(network.attributes) == ["username", "screen_name"]


def test_foursquare_twitter_has_the_counts_of_the_paper(foursquare_twitter: World) -> None:
    assert counts(foursquare_twitter) == [(21_668, 312_740), (25_772, 405_590)]
    assert len(foursquare_twitter.truth("foursquare", "twitter")) == 3_602
    for network in foursquare_twitter.networks:
        assert list(network.attributes) == ["screen_name"]


def test_a_crawl_has_the_counts_and_the_overlap_of_the_public_set(crawl: World) -> None:
    assert counts(crawl) == [(5_313, 54_233), (5_120, 130_575)]
    assert len(crawl.truth("foursquare", "twitter")) == 1_930
    assert len(crawl.whole_truth("foursquare", "twitter")) == 2_030
    left, right = (links_among_common(crawl, place) for place in (0, 1))
    both = len(left & right)
    assert both / len(left | right) == pytest.approx(0.19, abs=0.02)
    assert both / len(left) == pytest.approx(0.53, abs=0.03)
    assert both / len(right) == pytest.approx(0.23, abs=0.03)


def links_among_common(world: World, place: int) -> set[frozenset[int]]:
    """Links between people that the truth names, whichever direction."""
    truth = world.truth("foursquare", "twitter")
    common = world.persons[0][truth.lefts]
    follows, persons = world.networks[place].links["follows"], world.persons[place]
    ends = persons[follows.followers], persons[follows.followees]
    inside = np.isin(ends[0], common) & np.isin(ends[1], common)
    return {frozenset(pair) for pair in zip(*(side[inside].tolist() for side in ends), strict=True)}


def test_a_crawl_needs_two_networks_and_people_in_common() -> None:
    with pytest.raises(SettingError, match="needs two networks, users of both, and revealed people"):
        Population(crawled=True)
    with pytest.raises(SettingError, match="are 5 in common; a crawl needs at least revealed=9"):
        Population(people=15, users=(10, 10), revealed=9, crawled=True)


def test_not_everybody_is_in_both_networks(facebook_twitter: World, foursquare_twitter: World) -> None:
    assert len(facebook_twitter.whole_truth("facebook", "twitter")) == pytest.approx(11_587, rel=0.02)
    assert len(foursquare_twitter.whole_truth("foursquare", "twitter")) == pytest.approx(14_695, rel=0.02)


def names(network: Network, predicate: str) -> list[str]:
    return network.attributes[predicate].objects.str.to_lowercase().to_list()


def hit_rates(world: World, predicates: list[str]) -> tuple[float, float]:
    """HR@1 and HR@30 of Jaro-Winkler over all right users, the better of the predicates; ties at the middle rank."""
    left, right = world.networks
    truth = world.truth(left.name, right.name)
    columns = [(names(left, predicate), names(right, predicate)) for predicate in predicates]
    ranks = []
    for start in range(0, len(truth), 400):
        rows, wanted = truth.lefts[start : start + 400], truth.rights[start : start + 400]
        scores = np.max([similarities([lefts[row] for row in rows], rights) for lefts, rights in columns], axis=0)
        true = scores[np.arange(len(rows)), wanted][:, None]
        ranks.append(1 + (scores > true).sum(axis=1) + ((scores == true).sum(axis=1) - 1) / 2)
    return float(np.mean(np.concatenate(ranks) <= 1)), float(np.mean(np.concatenate(ranks) <= 30))


def similarities(lefts: list[str], rights: list[str]) -> np.ndarray:
    return cdist(lefts, rights, scorer=JaroWinkler.normalized_similarity, dtype=np.float32)


def test_names_of_facebook_twitter_are_as_hard_as_in_the_paper(facebook_twitter: World) -> None:
    first, thirtieth = hit_rates(facebook_twitter, ["username", "screen_name"])
    assert first == pytest.approx(0.5825, abs=0.02)
    assert thirtieth == pytest.approx(0.7232, abs=0.03)


def test_names_of_foursquare_twitter_are_as_hard_as_in_the_paper(foursquare_twitter: World) -> None:
    first, thirtieth = hit_rates(foursquare_twitter, ["screen_name"])
    assert first == pytest.approx(0.5227, abs=0.02)
    assert thirtieth == pytest.approx(0.7293, abs=0.03)


def test_unknown_preset_is_refused() -> None:
    with pytest.raises(SettingError, match="no preset is called 'tw-fb'; there are: fb-tw, fq-tw"):
        preset("tw-fb")
