"""Each kind of evidence taken apart: its parts add up to what its channel says, and name who or what met."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.matching import FARTHEST, Matching
from factlink.decision.pair_model import Curve, PairModel
from factlink.evidence import FRIENDS, RIVALS, ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels.attributes import attribute_channels
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.channels.neighbourhood import Neighbourhood
from factlink.linkers.factoid.explanation import links
from factlink.linkers.factoid.explanation.asked import Asked
from factlink.linkers.factoid.explanation.pairs import explain_pairs, place_users
from factlink.linkers.factoid.probability.learning import Probabilities
from factlink.linkers.factoid.probability.ranking import Ranking
from factlink.linkers.factoid.state.state import Origins
from factlink.linkers.factoid.written.names import Names, read_names
from factlink.types import NO_PAIRS, Attribute, Floats, Kind, Network, Pairs

FLAT = Curve((0.0,), (0.0,))
WEIGHTS = np.array([1, 0.5, 1], np.float32)
LEFTS, RIGHTS = np.repeat(np.arange(3), 3), np.tile(np.arange(3), 3)


def attribute(kind: Kind, owned: list[tuple[int, str]]) -> Attribute:
    return Attribute(kind, np.array([row for row, _ in owned]), pl.Series([said for _, said in owned], dtype=pl.String))


LEFT = Network(
    "left",
    pl.Series(["a", "b", "c"]),
    {
        "name": attribute(Kind.NAME, [(0, "ann lee"), (1, "bob ray")]),
        "nick": attribute(Kind.NAME, [(0, "annie"), (0, "lee ann"), (2, "cat")]),
        "bio": attribute(Kind.TEXT, [(0, "likes green tea"), (0, "sails"), (1, "plays chess")]),
        "job": attribute(Kind.CATEGORY, [(0, "baker"), (1, "smith")]),
        "born": attribute(Kind.DATE, [(0, "1990-05-17"), (2, "1985-01-02")]),
        "town": attribute(Kind.LOCATION, [(0, "Port Louis"), (1, "Lima")]),
    },
    {},
)
RIGHT = Network(
    "right",
    pl.Series(["x", "y", "z"]),
    {
        "name": attribute(Kind.NAME, [(0, "ann lee"), (1, "ray bob"), (2, "gus yew")]),
        "about": attribute(Kind.TEXT, [(0, "green tea and boats"), (2, "chess")]),
        "job": attribute(Kind.CATEGORY, [(0, "baker"), (2, "smith")]),
        "birthday": attribute(Kind.DATE, [(0, "1990-05-17"), (1, "1990-05-18")]),
        "home": attribute(Kind.LOCATION, [(0, "Port Louis"), (1, "Lima, Peru")]),
    },
    {},
)
ASKED = Asked(LEFT, RIGHT, LEFTS, RIGHTS)


def names() -> Names:
    found = read_names(LEFT, RIGHT, 256, 0, readings=False)
    assert found is not None
    return found


def origins(**more: object) -> Origins:
    plain = Origins(names(), WEIGHTS, names().vectors(WEIGHTS), None)
    return replace(plain, **more)


def weighed(channel: Channel, weight: float) -> Channel:
    return replace(channel, weighting=replace(channel.weighting, weight=weight))


def channel_of(left: str, right: str) -> Channel:
    confident = Pairs(np.array([0]), np.array([0]))
    found = attribute_channels(LEFT, RIGHT, confident, seed=0)
    return next(c for c in found if (c.weighting.left, c.weighting.right) == (left, right))


def products(channel: Channel) -> Floats:
    left, right = (rows.toarray() if hasattr(rows, "toarray") else rows for rows in (channel.left, channel.right))
    return np.asarray((left @ right.T).ravel())


def sums(parts: pl.DataFrame) -> Floats:
    """(9,): the parts of every pair added up, competing candidates left out."""
    own = parts.filter(pl.col("kind") != RIVALS)
    return np.bincount(own["pair"], own["weight"], minlength=9)


def ranking(model: PairModel, known: Pairs = NO_PAIRS, line: DecoyCalibration | None = None) -> Ranking:
    """Nobody competes, and only known pairs are candidates."""
    pairs = gather_pairs(3, 3, [(known.lefts, known.rights)])
    ones, certain = np.ones(len(known), np.float32), np.full(len(known), FARTHEST, np.float32)
    matching = Matching(certain, ones, ones, ones, np.zeros(3), np.zeros(3))
    levels = np.zeros(3, np.float32), np.array([0, 0, 0.5], np.float32)
    line = line or DecoyCalibration()
    found = Probabilities(model, (), line, (1.0, 1.0), pairs, certain, matching, levels, True, True)
    return Ranking(found, certain, np.zeros(3, np.float32), 0.0)


def explained(*channels: Channel, **more: object) -> pl.DataFrame:
    """Every channel counts two to the unit."""
    model = PairModel(0.0, tuple(Curve((0.0,), (2.0,)) for _ in channels), FLAT)
    return explain_pairs(ASKED, channels, origins(**more), ranking(model))


def test_names_add_up_and_the_parts_name_predicates_and_objects() -> None:
    channel = weighed(names().channel(WEIGHTS), 0.5)
    parts = explained(channel)
    assert_allclose(sums(parts), 2 * products(channel), atol=1e-5)
    first = parts.filter(pl.col("pair") == 0, pl.col("kind") == Kind.NAME.value)
    assert {(p["predicate"], p["left"], p["right"]) for p in first.iter_rows(named=True)} == {
        ("name", "ann lee", "ann lee"),
        ("nick · name", "annie", "ann lee"),
        ("nick · name", "lee ann", "ann lee"),
    }
    by_left = dict(first.select("left", "weight").rows())
    assert by_left["ann lee"] > by_left["lee ann"] > by_left["annie"] > 0
    assert parts.filter(pl.col("pair") == 8, pl.col("kind") != RIVALS).height == 0  # cat and gus yew


def test_a_name_predicate_that_counts_nothing_has_no_part() -> None:
    only = np.array([1, 0, 1], np.float32)
    channel = names().channel(only)
    parts = explained(channel, name_weights=only)
    assert_allclose(sums(parts), 2 * products(channel), atol=1e-5)
    assert set(parts.filter(pl.col("kind") == Kind.NAME.value)["predicate"]) == {"name"}


@pytest.mark.parametrize(
    ("left", "right", "called", "kind"),
    [
        ("job", "job", "job", Kind.CATEGORY),
        ("born", "birthday", "born · birthday", Kind.DATE),
        ("bio", "about", "bio · about", Kind.TEXT),
        ("town", "home", "town · home", Kind.LOCATION),
        ("bio", "job", "bio · job", Kind.TEXT),
        ("job", "about", "job · about", Kind.CATEGORY),
    ],
)
def test_every_kind_of_attribute_adds_up(left: str, right: str, called: str, kind: Kind) -> None:
    channel = weighed(channel_of(left, right), 0.3)
    parts = explained(channel).filter(pl.col("kind") != RIVALS)
    assert_allclose(sums(parts), 2 * products(channel), atol=1e-5)
    assert set(parts["kind"]) == {kind.value}
    assert set(parts["predicate"]) <= {called, f"{called}, as a whole"}


def test_whole_objects_meet_where_they_are_no_texts() -> None:
    parts = explained(weighed(channel_of("job", "job"), 1)).filter(pl.col("kind") != RIVALS)
    met = {pair: (left, right) for pair, left, right in parts.select("pair", "left", "right").rows()}
    assert met == {
        0: ("baker", "baker"),
        2: ("baker", "smith"),
        3: ("smith", "baker"),
        5: ("smith", "smith"),
    }
    by_pair = dict(parts.select("pair", "weight").rows())
    assert by_pair[0] == pytest.approx(by_pair[5])
    assert by_pair[0] > 0 > by_pair[2] == pytest.approx(by_pair[3])


def test_words_that_two_texts_share_are_parts_and_all_else_is_one() -> None:
    channel = weighed(channel_of("bio", "about"), 1)
    parts = explained(channel).filter(pl.col("kind") != RIVALS)
    words = parts.filter(pl.col("pair") == 0).drop_nulls("left")
    assert {("green", "green"), ("tea", "tea")} <= set(words.select("left", "right").rows())
    assert set(words["predicate"]) == {"bio · about"}
    whole = parts.filter(pl.col("predicate") == "bio · about, as a whole")
    assert whole["left"].null_count() == whole.height > 0
    equal = words.filter(pl.col("left") == pl.col("right"))
    assert equal["weight"].sum() > 0.5 * words["weight"].sum() > 0


def test_texts_by_a_model_are_compared_as_a_whole() -> None:
    rows = np.eye(3, dtype=np.float32)
    weighting = ChannelWeight(EvidenceSource.ATTRIBUTE, "bio", "about", 1.0, "")
    parts = explained(Channel(weighting, rows, rows)).filter(pl.col("kind") != RIVALS)
    assert parts.select("pair", "predicate", "left", "right", "weight").rows() == [
        (0, "bio · about", "likes green tea; sails", "green tea and boats", 2.0),
        (4, "bio · about", "plays chess", None, 2.0),
        (8, "bio · about", None, "chess", 2.0),
    ]


GRAPHS = (
    csr_matrix(np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]], np.float32)),
    csr_matrix(np.array([[0, 2, 0], [2, 0, 1], [0, 1, 0]], np.float32)),
)
HOOD = Neighbourhood(*GRAPHS, NO_PAIRS, (), ({}, {}), seed=0)


def test_neighbours_with_like_names_add_up() -> None:
    vectors = names().vectors(WEIGHTS)
    channel = weighed(HOOD.name_channel(vectors), 0.4)
    parts = explained(channel, hood=HOOD).filter(pl.col("kind") != RIVALS)
    assert_allclose(sums(parts), 2 * products(channel), atol=1e-5)
    assert set(parts["kind"]) == {FRIENDS}
    assert set(parts["predicate"]) == {"friends' names", "friends' names, the rest"}
    met = parts.filter(pl.col("predicate") == "friends' names", pl.col("pair") == 0).drop("pair", "kind", "predicate")
    assert sorted(met.select("left", "right", "note").rows()) == [
        ("bob ray (b)", "ray bob (y)", "1 and 2 neighbours"),
        ("cat (c)", "ray bob (y)", "1 and 2 neighbours"),
    ]


def test_meetings_of_neighbours_weigh_as_rare_and_as_strong_as_the_links() -> None:
    """a's friends b and c, and y's x and z: the two of x by a link of weight 2, all but y's own of one neighbour."""
    vectors = names().vectors(WEIGHTS)
    channel = weighed(HOOD.name_channel(vectors), 1)
    parts = explained(channel, hood=HOOD).filter(pl.col("pair") == 1, pl.col("predicate") == "friends' names")
    lefts, rights = vectors[[1, 2]].sum(axis=0), 2 * vectors[3] + vectors[5]
    scale = 2 / np.linalg.norm(lefts) / np.linalg.norm(rights)
    wanted = {
        ("bob ray (b)", "ann lee (x)"): 2 * scale * vectors[1] @ vectors[3],
        ("bob ray (b)", "gus yew (z)"): scale * vectors[1] @ vectors[5],
        ("cat (c)", "ann lee (x)"): 2 * scale * vectors[2] @ vectors[3],
        ("cat (c)", "gus yew (z)"): scale * vectors[2] @ vectors[5],
    }
    found = {(left, right): weight for left, right, weight in parts.select("left", "right", "weight").rows()}
    assert found == pytest.approx(wanted, abs=1e-5)


