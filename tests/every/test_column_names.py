"""What a column or a link predicate is called changes nothing: neither who is linked nor what that rests on."""

from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from factlink.evidence import EvidenceSource
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.scorer import FactoidScorer
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population
from factlink.synthetic.worlds import World, twins
from factlink.types import Ints, Kind, Network
from tests.every.test_linkers import linker, split
from tests.every.test_linkers import world as small_world

WORDS = (
    "links",
    "names",
    "linked neighbours",
    "neighbours' names",
    "votes",
    "follows",
    "id2",
    "rest",
    "rivals",
    "friends",
    "row",
    "object",
    "username + screen_name",
)
"""Names of columns that the software uses for something else, or once did."""
HARMLESS = ("zq0", "zq1", "zq2")


@cache
def world() -> World:
    """Two names, a text, and a category that says where people live."""
    population = Population(people=120, presence=0.9, predicates=("username", "screen_name", "bio", "location"))
    return twins(Dials(population, NameDials(hidden=0.05), links=LinkDials(mean=8), seed=8))


def called(network: Network, names: tuple[str, ...], links: str = "follows") -> Network:
    """The network with other words for its username, its bio and its place, which is a category here."""
    words = dict(zip(("username", "bio", "location"), names, strict=True))
    place = replace(network.attributes["location"], kind=Kind.CATEGORY)
    attributes = {words.get(p, p): place if p == "location" else a for p, a in network.attributes.items()}
    return replace(network, attributes=attributes, links={links: network.links["follows"]})


def renamed(labels: pl.Series, names: tuple[str, ...]) -> pl.Series:
    """Labels that bear the harmless words, with others in their place."""
    for harmless, name in zip(HARMLESS, names, strict=True):
        labels = labels.str.replace_all(harmless, name, literal=True)
    return labels


@cache
def fitted(names: tuple[str, ...], links: str = "follows") -> FactoidScorer:
    left, right = (called(network, names, links) for network in world().networks)
    return FactoidLinker().fit(left, right).scorer


def asked() -> tuple[Ints, Ints]:
    pairs = fitted(HARMLESS).pairs
    return pairs.lefts[::7], pairs.rights[::7]


@pytest.mark.parametrize("place", range(0, len(WORDS), 2))
def test_the_default_linker_finds_the_same_whatever_columns_are_called(place: int) -> None:
    names = WORDS[place], WORDS[(place + 1) % len(WORDS)], WORDS[(place + 4) % len(WORDS)]
    plain, found = fitted(HARMLESS), fitted(names)
    assert found.pair_scores.tobytes() == plain.pair_scores.tobytes()
    assert found.pairs.rights.tobytes() == plain.pairs.rights.tobytes()
    expected = plain.explain(*asked())
    expected = expected.with_columns(renamed(expected["predicate"], names))
    assert_frame_equal(found.explain(*asked()), expected)
    for mine, theirs in zip(found.channel_weights, plain.channel_weights, strict=True):
        predicates = renamed(pl.Series([theirs.left, theirs.right]), names)
        assert (mine.source, mine.left, mine.right, mine.weight) == (theirs.source, *predicates, theirs.weight)


@pytest.mark.parametrize("word", ["names", "screen_name", "linked neighbours"])
def test_the_default_linker_finds_the_same_whatever_links_are_called(word: str) -> None:
    plain, found = fitted(HARMLESS), fitted(HARMLESS, word)
    assert found.pair_scores.tobytes() == plain.pair_scores.tobytes()
    assert_frame_equal(found.explain(*asked()), plain.explain(*asked()))
    weighed = [(w.left, w.right) for w in found.channel_weights if w.source is EvidenceSource.LINK_PREDICATE]
    assert weighed == [(word, ""), ("", word)]


def test_a_text_called_links_is_reported_as_a_text() -> None:
    found = fitted(("names", "links", "votes")).explain(*asked())
    kinds = dict(found.group_by("predicate").agg(pl.col("kind").unique().sort().str.join(" ")).rows())
    assert kinds["links"] == "text"
    assert kinds["votes"] == "category"
    assert kinds["names"] == "name"
    assert kinds["linked friends"] == "friends"
    texts, friends = (found.filter(kind=kind)["weight"].abs().sum() for kind in ("text", "friends"))
    assert 0 < texts < friends


@pytest.mark.parametrize("name", ["cnl", "cosnet", "fe", "lr", "name"])
def test_other_linkers_find_the_same_and_say_as_much_of_each_kind(name: str) -> None:
    left, right = small_world().networks
    known, truth = split()
    kinds, scores = [], []
    for words in (("zq0", "zq1", "zq2"), ("follows", "friends", "links")):
        called_now = dict(zip(("username", "screen_name", "bio"), words, strict=True))
        networks = [
            replace(n, attributes={called_now[p]: attribute for p, attribute in n.attributes.items()})
            for n in (left, right)
        ]
        scorer = linker(name).fit(networks[0], networks[1], known)
        parts = scorer.explain(truth.lefts[:20], truth.rights[:20])
        kinds.append(parts.group_by("pair", "kind", maintain_order=True).agg(pl.col("weight").sum()))
        scores.append(scorer.scores(np.arange(len(left))))
    assert scores[0].tobytes() == scores[1].tobytes()
    assert_frame_equal(kinds[0], kinds[1], check_exact=True)
