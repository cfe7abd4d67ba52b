"""What a run keeps for later: weights by where they come from, in words that older runs have too."""

import numpy as np
from scipy.sparse import csr_matrix

from factlink.decision.soft_assignment import Assignment
from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.linkers.factoid.channels import Channel
from factlink.linkers.factoid.neighbourhood import Neighbourhood
from factlink.linkers.factoid.state import FactoidState, Origins, Voters, keep_state
from factlink.linkers.factoid.stored_state import pack, unpack
from factlink.protocols import FittedState
from factlink.types import NO_PAIRS

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
