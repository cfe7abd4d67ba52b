"""Networks whose truth we made: found by spreading where links mean something, untouched where they do not."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from factlink.candidates.pairs import best_of_pairs
from factlink.decision.decisions import decide
from factlink.decision.likelihoods import estimate_likelihoods
from factlink.errors import InputError
from factlink.evaluation.metrics import evaluate
from factlink.evidence import EvidenceSource
from factlink.execution.workers import HERE
from factlink.linkers.factoid.adding.incremental import Placement
from factlink.linkers.factoid.adding.new_users import NewUsers
from factlink.linkers.factoid.fit import FactoidFit
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.scorer import FactoidScorer
from factlink.linkers.factoid.settings import Steps
from factlink.linkers.factoid.state.restored import unpack
from factlink.types import NO_PAIRS, Attribute, Floats, Follows, Ints, Kind, Network
from tests.linkers.worlds import World, communities, shuffled

WITHOUT = FactoidLinker(steps=Steps(spreading=False))


def with_column(network: Network, objects: list[str], kind: Kind) -> Network:
    attribute = Attribute(kind, np.arange(len(objects)), pl.Series(objects, dtype=pl.String))
    return replace(network, attributes={"column": attribute})


def words(letters: str, n: int, seed: int) -> list[str]:
    drawn = np.random.default_rng(seed).choice(list(letters), (n, 9))
    return ["".join(word) for word in drawn.tolist()]


def foreign(n_shared: int = 20) -> World:
    """Left names use other letters than right names; a few people have the same name in both networks."""
    world = communities(n=200, degree=14, kept=0.95)
    lefts, rights = words("abcdefghijkl", 200, 1), words("mnopqrstuvwx", 200, 2)
    for left, right in list(zip(world.truth.lefts, world.truth.rights, strict=True))[:n_shared]:
        rights[right] = lefts[left]
    return replace(
        world, left=with_column(world.left, lefts, Kind.NAME), right=with_column(world.right, rights, Kind.NAME)
    )


def found(linker: FactoidLinker, left: Network, right: Network) -> FactoidScorer:
    return linker.fit(left, right).scorer


def test_names_without_a_common_letter_are_found_over_links() -> None:
    world = foreign()
    assert evaluate(FactoidLinker().fit(world.left, world.right), world.truth).hits[1] > 0.9


@pytest.mark.parametrize("n_shared", [200, 100, 20])
def test_shuffled_links_end_where_nothing_is_spread_to_the_byte(n_shared: int) -> None:
    world = foreign(n_shared)
    right = shuffled(world.right)
    one, other = (found(linker, world.left, right) for linker in (FactoidLinker(), WITHOUT))
    assert one.pairs.rights.tobytes() == other.pairs.rights.tobytes()
    assert one.evidence.tobytes() == other.evidence.tobytes()
    assert one.probabilities.tobytes() == other.probabilities.tobytes()


def test_the_order_of_rows_changes_nothing() -> None:
    world = foreign()
    order = np.random.default_rng(3).permutation(200)
    links = world.right.links["follows"]
    moved = Network(
        "right",
        world.right.users[np.argsort(order)],
        {"column": Attribute(Kind.NAME, np.arange(200), world.right.attributes["column"].objects[np.argsort(order)])},
        {"follows": replace(links, followers=order[links.followers], followees=order[links.followees])},
    )
    rows = np.arange(200)
    one, other = (FactoidLinker().fit(world.left, right).scores(rows) for right in (world.right, moved))
    assert one.tobytes() == other[:, order].tobytes()


def spelled_anew(n_shared: int = 40) -> World:
    """Right names are the left ones letter by letter in another alphabet; a few are the same in both networks."""
    world = communities(n=400, degree=14, kept=0.95)
    lefts, rights = words("abcdefghijkl", 400, 1), [""] * 400
    other = str.maketrans("abcdefghijkl", "mnopqrstuvwx")
    for place, (left, right) in enumerate(zip(world.truth.lefts, world.truth.rights, strict=True)):
        rights[right] = lefts[left] if place < n_shared else lefts[left].translate(other)
    return replace(
        world, left=with_column(world.left, lefts, Kind.NAME), right=with_column(world.right, rights, Kind.NAME)
    )


@pytest.mark.parametrize(("names", "taken"), [(200, False), (20, True)])
def test_learned_names_count_only_where_names_rank_higher_with_them(names: int, taken: bool) -> None:
    """Where everybody is called the same in both networks, letters teach nothing."""
    world = spelled_anew(names) if taken else foreign(names)
    fit = FactoidFit(FactoidLinker(), world.left, world.right, NO_PAIRS, HERE)
    fit.read_names()
    assert fit.spread() is not None
    used = [channel.weighting.source for channel in fit.channels]
    left_out = [weighting.source for weighting in fit.channel_weights]
    assert (EvidenceSource.LEARNED_NAMES in used) == taken
    assert (EvidenceSource.LEARNED_NAMES in left_out) != taken
    assert (fit.origins.learned is not None) == taken


@pytest.mark.parametrize("side", [0, 1])
def test_users_who_are_added_find_their_partner_by_learned_names_alone(side: int) -> None:
    """The last twenty of one network come later, without links; letters of the two networks have nothing in common."""
    world = spelled_anew()
    partners = dict(zip(world.truth.lefts.tolist(), world.truth.rights.tolist(), strict=True))
    whole, late = (world.left, world.right)[side], np.arange(380, 400)
    first, added = without_last(whole, 20), Network("late", whole.users[380:], only(whole, late), {})
    networks = (first, world.right) if side == 0 else (world.left, first)
    state = unpack(FactoidLinker().fit(*networks).scorer.keep_state())
    assert state.learned is not None
    placement = Placement(state, NewUsers.of(state, side, added, 400, {}))
    near = placement.search(50, np.empty(0, np.int64))
    others = (world.right, world.left)[side]
    near_users = Network("near", others.users.gather(near.rows), only(others, near.rows), {})
    weighed = placement.weigh(near, placement.channels(near, near_users))
    best = near.rows[best_of_pairs(near.pairs, weighed.evidence, 1).rights[:, 0]]
    wanted = partners if side == 0 else {right: left for left, right in partners.items()}
    assert np.mean([wanted[row] == found for row, found in zip(late.tolist(), best.tolist(), strict=True)]) > 0.8


def only(network: Network, rows: Ints) -> dict[str, Attribute]:
    held = network.attributes["column"]
    return {"column": Attribute(held.kind, np.arange(len(rows)), held.objects.gather(rows))}


def without_last(network: Network, n: int) -> Network:
    kept = len(network) - n
    links = network.links["follows"]
    inside = (links.followers < kept) & (links.followees < kept)
    follows = Follows(links.followers[inside], links.followees[inside], links.weights[inside])
    return Network(network.name, network.users[:kept], only(network, np.arange(kept)), {"follows": follows})


def test_explanations_add_up_and_name_learned_names() -> None:
    world = foreign()
    scorer = FactoidLinker().fit(world.left, world.right)
    pairs = world.truth.lefts[20:40], world.truth.rights[20:40]
    parts = scorer.explain(*pairs)
    sums = parts.group_by("pair").agg(pl.col("weight").sum()).sort("pair")["weight"].to_numpy()
    scores = scorer.scores(pairs[0])[np.arange(20), pairs[1]]
    np.testing.assert_allclose(sums[np.isfinite(scores)], scores[np.isfinite(scores)], atol=1e-2)


def test_a_text_that_both_have_is_enough_without_names() -> None:
    world = communities(n=60)
    texts = [f"{one} {other}" for one, other in zip(words("abcdefg", 60, 5), words("hijklmn", 60, 6), strict=True)]
    rights = [""] * 60
    for left, right in zip(world.truth.lefts, world.truth.rights, strict=True):
        rights[right] = texts[left]
    left, right = with_column(world.left, texts, Kind.TEXT), with_column(world.right, rights, Kind.TEXT)
    assert evaluate(FactoidLinker().fit(left, right), world.truth).hits[1] > 0.9


def test_networks_with_nothing_in_common_are_refused() -> None:
    world = communities(n=60)
    with pytest.raises(InputError, match="no names and no known pairs in common"):
        FactoidLinker().fit(world.left, world.right)
    left, right = (with_column(n, ["same"] * 60, Kind.CATEGORY) for n in (world.left, world.right))
    with pytest.raises(InputError, match="no other column that tells users apart"):
        FactoidLinker().fit(left, right)


def test_known_pairs_and_links_alone_are_enough() -> None:
    world = communities(n=300, degree=14, kept=0.9)
    known, rest = world.split(60)
    assert evaluate(FactoidLinker().fit(world.left, world.right, known), rest).mrr > 0.7


@pytest.mark.parametrize("gone", [0, 120])
def test_links_and_known_pairs_alone_say_how_many_links_are_wrong(gone: int) -> None:
    """The partners of some people have no links; whoever is linked in spite of it is linked wrongly."""
    world = communities(n=400, degree=16, kept=0.9)
    known, rest = world.split(100)
    right = cut_off(world.right, rest.rights[len(rest) - gone :])
    links = decide(estimate_likelihoods(FactoidLinker().fit(world.left, right, known)), 0.9)
    partners = dict(zip(rest.lefts[: len(rest) - gone].tolist(), rest.rights.tolist(), strict=False))
    found = links.found_links()
    is_right = [partners.get(row) == links.rights[row] for row in np.flatnonzero(found).tolist()]
    assert len(is_right) > 80
    assert 1 - np.mean(is_right) == pytest.approx(1 - links.probabilities[found].mean(), abs=0.08)


def cut_off(network: Network, rows: Ints) -> Network:
    """Some users without any link."""
    links = network.links["follows"]
    kept = ~(np.isin(links.followers, rows) | np.isin(links.followees, rows))
    return replace(network, links={"follows": Follows(*(part[kept] for part in columns(links)))})


def columns(links: Follows) -> tuple[Ints, Ints, Floats]:
    return links.followers, links.followees, links.weights


def test_few_known_pairs_rank_and_link_nobody() -> None:
    world = communities(n=300, degree=14, kept=0.9)
    known, rest = world.split(40)
    scorer = FactoidLinker().fit(world.left, world.right, known)
    assert evaluate(scorer, rest).mrr > 0.5
    assert decide(estimate_likelihoods(scorer), 0.9).count_links() == {"found": 0, "known": 40, "judged": 0}


def test_known_pairs_and_shuffled_links_link_nobody_else() -> None:
    world = communities(n=300)
    known, rest = world.split(60)
    scorer = FactoidLinker().fit(world.left, shuffled(world.right), known)
    assert evaluate(scorer, rest).mrr < 0.1
