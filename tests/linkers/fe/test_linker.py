"""Factoid Embedding as a linker, on made-up networks whose truth is known."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from factlink.candidates.top_k import best_candidates
from factlink.data.frames import network_from_frames
from factlink.embedding.settings import (
    LinkSettings,
    NegativeSampling,
    Projection,
    Settings,
    Training,
    links_alone_settings,
)
from factlink.embedding.training.sgd import Options
from factlink.errors import InputError, SettingError
from factlink.execution.workers import Here
from factlink.factoids import build_table
from factlink.linkers.fe.attributes import Attributes, choose_factoids
from factlink.linkers.fe.linker import FELinker
from factlink.linkers.fe.persons import Persons
from factlink.protocols import Scorer
from factlink.synthetic.worlds import Dials, LinkDials, Population, World, shuffle_links, twins
from factlink.types import NO_PAIRS, Floats, Network, Pairs
from tests.linkers.worlds import communities

INFORMATIVE = LinkDials(mean=20, kept=0.8, own=0.1)
SMALL = Training(dim=256, batch=1024)
PLAIN = Persons(rounds=0, less_hubness=False)
QUICK = FELinker(training=replace(SMALL, dim=64), persons=PLAIN)


@pytest.fixture(scope="module")
def world() -> World:
    return twins(Dials(population=Population(people=500), links=INFORMATIVE))


@pytest.fixture(scope="module")
def three() -> World:
    return twins(Dials(population=Population(people=150, networks=("a", "b", "c")), links=INFORMATIVE))


def reciprocal_ranks(scorer: Scorer, pairs: Pairs) -> Floats:
    scores = scorer.scores(pairs.lefts)
    true = scores[np.arange(len(pairs)), pairs.rights][:, None]
    return np.asarray(1 / (scores >= true).sum(1))


def mrr(scorer: Scorer, pairs: Pairs) -> float:
    return float(reciprocal_ranks(scorer, pairs).mean())


def name_similarity(left: Network, right: Network, pairs: Pairs) -> Floats:
    """How close the names of each pair are, before anything is trained."""
    scorer = FELinker(training=SMALL, links=LinkSettings(weight=0), persons=PLAIN).fit(left, right)
    return np.asarray(scorer.scores(pairs.lefts)[np.arange(len(pairs)), pairs.rights])


def test_informative_links_lift_the_same_vectors_by_a_tenth_and_most_where_names_differ(world: World) -> None:
    left, right = world.networks
    truth = world.truth(left.name, right.name)
    names = reciprocal_ranks(
        FELinker(training=SMALL, links=LinkSettings(weight=0), persons=PLAIN).fit(left, right), truth
    )
    both = reciprocal_ranks(FELinker(training=SMALL, persons=PLAIN).fit(left, right), truth)
    unlike = np.argsort(name_similarity(left, right, truth))[: len(truth) // 3]
    assert both.mean() > names.mean() + 0.10
    assert both[unlike].mean() > names[unlike].mean() + 0.25


def test_shuffled_links_cost_at_most_a_hundredth(world: World) -> None:
    left, right = world.networks
    truth = world.truth(left.name, right.name)
    names = FELinker(training=SMALL, links=LinkSettings(weight=0), persons=PLAIN).fit(left, right)
    shuffled = FELinker(training=SMALL, persons=PLAIN).fit(left, shuffle_links(right))
    assert mrr(shuffled, truth) > mrr(names, truth) - 0.01


def test_a_fifth_of_the_truth_known_helps_on_the_rest(world: World) -> None:
    left, right = world.networks
    truth = world.truth(left.name, right.name)
    known, rest = (
        Pairs(truth.lefts[at], truth.rights[at]) for at in (slice(0, None, 5), np.arange(len(truth)) % 5 > 0)
    )
    linker = FELinker(training=SMALL, persons=PLAIN)
    assert mrr(linker.fit(left, right, known), rest) > mrr(linker.fit(left, right), rest) + 0.01


def test_a_known_pair_shares_one_vector(world: World) -> None:
    left, right = world.networks
    space = QUICK.embed([left, right], {(left.name, right.name): Pairs(np.array([3]), np.array([8]))}).space
    assert np.array_equal(space.of(left.name)[3], space.of(right.name)[8])


def test_a_known_account_is_the_best_of_its_partner_and_the_last_of_all_others(world: World) -> None:
    left, right = world.networks
    scores = QUICK.fit(left, right, Pairs(np.array([3]), np.array([8]))).scores(np.arange(len(left)))
    assert scores[3].argmax() == 8
    assert (np.delete(scores, 3, axis=0).argmin(1) == 8).all()


def test_the_plain_paper_version_runs_and_finds_some(world: World) -> None:
    left, right = world.networks
    plain = FELinker.paper()
    quick = replace(plain, training=replace(plain.training, dim=64, passes=3))
    chance = 1 / len(right)
    assert mrr(quick.fit(left, right), world.truth(left.name, right.name)) > 20 * chance


@pytest.mark.parametrize("kind", ["identity", "free"])
def test_other_projections_link_too(world: World, kind: str) -> None:
    left, right = world.networks
    linker = replace(QUICK, projection=Projection(kind=kind))  # type: ignore[arg-type]
    chance = 1 / len(right)
    assert mrr(linker.fit(left, right), world.truth(left.name, right.name)) > 20 * chance


def test_predicates_of_every_network_are_trained_apart(world: World) -> None:
    left, right = (with_likes(network) for network in world.networks)
    apart = replace(QUICK, links=LinkSettings(predicates="separate")).embed([left, right]).space
    pooled = QUICK.embed([left, right]).space
    assert list(apart.qualities) == ["follows", "likes"]
    assert list(pooled.qualities) == ["follows"]


def with_likes(network: Network) -> Network:
    return replace(network, links=dict(network.links) | {"likes": shuffle_links(network).links["follows"]})


def test_users_of_known_pairs_can_lose_their_attributes(world: World) -> None:
    known = Pairs(np.array([3]), np.array([8]))
    table = build_table(world.networks, {(world.networks[0].name, world.networks[1].name): known})
    shared = int(table.rows[world.networks[0].name][3])
    kept = choose_factoids(table, Attributes()).has["username"].users
    dropped = choose_factoids(table, Attributes(drop_known=True)).has["username"].users
    assert shared in kept
    assert shared not in dropped
    assert len(np.setdiff1d(kept, dropped)) == 1


def test_an_attribute_can_be_left_out(world: World) -> None:
    space = replace(QUICK, attributes=Attributes(without=("username",))).embed(world.networks).space
    assert [objective.predicate for objective in space.objectives] == ["screen_name", "follows"]


def test_three_networks_share_one_space(three: World) -> None:
    space = replace(QUICK, training=replace(SMALL, dim=128)).embed(three.networks)
    for left, right in (("a", "b"), ("a", "c"), ("c", "b")):
        scorer = space.scorer(left, right)
        assert (scorer.left.name, scorer.right.name) == (left, right)
        assert mrr(scorer, three.truth(left, right)) > 0.6
    back, forth = space.scorer("c", "a"), space.scorer("a", "c")
    assert np.allclose(back.scores(np.arange(5)), forth.scores(np.arange(len(forth.left)))[:, :5].T, atol=1e-5)


def test_known_pairs_chain_through_three_networks(three: World) -> None:
    first = Pairs(np.array([0]), np.array([0]))
    space = QUICK.embed(three.networks, {("a", "b"): first, ("b", "c"): first}).space
    assert np.array_equal(space.of("a")[0], space.of("c")[0])


def test_unknown_networks_are_named(three: World) -> None:
    with pytest.raises(SettingError, match="no network is called 'd'; there are: a, b, c"):
        QUICK.embed(three.networks).scorer("a", "d")


def test_the_same_seed_gives_the_same_bytes_and_watching_changes_none(three: World) -> None:
    a, b, _ = three.networks
    rows = np.arange(len(a)), np.arange(len(b))
    first, again = (QUICK.fit(a, b).place(*rows)[0].tobytes() for _ in range(2))
    other = replace(QUICK, seed=1).fit(a, b).place(*rows)[0].tobytes()
    _, watched = QUICK.trace(
        [a, b], {("a", "b"): NO_PAIRS}, {"a": np.array([1]), "b": np.array([2])}, lambda line: None
    )
    assert first == again == watched.of("a").tobytes() != other


def test_candidates_are_the_best_scores(three: World) -> None:
    a, b, _ = three.networks
    scorer = QUICK.fit(a, b)
    candidates = best_candidates(scorer, 3)
    scores = scorer.scores(np.arange(len(a)))
    assert np.allclose(candidates.scores, -np.sort(-scores, axis=1)[:, :3], atol=1e-6)


@pytest.mark.parametrize("known", [NO_PAIRS, Pairs(np.array([0]), np.array([0]))])
def test_a_user_without_factoids_is_nobody_s_candidate_and_has_none(known: Pairs) -> None:
    left, right = (bare(name, ["Amy Tan", None, "Ben Lim"]) for name in ("left", "right"))
    scores = QUICK.fit(left, right, known).scores(np.arange(3))
    assert np.isneginf(scores[1]).all()
    assert np.isneginf(scores[:, 1]).all()
    assert scores[0].argmax() == 0


def bare(name: str, names: list[str | None]) -> Network:
    users = pl.DataFrame({"id": [f"{name}{row}" for row in range(len(names))], "name": names})
    return network_from_frames(name, users)


def test_nothing_to_embed_is_said() -> None:
    left, right = (replace(bare(name, ["Amy"]), attributes={}) for name in ("left", "right"))
    with pytest.raises(InputError, match="there are no factoids to embed: no links and no attribute with vectors"):
        QUICK.fit(left, right)


def test_networks_that_nothing_ties_together_are_refused() -> None:
    world = communities()
    with pytest.raises(InputError, match="'left', 'right' have no attribute to embed and no known pairs"):
        FELinker().fit(world.left, world.right)


def test_links_alone_find_friends_of_known_pairs() -> None:
    world = communities()
    known, rest = world.split(100)
    chance = 1 / len(world.right)
    assert mrr(FELinker().fit(world.left, world.right, known), rest) > 20 * chance


def test_what_is_set_holds_for_links_alone_too() -> None:
    usual = Settings()
    chosen = replace(usual, negatives=NegativeSampling(count=3))
    assert links_alone_settings(usual).negatives == NegativeSampling(count=5, pool=0)
    assert links_alone_settings(chosen).negatives == NegativeSampling(count=3)
    assert links_alone_settings(chosen).links == links_alone_settings(usual).links != usual.links


def test_users_trained_in_parts_find_as_many_partners(world: World) -> None:
    left, right = world.networks
    truth = world.truth(left.name, right.name)
    whole, parts = (
        np.mean(reciprocal_ranks(FELinker(training=SMALL, persons=PLAIN, parts=n).fit(left, right), truth) == 1)
        for n in (1, 3)
    )
    assert whole > 0.7
    assert parts == pytest.approx(whole, abs=0.03)  # 130 users in a part lack each other as fakes


def test_settings_that_cannot_be_parted_stay_whole_on_a_cluster(three: World) -> None:
    table = choose_factoids(build_table(three.networks), QUICK.attributes)
    apart = replace(QUICK, links=LinkSettings(move_followees=True))
    workers = Many()
    _, there = apart.embed_table(table, Options(), workers)
    assert workers.steps == {"pack_part", "count_part", "project_part"}
    assert there.vectors.tobytes() == apart.embed_table(table, Options())[1].vectors.tobytes()


class Many(Here):
    """Workers that would like work in four parts."""

    parts = 4

    def __init__(self) -> None:
        self.steps: set[str] = set()

    def map(self, step: Callable[..., Any], parts: Sequence[Any], *shared: Any) -> list[Any]:
        self.steps.add(step.__name__)
        return super().map(step, parts, *shared)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FELinker(parts=-1), "parts is -1; it must be 0, for the usual number, or more"),
        (lambda: Attributes(kinds=("sound",)), "factoid embedding has no vectors for kind 'sound'; there are: name"),
        (lambda: NegativeSampling(count=0), "count is 0"),
        (lambda: Training(dim=-1), "dim is -1"),
    ],
)
def test_impossible_settings_are_refused(make: type, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        make()


def test_an_attribute_that_is_not_there_cannot_be_left_out(three: World) -> None:
    with pytest.raises(SettingError, match="no predicate is called 'shoe'; there are: bio, screen_name, username"):
        replace(QUICK, attributes=Attributes(without=("shoe",))).embed(three.networks)
