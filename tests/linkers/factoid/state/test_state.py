"""What a run keeps for later: weights by where they come from, in words that older runs have too."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix

from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.decoy_calibration import DecoyCalibration
from factlink.decision.pair_model import Curve, PairModel
from factlink.decision.soft_assignment import Assignment
from factlink.encoders.categories import CategoryEncoder, DateEncoder, LocationEncoder, NumberEncoder
from factlink.encoders.sentences import SentenceEncoder
from factlink.encoders.texts import TextEncoder
from factlink.errors import RunError
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels.channel import Channel
from factlink.linkers.factoid.channels.neighbourhood import Neighbourhood
from factlink.linkers.factoid.learned.learned_names import LearnedNames
from factlink.linkers.factoid.learned.raw_grams import RawGrams
from factlink.linkers.factoid.state.as_given import state_as_given
from factlink.linkers.factoid.state.restored import unpack
from factlink.linkers.factoid.state.state import (
    AttributeState,
    FactoidState,
    LearnedNameState,
    LinkState,
    Origins,
    PartnerState,
    ProbabilityState,
    Voters,
    keep_state,
)
from factlink.linkers.factoid.state.stored import pack
from factlink.linkers.factoid.written.copied import CopyChannel
from factlink.linkers.factoid.written.handles import HandleChannel, HandleState
from factlink.linkers.factoid.written.names import read_names
from factlink.protocols import Encoder, FittedState
from factlink.types import NO_PAIRS, Attribute, Kind, Network, Pairs

NOTHING = np.empty(0, np.float32)
RISING = Curve((0.0, 0.5), (1.0, 2.0))
PROBABILITY = ProbabilityState(
    PairModel(-3.0, (RISING,), Curve((0.25,), (4.0,))),
    ("names",),
    DecoyCalibration(0.5, 1.5),
    (0.25, 0.5),
    (np.array([1.0, 2.0]), np.array([3.0, 4.0])),
    (np.array([5, 6], np.float32), np.array([7, 8], np.float32)),
)


def channel(source: EvidenceSource, predicate: str, weight: float) -> Channel:
    rows = np.eye(2, dtype=np.float32)
    return Channel(ChannelWeight(source, predicate, predicate, weight, ""), rows, rows)


def test_a_picture_column_called_links_is_not_taken_for_neighbours() -> None:
    unlinked = csr_matrix((2, 2), dtype=np.float32)
    hood = Neighbourhood(unlinked, unlinked, NO_PAIRS, (), ({"follows": 1.0}, {"follows": 0.5}), seed=0)
    origins = Origins(None, NOTHING, np.zeros((4, 3), np.float32), hood)
    channels = [
        channel(EvidenceSource.ATTRIBUTE, "links", 0.9),
        channel(EvidenceSource.NEIGHBOURS, "", 0.25),
        channel(EvidenceSource.VOTES, "", 0.75),
        channel(EvidenceSource.ATTRIBUTE, "linked neighbours", 0.8),
    ]
    assignment = Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1)
    kept = pack(keep_state(channels, origins, Voters(NO_PAIRS, NOTHING), assignment, PROBABILITY)).words["links"]
    assert kept == {"weights": [{"follows": 1.0}, {"follows": 0.5}], "links": 0.25, "linked neighbours": 0.75}


def test_states_of_runs_made_before_are_read_by_their_former_names() -> None:
    left, right = np.array([1, 2], np.float32), np.array([3], np.float32)
    now = pack(FactoidState(None, (), None, Assignment(NOTHING, right, left, 0.25, 0.5), None))
    assert now.words["no_match"] == [0.25, 0.5]
    before = FittedState({"left.pulls": left, "right.pulls": right}, {"attributes": [], "alone": [0.25, 0.5]})
    for state in (unpack(now), unpack(before)):
        assert state.assignment.left_scaling.tolist() == [1, 2]
        assert state.assignment.right_scaling.tolist() == [3]
        assert (state.assignment.left_no_match, state.assignment.right_no_match) == (0.25, 0.5)


def test_names_are_kept_with_their_own_weight_and_by_side() -> None:
    shown = Attribute(Kind.NAME, np.arange(2), pl.Series(["ann lee", "bob ray"]))
    left = Network("left", pl.Series(["a", "b"]), {"name": shown, "nick": shown}, {})
    right = Network("right", pl.Series(["x", "y"]), {"title": shown}, {})
    vectors = np.arange(16, dtype=np.float32).reshape(4, 4)
    origins = Origins(read_names(left, right, 256, 0), np.array([1, 0.5, 0.25], np.float32), vectors, None)
    channels = [channel(EvidenceSource.NAMES, "", 0.75), channel(EvidenceSource.ATTRIBUTE, "bio", 0.5)]
    kept = keep_state(
        channels, origins, Voters(NO_PAIRS, NOTHING), Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1), PROBABILITY
    )
    for state in (kept, unpack(pack(kept))):
        assert state.names is not None
        assert state.names.weight == 0.75
        assert state.names.weights == ({"name": 1.0, "nick": 0.5}, {"title": 0.25})
        assert [part.tolist() for side in state.names.vectors for part in side] == [
            [[0, 1, 2, 3], [4, 5, 6, 7]],
            [[8, 9, 10, 11], [12, 13, 14, 15]],
        ]
        assert (state.attributes, state.links) == ((), None)


def test_everything_is_kept_in_the_rows_as_given() -> None:
    """Row 2 as given is the first in order, row 0 the second and row 1 the third; right rows change places."""
    orders = Orders(RowOrder.of(np.array([2, 0, 1])), RowOrder.of(np.array([1, 0])))
    left = csr_matrix(np.array([[0, 5, 0], [5, 0, 7], [0, 7, 0]], np.float32))  # 2–0 and 0–1 as given
    right = csr_matrix(np.array([[0, 3], [0, 0]], np.float32))
    voters = Voters(Pairs(np.array([0, 2]), np.array([0, 1])), np.array([0.5, 0.25], np.float32))
    links = LinkState((left, right), ({}, {}), 0.5, NOTHING, 0.5, voters)
    assignment = Assignment(NOTHING, np.array([10, 20]), np.array([1, 2, 3]), 0.25, 0.5)
    given = state_as_given(FactoidState(None, (), links, assignment, None), orders)
    assert given.links is not None
    assert given.links.neighbours[0].toarray().tolist() == [[0, 7, 5], [7, 0, 0], [5, 0, 0]]
    assert given.links.neighbours[1].toarray().tolist() == [[0, 0], [3, 0]]
    assert (given.links.voters.linked.lefts.tolist(), given.links.voters.linked.rights.tolist()) == ([2, 1], [1, 0])
    assert given.links.voters.strengths.tolist() == [0.5, 0.25]
    assert given.assignment.left_scaling.tolist() == [2, 3, 1]
    assert given.assignment.right_scaling.tolist() == [20, 10]


def test_attributes_are_kept_if_further_users_can_get_vectors_from_them() -> None:
    """A picture channel has no encoder, and one that was never centred no mean."""
    rows, mean = np.eye(2, dtype=np.float32), np.array([0.5, 0], np.float32)
    encoders: list[Encoder | None] = [CategoryEncoder(seed=1), None, CategoryEncoder(seed=2)]
    channels = [
        Channel(ChannelWeight(EvidenceSource.ATTRIBUTE, "job", str(n), 0.25, ""), rows, rows, encoder, each)
        for n, (encoder, each) in enumerate(zip(encoders, (mean, mean, None), strict=True))
    ]
    origins = Origins(None, NOTHING, np.zeros((4, 3), np.float32), None)
    kept = keep_state(
        channels, origins, Voters(NO_PAIRS, NOTHING), Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1), PROBABILITY
    )
    [job] = kept.attributes
    assert (job.predicates, job.weight, job.encoder) == (("job", "0"), 0.25, CategoryEncoder(seed=1))
    assert job.mean.tolist() == [0.5, 0]


@pytest.mark.parametrize(
    "encoder",
    [
        CategoryEncoder(seed=4),
        DateEncoder(dim=384, seed=4),
        NumberEncoder(seed=4),
        TextEncoder(dim=256, seed=4).learn(pl.Series(["green tea", "chess"]))[0],
        LocationEncoder(dim=256, seed=4).learn(pl.Series(["Lima", "Port Louis"]))[0],
    ],
)
def test_every_encoder_gives_the_same_vectors_after_it_was_stored(encoder: Encoder) -> None:
    means = np.array([1, 2], np.float32), np.array([3], np.float32)
    states = [AttributeState(("a", str(n)), 0.5 + n, encoder, mean) for n, mean in enumerate(means)]
    stored = pack(FactoidState(None, tuple(states), None, Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1), None))
    again = unpack(stored).attributes
    assert [(each.predicates, each.weight, each.mean.tolist()) for each in again] == [
        (("a", "0"), 0.5, [1, 2]),
        (("a", "1"), 1.5, [3]),
    ]
    said = ["1990-05-17", "12", "green tea", "Lima", "baker"]
    for each in again:
        assert_allclose(each.encoder.encode(said), encoder.encode(said))


def test_a_text_model_is_stored_by_the_folder_it_is_in(tmp_path: Path) -> None:
    state = AttributeState(("bio", "bio"), 0.5, SentenceEncoder(str(tmp_path), centred=False), NOTHING)
    stored = pack(FactoidState(None, (state,), None, Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1), None))
    encoder = unpack(stored).attributes[0].encoder
    assert isinstance(encoder, SentenceEncoder)
    assert (encoder.model, encoder.centred) == (str(tmp_path), False)


def test_a_kind_that_has_no_vectors_is_refused() -> None:
    words = {"attributes": [{"predicates": ["a", "b"], "weight": 1, "seed": 0, "kind": "image"}], "no_match": [1, 1]}
    arrays = {"left.scaling": NOTHING, "right.scaling": NOTHING, "attribute0.mean": NOTHING}
    with pytest.raises(RunError, match="the run's space speaks of kind 'image', which has no vectors; link again"):
        unpack(FittedState(arrays, words))


def test_links_and_votes_come_back_as_they_were() -> None:
    left = csr_matrix(np.array([[0, 5, 0], [5, 0, 7], [0, 7, 0]], np.float32))
    right = csr_matrix(np.array([[0, 3], [3, 0]], np.float32))
    voters = Voters(Pairs(np.array([0, 2]), np.array([0, 1])), np.array([0.5, 0.25], np.float32))
    links = LinkState((left, right), ({"f": 1.0}, {"g": 0.5}), 0.75, np.array([1, 2], np.float32), 0.125, voters)
    again = unpack(pack(FactoidState(None, (), links, Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1), None))).links
    assert again is not None
    assert [matrix.toarray().tolist() for matrix in again.neighbours] == [left.toarray().tolist(), [[0, 3], [3, 0]]]
    assert again.weights == ({"f": 1.0}, {"g": 0.5})
    assert (again.hop_weight, again.vote_weight, again.hop_mean.tolist()) == (0.75, 0.125, [1, 2])
    assert (again.voters.linked.lefts.tolist(), again.voters.linked.rights.tolist()) == ([0, 2], [0, 1])
    assert again.voters.strengths.tolist() == [0.5, 0.25]


def test_without_hops_the_mean_is_zero_and_with_them_theirs() -> None:
    unlinked = csr_matrix((2, 2), dtype=np.float32)
    hood = Neighbourhood(unlinked, unlinked, NO_PAIRS, (), ({}, {}), seed=0)
    origins = Origins(None, NOTHING, np.zeros((4, 3), np.float32), hood)
    hop = replace(channel(EvidenceSource.NEIGHBOURS, "", 0.25), mean=np.array([1, 2, 3], np.float32))
    for channels, wanted in (([], [0, 0, 0]), ([hop], [1, 2, 3])):
        kept = keep_state(
            channels, origins, Voters(NO_PAIRS, NOTHING), Assignment(NOTHING, NOTHING, NOTHING, 1.0, 1.0), PROBABILITY
        )
        assert kept.links is not None
        assert kept.links.hop_mean.tolist() == wanted
        assert kept.links.vote_weight == 0


def test_the_model_of_probabilities_comes_back_as_it_was_and_in_the_rows_as_given() -> None:
    state = FactoidState(None, (), None, Assignment(NOTHING, np.arange(2), np.arange(2), 0.1, 0.1), PROBABILITY)
    orders = Orders(RowOrder.of(np.array([1, 0])), RowOrder.of(np.array([0, 1])))
    for kept, left in ((state, [[1, 2], [5, 6]]), (state_as_given(state, orders), [[2, 1], [6, 5]])):
        again = unpack(pack(kept)).probability
        assert again is not None
        assert (again.model, again.calibration, again.free) == (
            PROBABILITY.model,
            PROBABILITY.calibration,
            (0.25, 0.5),
        )
        assert [again.totals[0].tolist(), again.levels[0].tolist()] == left
        assert [again.totals[1].tolist(), again.levels[1].tolist()] == [[3, 4], [7, 8]]


def test_how_handles_are_made_and_trust_in_declarations_come_back_as_they_were() -> None:
    handles = HandleState(0.25, False, np.array([0, -1, -2, -3, -0.5], np.float32))
    trust = {"both name each other": 0.99, "a text names it": 0.5}
    assignment = Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1)
    again = unpack(pack(FactoidState(None, (), None, assignment, None, handles, trust)))
    assert again.handles is not None
    assert (again.handles.weight, again.handles.names_left) == (0.25, False)
    assert again.handles.gains.tolist() == [0, -1, -2, -3, -0.5]
    assert again.trust == trust
    before = unpack(pack(FactoidState(None, (), None, assignment, None)))
    assert (before.handles, before.trust) == (None, None)


def kept_of(channels: list[Channel], origins: Origins) -> FactoidState:
    assignment = Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1)
    return keep_state(channels, origins, Voters(NO_PAIRS, NOTHING), assignment, PROBABILITY)


def test_learned_names_are_kept_where_they_count() -> None:
    grams = RawGrams(np.array([3, 8]), np.array([0.5, 2], np.float32))
    expected, vectors, lesson = (np.full((rows, 4), rows, np.float32) for rows in (3, 1, 2))
    learned = LearnedNames(expected, vectors, grams, lesson)
    nothing = Origins(None, NOTHING, np.zeros((4, 3), np.float32), None)
    counted = [channel(EvidenceSource.ATTRIBUTE, "bio", 0.5), channel(EvidenceSource.LEARNED_NAMES, "", 0.25)]
    kept = kept_of(counted, replace(nothing, learned=learned)).learned
    assert kept is not None
    assert (kept.weight, kept.grams) == (0.25, grams)
    assert (kept.lesson.tolist(), kept.lesson.dtype) == ([[2] * 4] * 2, np.float16)
    assert [(part.tolist(), part.dtype) for part in kept.expected] == [([[3] * 4] * 3, np.float16)]
    assert kept_of(counted[:1], replace(nothing, learned=learned)).learned is None
    assert kept_of(counted, nothing).learned is None


def test_handles_are_kept_where_they_count() -> None:
    nothing = Origins(None, NOTHING, np.zeros((4, 3), np.float32), None)
    bare, copied = channel(EvidenceSource.HANDLES, "", 0.5), channel(EvidenceSource.HANDLES, "", 0.25)
    gains = np.array([0, -2], np.float32)
    pieces = HandleChannel(bare.weighting, bare.left, bare.right, gains=gains, names_left=False)
    copies = CopyChannel(copied.weighting, copied.left, copied.right)
    kept = kept_of([channel(EvidenceSource.ATTRIBUTE, "bio", 0.5), pieces], nothing).handles
    assert kept is not None
    assert (kept.weight, kept.names_left, kept.gains.tolist()) == (0.5, False, [0, -2])
    kept = kept_of([copies, channel(EvidenceSource.ATTRIBUTE, "bio", 0.5)], nothing).handles
    assert kept is not None
    assert (kept.weight, kept.names_left, kept.gains.tolist()) == (0.25, True, [])
    silent = [replace(each, weighting=replace(each.weighting, weight=0.0)) for each in (pieces, copies)]
    assert kept_of([*silent, replace(pieces, gains=None)], nothing).handles is None


def test_learned_names_come_back_as_they_were_and_nothing_where_there_were_none() -> None:
    grams = RawGrams(np.array([3, 8]), np.array([0.5, 2], np.float32))
    lesson, first, later = (np.full((rows, 4), rows, np.float16) for rows in (2, 3, 1))
    learned = LearnedNameState(0.25, grams, lesson, [first, later])
    assignment = Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1)
    again = unpack(pack(FactoidState(None, (), None, assignment, learned=learned))).learned
    assert again is not None
    assert again.weight == 0.25
    assert (again.grams.buckets.tolist(), again.grams.rarity.tolist()) == ([3, 8], [0.5, 2])
    assert again.lesson.tolist() == [[2] * 4] * 2
    assert [part.tolist() for part in again.expected] == [[[3] * 4] * 3, [[1] * 4]]
    assert unpack(pack(FactoidState(None, (), None, assignment))).learned is None


def test_what_is_said_to_other_networks_comes_back_as_it_was() -> None:
    here = csr_matrix(np.array([[0.5, 0], [0, 0.25]], np.float32))
    there = csr_matrix(np.array([[0.75, 0], [0, 0]], np.float32))
    before = replace(PROBABILITY, free=(0.125, 0.75), totals=(np.array([9.0, 8.0]), np.array([7.0, 6.0])))
    assignment = Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1)
    state = FactoidState(None, (), None, assignment, PROBABILITY, partners=PartnerState(0.5, before, (here, there)))
    again = unpack(pack(state))
    assert again.partners is not None
    assert again.probability is not None
    assert again.partners.weight == 0.5
    assert [matrix.toarray().tolist() for matrix in again.partners.partners] == [
        [[0.5, 0], [0, 0.25]],
        [[0.75, 0], [0, 0]],
    ]
    assert (again.partners.first.free, again.probability.free) == ((0.125, 0.75), (0.25, 0.5))
    assert [totals.tolist() for totals in again.partners.first.totals] == [[9, 8], [7, 6]]
    assert [totals.tolist() for totals in again.probability.totals] == [[1, 2], [3, 4]]
