"""What a run keeps for later: weights by where they come from, in words that older runs have too."""

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.canonical.orders import Orders, RowOrder
from factlink.decision.soft_assignment import Assignment
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels import Channel
from factlink.linkers.factoid.names import read_names
from factlink.linkers.factoid.neighbourhood import Neighbourhood
from factlink.linkers.factoid.state import FactoidState, LinkState, Origins, Voters, keep_state, state_as_given
from factlink.linkers.factoid.stored_state import pack, unpack
from factlink.protocols import FittedState
from factlink.types import NO_PAIRS, Attribute, Kind, Network, Pairs

NOTHING = np.empty(0, np.float32)


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
    kept = pack(keep_state(channels, origins, Voters(NO_PAIRS, NOTHING), assignment)).words["links"]
    assert kept == {"weights": [{"follows": 1.0}, {"follows": 0.5}], "links": 0.25, "linked neighbours": 0.75}


def test_states_of_runs_made_before_are_read_by_their_former_names() -> None:
    left, right = np.array([1, 2], np.float32), np.array([3], np.float32)
    now = pack(FactoidState(None, (), None, Assignment(NOTHING, right, left, 0.25, 0.5)))
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
    kept = keep_state(channels, origins, Voters(NO_PAIRS, NOTHING), Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1))
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
    given = state_as_given(FactoidState(None, (), links, assignment), orders)
    assert given.links is not None
    assert given.links.neighbours[0].toarray().tolist() == [[0, 7, 5], [7, 0, 0], [5, 0, 0]]
    assert given.links.neighbours[1].toarray().tolist() == [[0, 0], [3, 0]]
    assert (given.links.voters.linked.lefts.tolist(), given.links.voters.linked.rights.tolist()) == ([2, 1], [1, 0])
    assert given.links.voters.strengths.tolist() == [0.5, 0.25]
    assert given.assignment.left_scaling.tolist() == [2, 3, 1]
    assert given.assignment.right_scaling.tolist() == [20, 10]