def test_only_the_strongest_meetings_of_neighbours_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    channel = weighed(HOOD.name_channel(names().vectors(WEIGHTS)), 1)
    monkeypatch.setattr(links, "MOST_FRIENDS", 1)
    parts = explained(channel, hood=HOOD).filter(pl.col("kind") != RIVALS)
    assert parts.filter(pl.col("predicate") == "friends' names").group_by("pair").len()["len"].max() == 1
    assert_allclose(sums(parts), 2 * products(channel), atol=1e-5)


def test_linked_friends_are_the_votes() -> None:
    linked = Pairs(np.array([1, 2]), np.array([1, 2]))  # b is y, c is z
    channel = weighed(HOOD.vote_channel(linked, np.array([1, 0.5], np.float32))[0], 0.2)
    parts = explained(channel, hood=HOOD, linked=linked).filter(pl.col("kind") != RIVALS)
    assert_allclose(sums(parts), 2 * products(channel), atol=1e-6)
    assert parts.select("pair", "predicate", "left", "right", "note").rows() == [
        (0, "linked friends", "bob ray (b)", "ray bob (y)", "1 and 2 neighbours"),
        (1, "linked friends", "cat (c)", "gus yew (z)", "1 and 1 neighbours"),
        (2, "linked friends", "bob ray (b)", "ray bob (y)", "1 and 2 neighbours"),
    ]


