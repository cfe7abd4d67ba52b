"""What a run keeps for later: weights by where they come from, in words that older runs have too."""

import numpy as np
from scipy.sparse import csr_matrix

from factlink.linkers.channels import Channel
from factlink.linkers.memory import Voters, remember
from factlink.linkers.neighbourhood import Neighbourhood
from factlink.linkers.parts.factoid_parts import Origins
from factlink.matching.assign import Assignment
from factlink.matching.worth import Worth
from factlink.types import NO_PAIRS, EvidenceSource

NOTHING = np.empty(0, np.float32)


def channel(source: EvidenceSource, predicate: str, weight: float) -> Channel:
    rows = np.eye(2, dtype=np.float32)
    return Channel(Worth(source, predicate, predicate, weight, ""), rows, rows)


def test_a_picture_column_called_links_is_not_taken_for_neighbours() -> None:
    alone = csr_matrix((2, 2), dtype=np.float32)
    hood = Neighbourhood(alone, alone, NO_PAIRS, (), ({"follows": 1.0}, {"follows": 0.5}), seed=0)
    origins = Origins(None, NOTHING, np.zeros((4, 3), np.float32), hood)
    channels = [
        channel(EvidenceSource.ATTRIBUTE, "links", 0.9),
        channel(EvidenceSource.NEIGHBOURS, "", 0.25),
        channel(EvidenceSource.VOTES, "", 0.75),
        channel(EvidenceSource.ATTRIBUTE, "linked neighbours", 0.8),
    ]
    assignment = Assignment(NOTHING, NOTHING, NOTHING, 0.1, 0.1)
    kept = remember(channels, origins, Voters(NO_PAIRS, NOTHING), assignment).pack().words["links"]
    assert kept == {"weights": [{"follows": 1.0}, {"follows": 0.5}], "links": 0.25, "linked neighbours": 0.75}
