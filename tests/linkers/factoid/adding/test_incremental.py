"""New users get the evidence that a fit of everybody would give them; on either side, by hand."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.candidates.pairs import gather_pairs
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.pair_model import Curve, PairModel
from factlink.decision.soft_assignment import Assignment
from factlink.embedding.propagate import propagate
from factlink.encoders.categories import CategoryEncoder
from factlink.encoders.readings.written import ReadingRules
from factlink.encoders.texts import TextEncoder
from factlink.linkers.factoid.adding.incremental import Placement
from factlink.linkers.factoid.adding.joining import Weighed
from factlink.linkers.factoid.adding.new_users import AskedNames, Near, NewUsers, longer, read_otherwise
from factlink.linkers.factoid.channels import votes
from factlink.linkers.factoid.learned.raw_grams import RawGrams, count_raw_grams
from factlink.linkers.factoid.state.restored import unpack
from factlink.linkers.factoid.state.state import (
    AttributeState,
    FactoidState,
    LearnedNameState,
    LinkState,
    NameState,
    ProbabilityState,
    Voters,
)
from factlink.linkers.factoid.state.stored import pack
from factlink.linkers.factoid.written.names import read_names
from factlink.linkers.factoid.written.owned_names import own_names
from factlink.linkers.factoid.written.packed_names import PackedNames
from factlink.types import NO_PAIRS, Attribute, Floats, Follows, Ints, Kind, Network, Pairs

OLD = ["ann lee", "bob ray", "cat fox"]
NEW = ["dan oak", "eve elm"]
OTHERS = ["dan oak", "ann lee", "eve ash", "gus yew"]
FLAT = np.zeros(256, np.float32)
NO_SOUNDS = np.empty(0, np.int64)
EVERY = gather_pairs(2, 4, [(np.repeat([0, 1], 4), np.tile(np.arange(4), 2))])
ALL = Near(np.arange(4), EVERY)
WEIGHTS = np.array([1, 0.5, 1, 0.5], np.float32)
SIDES = pytest.mark.parametrize("side", [0, 1])


def attribute(objects: list[str], kind: Kind = Kind.NAME) -> Attribute:
    """One object for each user; an empty one is none."""
    rows = np.flatnonzero([bool(each) for each in objects])
    return Attribute(kind, rows, pl.Series([objects[row] for row in rows], dtype=pl.String))


def network(names: list[str], more: dict[str, Attribute] | None = None) -> Network:
    """Users with a name, and its first word as a nickname."""
    nicks = attribute([name.split()[0] for name in names])
    return Network("", pl.Series(names), {"name": attribute(names), "nick": nicks, **(more or {})}, {})


def turned(side: int, mine: object, other: object) -> tuple:
    """Left and right, where the new users are of a side."""
    return (mine, other) if side == 0 else (other, mine)


def name_state(side: int, weight: float = 1.0) -> NameState:
    """What a fit of the earlier users keeps of their names; nicknames count half."""
    names = read_names(*turned(side, network(OLD), network(OTHERS)), 256, 0, readings=False)
    assert names is not None
    vectors = names.vectors(WEIGHTS)
    first = len(turned(side, OLD, OTHERS)[0])
    counted = {"name": 1.0, "nick": 0.5}
    halves = vectors.astype(np.float16)
    return NameState(weight, names.space, (counted, counted), ([halves[:first]], [halves[first:]]))


def placed(side: int, state: FactoidState, new: Network, links: tuple[Ints, Ints] | None = None) -> Placement:
    """New users whose links, by rows of everybody on their side, are all of weight 1."""
    ends = links or (np.empty(0, np.int64), np.empty(0, np.int64))
    follows = Follows(*ends, np.ones(len(ends[0]), np.float32))
    return Placement(state, NewUsers.of(state, side, new, 5, {"follows": follows}))


def weighed(placement: Placement, near: Near, others: Network) -> Floats:
    """The evidence of pairs."""
    return placement.weigh(near, placement.channels(near, others)).evidence


def state_of(
    names: NameState | None = None, attributes: tuple[AttributeState, ...] = (), links: LinkState | None = None
) -> FactoidState:
    nobody = np.zeros(0, np.float32)
    state = FactoidState(names, attributes, links, Assignment(nobody, nobody, nobody, 1.0, 1.0), None)
    return unpack(pack(state))


@SIDES
def test_names_weigh_what_a_fit_of_everybody_finds(side: int) -> None:
    evidence = weighed(placed(side, state_of(name_state(side)), network(NEW)), ALL, network(OTHERS))
    whole = read_names(*turned(side, network(OLD + NEW), network(OTHERS)), 256, 0, readings=False)
    assert whole is not None
    pairs = Pairs(*turned(side, 3 + EVERY.lefts, EVERY.rights))
    assert_allclose(evidence, whole.channel(WEIGHTS).products(pairs), atol=1e-6)
    assert evidence[0] == pytest.approx(1, abs=1e-6)
    assert evidence[3] == 0
    assert 0 < evidence[6] < 1  # eve elm and eve ash


@SIDES
def test_vectors_are_where_a_fit_of_everybody_with_the_same_mean_puts_them(side: int) -> None:
    placement = placed(side, state_of(name_state(side)), network(NEW))
    whole = read_names(*turned(side, network(OLD + NEW), network(OTHERS)), 256, 0, readings=False)
    assert whole is not None
    users = turned(side, np.array([3, 4]), np.array([7, 8]))[0]
    mean = name_state(side).space.mean
    assert_allclose(placement.vectors, whole.owned.vectors(users, WEIGHTS[whole.columns], mean, 0), atol=1e-6)


@SIDES
def test_the_nearest_names_are_candidates_but_for_those_who_are_taken(side: int) -> None:
    placement = placed(side, state_of(name_state(side)), network(NEW))
    found = placement.search(1, np.empty(0, np.int64)).widened(4)
    assert (found.n_left, found.n_right) == (2, 4)
    assert list(zip(found.lefts.tolist(), found.rights.tolist(), strict=True)) == [(0, 0), (1, 2)]
    left = placement.search(1, np.array([0])).widened(4)
    assert list(zip(left.lefts.tolist(), left.rights.tolist(), strict=True)) == [(1, 2)]
    cosines = placement.vectors @ placement.state.names.vectors[1 - side][0].astype(np.float32).T  # type: ignore[union-attr]
    every = placement.search(4, np.empty(0, np.int64)).widened(4)
    assert len(every) == np.count_nonzero(cosines > 0) < 8


def test_a_nickname_is_looked_for_as_the_name_that_it_is_short_for_too() -> None:
    names = replace(name_state(0), rules=ReadingRules(nicknames=True))
    short, whole = (
        PackedNames.of(own_names(network([*others, name]), {"name": 1.0}), names.rules, names.space.grams, NO_SOUNDS)
        for others, name in ((["Xaq Quux"], "Tim Keller"), ([], "Timothy Keller"))
    )
    asked, wanted = read_otherwise(names, short), AskedNames.of(names, whole, np.array([1]))
    assert asked is not None
    assert asked.owners.tolist() == [1]
    assert len(asked.owned.order) == 1
    assert_allclose(asked.vectors, wanted.vectors, atol=1e-6)
    assert read_otherwise(names, whole) is None


JOBS = ["tailor", "", "smith"]
THEIR_JOBS = attribute(["tailor", "baker", "", "baker"], Kind.CATEGORY)


def jobs(side: int, weight: float, mean: Floats = FLAT) -> AttributeState:
    return AttributeState(turned(side, "job", "work"), weight, CategoryEncoder(), mean)


@SIDES
def test_equal_categories_meet_and_missing_ones_count_nothing(side: int) -> None:
    new = network(NEW, {"job": attribute(["baker", ""], Kind.CATEGORY)})
    placement = placed(side, state_of(None, (jobs(side, 0.5),)), new)
    evidence = weighed(placement, ALL, network(OTHERS, {"work": THEIR_JOBS}))
    assert_allclose(evidence[[1, 3]], 1, rtol=1e-5)
    assert evidence[2] == 0
    assert evidence[4:].tolist() == [0, 0, 0, 0]
    assert placement.search(3, np.empty(0, np.int64)).widened(4).lefts.tolist() == []


@SIDES
def test_what_all_users_share_is_taken_out_of_every_vector(side: int) -> None:
    encoder = CategoryEncoder()
    baker, tailor = encoder.encode(["baker", "tailor"])
    mean = np.asarray((baker + tailor) / 2, np.float32)
    new = network(NEW, {"job": attribute(["baker", "tailor"], Kind.CATEGORY)})
    placement = placed(side, state_of(None, (jobs(side, 0.5, mean),)), new)
    evidence = weighed(placement, ALL, network(OTHERS, {"work": THEIR_JOBS}))
    assert_allclose(evidence, [-1, 1, 0, 1, 1, -1, 0, -1], atol=1e-5)  # two that differ in all but the mean


@SIDES
def test_evidence_is_the_mean_of_all_channels_by_their_weights(side: int) -> None:
    new = network(NEW, {"job": attribute(["baker", "tailor"], Kind.CATEGORY)})
    others = network(OTHERS, {"work": THEIR_JOBS})
    names = weighed(placed(side, state_of(name_state(side)), new), ALL, others)
    work = weighed(placed(side, state_of(None, (jobs(side, 0.5),)), new), ALL, others)
    both = placed(side, state_of(name_state(side, 1.5), (jobs(side, 0.5), jobs(side, 0.0))), new)
    assert_allclose(weighed(both, ALL, others), 0.75 * names + 0.25 * work, atol=1e-6)


@SIDES
def test_only_the_rows_that_are_asked_about_need_to_be_read(side: int) -> None:
    placement = placed(side, state_of(name_state(side)), network(NEW))
    some = gather_pairs(2, 2, [(np.array([0, 1]), np.array([0, 1]))])
    evidence = weighed(placement, Near(np.array([1, 2]), some), network([OTHERS[1], OTHERS[2]]))
    assert_allclose(evidence, weighed(placement, ALL, network(OTHERS))[[1, 6]], atol=1e-6)


@SIDES
def test_words_of_new_texts_are_counted_before_they_are_compared(side: int) -> None:
    told = ["likes tea", "plays chess", "likes tea", "sails"]
    space, _ = TextEncoder(dim=256).learn(pl.Series(["plays go", *told]))
    bios = AttributeState(turned(side, "bio", "about"), 1.0, space, FLAT)
    said = ["sails boats", "plays chess"]
    placement = placed(side, state_of(None, (bios,)), network(NEW, {"bio": attribute(said, Kind.TEXT)}))
    evidence = weighed(placement, ALL, network(OTHERS, {"about": attribute(told, Kind.TEXT)}))
    grown = space.grown(said)
    assert_allclose(evidence.reshape(2, 4), grown.encode(said) @ grown.encode(told).T, atol=1e-5)
    assert np.abs(grown.encode(said) @ grown.encode(told).T - space.encode(said) @ space.encode(told).T).max() > 1e-3


LINKED = (np.array([3, 4, 4]), np.array([0, 1, 3]))  # new user 3 knows 0 and 4, new user 4 knows 1 and 3
THEIRS = csr_matrix(np.array([[0, 1, 0, 0], [1, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]], np.float32))
EARLIER = csr_matrix(np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]], np.float32))


def link_state(side: int, hop: float, votes: float, voters: Pairs = NO_PAIRS, strengths: tuple = ()) -> LinkState:
    linked = Pairs(*turned(side, voters.lefts, voters.rights))
    counted = {"follows": 1.0}
    held = Voters(linked, np.array(strengths, np.float32))
    return LinkState(turned(side, EARLIER, THEIRS), (counted, counted), hop, FLAT, votes, held)


def hops(placement: Placement, side: int, mean: Floats) -> Floats:
    """(2, 4): products of the mean of the neighbours' vectors, in everybody's network at once."""
    whole = np.zeros((5, 5), np.float32)
    for one, two in [(0, 1), (3, 0), (4, 1), (4, 3)]:
        whole[one, two] = whole[two, one] = 1
    names = name_state(side)
    mine, theirs = (names.vectors[at][0].astype(np.float32) for at in (side, 1 - side))
    left = propagate(csr_matrix(whole), np.concatenate([mine, placement.vectors]))[3:] - mean
    right = propagate(THEIRS, theirs) - mean
    return (left @ right.T) / np.linalg.norm(left, axis=1)[:, None] / np.linalg.norm(right, axis=1)


@SIDES
def test_neighbours_names_are_averaged_as_in_a_fit_of_everybody(side: int) -> None:
    names, links = name_state(side, 0.0), link_state(side, 0.5, 0.0)
    for mean in (FLAT, names.vectors[1 - side][0].astype(np.float32).mean(axis=0)):
        state = state_of(names, (), replace(links, hop_mean=mean))
        placement = placed(side, state, network(NEW), LINKED)
        evidence = weighed(placement, ALL, network(OTHERS)).reshape(2, 4)
        assert_allclose(evidence, hops(placement, side, mean), atol=2e-3)
        assert np.ptp(evidence) > 0.3


VOTING = Pairs(np.array([0, 1]), np.array([1, 2]))  # 0 is linked to 1, and 1 to 2


@SIDES
def test_votes_by_hand(side: int) -> None:
    """Earlier users 0 and 1 have one neighbour each of three users, others 1 and 2 have three and two of four."""
    state = state_of(None, (), link_state(side, 0.0, 0.5, VOTING, (1.0, 0.5)))
    placement = placed(side, state, network(NEW), LINKED)
    first, second = np.sqrt(np.log(3) * np.log(4 / 3)), 0.5 * np.sqrt(np.log(3) * np.log(2))
    both = np.sqrt(first + second + 5)
    evidence = weighed(placement, ALL, network(OTHERS)).reshape(2, 4)
    wanted = [
        [first / (first + 5), 0, first / (first + 5), first / np.sqrt(first + 5) / both],
        [0, second / (second + 5), 0, second / np.sqrt(second + 5) / both],
    ]
    assert_allclose(evidence, wanted, rtol=1e-4)
    found = placement.search(1, np.empty(0, np.int64)).widened(4)
    assert list(zip(found.lefts.tolist(), found.rights.tolist(), strict=True)) == [
        *[(0, 0), (0, 2), (0, 3)],
        *[(1, 1), (1, 3)],
    ]


@SIDES
def test_users_with_many_neighbours_propose_nobody_on_either_side(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    state = state_of(None, (), link_state(side, 0.0, 0.5, VOTING, (1.0, 1.0)))
    for most, wanted in ((3, {0, 1}), (2, {1}), (1, set())):
        monkeypatch.setattr(votes, "BUSY", most)
        placement = placed(side, state, network(NEW), LINKED)
        assert set(placement.search(1, np.empty(0, np.int64)).widened(4).lefts.tolist()) == wanted


@SIDES
def test_links_that_count_nothing_propose_nobody(side: int) -> None:
    placement = placed(side, state_of(None, (), link_state(side, 0.0, 0.0, VOTING, (1.0, 1.0))), network(NEW), LINKED)
    assert len(placement.search(1, np.empty(0, np.int64)).pairs) == 0


@SIDES
def test_who_was_added_is_part_of_the_state_from_then_on(side: int) -> None:
    state = state_of(name_state(side), (jobs(side, 0.5),), link_state(side, 0.25, 0.5, VOTING, (1.0, 0.5)))
    placement = placed(side, state, network(NEW), LINKED)
    scaling = np.arange(5, dtype=np.float32), np.arange(4, dtype=np.float32)
    nobody = Weighed(gather_pairs(2, 4, []), np.empty(0, np.float32), {})
    after = placement.assigned(
        nobody, turned(side, *scaling), Pairs(*turned(side, np.array([3]), np.array([0]))), np.array([0.75], np.float32)
    )
    assert turned(side, after.assignment.left_scaling, after.assignment.right_scaling)[0].tolist() == [0, 1, 2, 3, 4]
    assert turned(side, after.assignment.left_scaling, after.assignment.right_scaling)[1].tolist() == [0, 1, 2, 3]
    assert after.links is not None
    assert after.names is not None
    voters = turned(side, after.links.voters.linked.lefts, after.links.voters.linked.rights)
    assert (voters[0].tolist(), voters[1].tolist()) == ([0, 1, 3], [1, 2, 0])
    assert after.links.voters.strengths.tolist() == [1.0, 0.5, 0.75]
    assert after.links.neighbours[side].toarray().tolist() == [
        [0, 1, 0, 1, 0],
        [1, 0, 0, 0, 1],
        [0, 0, 0, 0, 0],
        [1, 0, 0, 0, 1],
        [0, 1, 0, 1, 0],
    ]
    assert after.links.neighbours[1 - side].toarray().tolist() == THEIRS.toarray().tolist()
    vectors = np.concatenate(after.names.vectors[side])
    assert_allclose(vectors[:3], np.concatenate(state.names.vectors[side]))  # type: ignore[union-attr]
    assert_allclose(vectors[3:], placement.vectors, atol=1e-3)
    assert after.names.space.counts.n_strings == state.names.space.counts.n_strings + 4  # type: ignore[union-attr]
    assert len(np.concatenate(after.names.vectors[1 - side])) == 4


@SIDES
def test_only_new_left_users_get_a_right_name_that_they_should_have(side: int) -> None:
    """The lesson turns every run of letters into one direction; of earlier users it expected the other one."""
    names, runs = name_state(side), np.unique(count_raw_grams(network(NEW), {"name": 1.0}).indices)
    lesson = np.zeros((len(runs), 256), np.float16)
    lesson[:, 7] = 1
    before = np.zeros((3 if side == 0 else 4, 256), np.float16)
    before[:, 9] = 1
    learned = LearnedNameState(0.5, RawGrams(runs, np.ones(len(runs), np.float32)), lesson, [before])
    placement = placed(side, replace(state_of(names), learned=learned), network(NEW))
    nobody = Weighed(gather_pairs(2, 4, []), np.empty(0, np.float32), {})
    after = placement.assigned(nobody, (np.zeros(5), np.zeros(4)), NO_PAIRS, np.empty(0, np.float32)).learned
    assert after is not None
    expected = np.concatenate(after.expected)
    assert expected[: len(before)].tolist() == before.tolist()
    assert [np.flatnonzero(row).tolist() for row in expected[len(before) :]] == turned(side, [[7], [7]], [])[0]


@SIDES
def test_new_users_are_as_likely_as_the_model_of_the_run_says(side: int) -> None:
    """One new user and the second and fourth of the other side, of odds 2 each: only gaps count, and there are none."""
    flat = Curve((0.0,), (0.0,))
    model = PairModel(float(np.log(2)), (flat,), Curve((0.0,), (1.0,)))
    totals, levels = np.array([9.0, 1, 9, 3]), np.array([9, 0.5, 9, 0.7], np.float32)
    found = ProbabilityState(
        model,
        ("names",),
        DecoyCalibration(),
        (0.5, 0.25),
        turned(side, np.zeros(3), totals),
        turned(side, np.zeros(3, np.float32), levels),
    )
    placement = placed(side, replace(state_of(name_state(side)), probability=found), network(NEW))
    near = Near(np.array([1, 3]), gather_pairs(1, 2, [(np.zeros(2, int), np.arange(2))]))
    evidence = np.array([0.5, 0.7], np.float32)
    likely = placement.compete(near, Weighed(near.pairs, evidence, {"names": evidence}))
    assert likely is not None
    assert_allclose(likely, [[0.589, 0.227], [0.619, 0.265]][side], atol=1e-3)
    assert (
        placed(side, state_of(name_state(side)), network(NEW)).compete(near, Weighed(near.pairs, evidence, {})) is None
    )


def test_new_users_without_links_leave_the_links_as_they_are() -> None:
    state = state_of(name_state(0), (), link_state(0, 0.25, 0.5, VOTING, (1.0, 0.5)))
    nobody = Weighed(gather_pairs(2, 4, []), np.empty(0, np.float32), {})
    scaling = np.zeros(5), np.zeros(4)
    after = placed(0, state, network(NEW)).assigned(nobody, scaling, NO_PAIRS, np.empty(0, np.float32))
    assert after.links is not None
    assert after.links.neighbours[0].toarray()[:3, :3].tolist() == EARLIER.toarray().tolist()
    assert after.links.neighbours[0].shape == (5, 5)
    assert after.links.neighbours[0].nnz == 2


@pytest.mark.parametrize(("n_new", "lengths"), [(1, [8, 1]), (2, [10])])
def test_earlier_vectors_are_moved_once_the_new_ones_are_a_quarter(n_new: int, lengths: list[int]) -> None:
    old, new = np.zeros((8, 2), np.float16), np.ones((n_new, 2), np.float32)
    parts = longer([old], new)
    assert [len(part) for part in parts] == lengths
    assert np.concatenate(parts)[:, 0].tolist() == [0] * 8 + [1] * n_new
    assert {part.dtype for part in parts} == {np.dtype(np.float16)}
    assert [len(part) for part in longer([old, new.astype(np.float16)], new[:1])] == (
        [8 + n_new + 1] if n_new + 1 >= 2 else lengths
    )


def test_new_links_count_what_their_predicate_counted_and_others_not_at_all() -> None:
    links = replace(link_state(0, 0.5, 0.0), weights=({"follows": 0.5}, {"likes": 1.0}))
    state = FactoidState(None, (), links, Assignment(FLAT, FLAT, FLAT, 1.0, 1.0), None)
    ends = np.array([3, 0]), np.array([0, 1])
    given = {
        "follows": Follows(*ends, np.array([4, 1], np.float32)),
        "likes": Follows(np.array([4]), np.array([1]), np.ones(1, np.float32)),
    }
    users = NewUsers.of(state, 0, network(NEW), 5, given)
    assert len(users) == 2
    assert users.neighbours.toarray().tolist() == [[2, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    other = NewUsers.of(state, 1, network(NEW), 5, given)
    assert other.neighbours.toarray().tolist() == [[0, 0, 0, 0, 0], [0, 1, 0, 0, 0]]