def test_what_links_friends_is_told_before_how_rare_they_are() -> None:
    linked = Pairs(np.array([1]), np.array([1]))
    channel = weighed(HOOD.vote_channel(linked, np.ones(1, np.float32))[0], 0.2)
    asked: list[tuple[list[int], ...]] = []

    def notes(pairs: Pairs, friends: Pairs) -> pl.Series:
        asked.append(tuple(rows.tolist() for rows in (pairs.lefts, pairs.rights, friends.lefts, friends.rights)))
        return pl.Series(["by knows", None])

    parts = explained(channel, hood=HOOD, linked=linked, friend_notes=notes).filter(pl.col("kind") != RIVALS)
    assert asked == [([0, 0], [0, 2], [1, 1], [1, 1])]
    assert parts.select("pair", "note").rows() == [
        (0, "by knows; 1 and 2 neighbours"),
        (2, "1 and 2 neighbours"),
    ]


def test_several_channels_count_by_their_curves_and_known_pairs_by_what_is_missing() -> None:
    one, two = names().channel(WEIGHTS), channel_of("job", "job")
    model, known = (
        PairModel(0.0, (Curve((0.0,), (3.0,)), Curve((0.0, 0.5), (0.0, 4.0))), FLAT),
        Pairs(*[np.array([1])] * 2),
    )
    parts = explain_pairs(ASKED, (one, two), origins(known=known), ranking(model, known, DecoyCalibration(0.0, 0.5)))
    expected = 0.5 * (3 * products(one) + 4 * np.maximum(products(two) - 0.5, 0))  # calibrated by a half
    expected[4] = FARTHEST
    assert_allclose(sums(parts), expected, atol=1e-5)
    assert parts.filter(pl.col("predicate") == "known pair")["pair"].to_list() == [4]


def test_competing_candidates_and_the_prior_are_parts_with_the_name_of_whose_they_are() -> None:
    model = PairModel(-3.0, (Curve((0.0,), (1.0,)),), Curve((0.0,), (2.0,)))
    plain = ranking(model, line=DecoyCalibration(1.0, 2.0))
    matching = replace(plain.found.matching, right_totals=np.exp([1.0, 2.0, 3.0]) - 1)
    found = replace(
        plain,
        found=replace(plain.found, matching=matching),
        left_scaling=np.array([0.5, 0, -1], np.float32),
    )
    channel = names().channel(WEIGHTS)
    parts = explain_pairs(ASKED, (channel,), origins(), found).filter(pl.col("kind") == RIVALS)
    assert parts.filter(pl.col("predicate") == "prior: no match")["weight"].to_list() == [1 - 2 * 3] * 9  # calibrated
    mine = parts.filter(pl.col("predicate") == "competing candidates").drop_nulls("left")
    assert dict(mine.select("pair", "weight").rows()) == {0: 0.5, 1: 0.5, 2: 0.5, 6: -1, 7: -1, 8: -1}
    assert mine.filter(pl.col("pair") == 0)["left"].to_list() == ["ann lee (a)"]
    theirs = parts.filter(pl.col("predicate") == "competing candidates").drop_nulls("right")
    assert_allclose(theirs["weight"], [-2, -4, -6] * 3, atol=1e-6)
    assert theirs["right"].to_list()[:3] == ["ann lee (x)", "ray bob (y)", "gus yew (z)"]
    alike = parts.filter(pl.col("predicate") == "resemblance to others", pl.col("pair") == 2)
    assert_allclose(alike["weight"], [2 * 2 * -0.5], atol=1e-5)  # z's level is .5


def test_names_beside_all_dense_channels_are_the_vectors() -> None:
    """Votes are sparse and have no place; a channel of weight a quarter comes by half."""
    jobs, vectors = weighed(channel_of("job", "job"), 0.25), names().vectors(WEIGHTS)
    lefts, rights = place_users(ASKED, (names().channel(WEIGHTS), jobs), origins())
    assert lefts.shape == rights.shape == (9, 512)
    assert_allclose(lefts[3], np.concatenate([vectors[1], jobs.left[1] / 2]))
    assert_allclose(rights[5], np.concatenate([vectors[5], jobs.right[2] / 2]))


def test_networks_without_names_or_links_have_no_such_parts() -> None:
    rows = np.eye(3, dtype=np.float32)
    for source in (EvidenceSource.NAMES, EvidenceSource.NEIGHBOURS, EvidenceSource.VOTES):
        parts = explained(Channel(ChannelWeight(source, "", "", 1.0, ""), rows, rows), names=None)
        assert parts.filter(pl.col("kind") != RIVALS).height == 0
