"""Social status: PageRank of each user in its own network, its percentile and its class.

Grouping users by PageRank into leaders, a middle class and the rest is recalled from COSNET (Zhang et al., KDD 2015),
whose text could not be read; the cut-offs and the six columns are this project's own.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from factlink.linkers.baselines.features.friends import degrees_of, friends_of
from factlink.types import Floats, Ints, Network

DAMPING = 0.85
ROUNDS = 50
LEADERS, MIDDLE = 0.01, 0.10  # the percentiles where the first and the second class end
STATUS_COLUMNS = (
    "same class",
    "both leaders",
    "both middle class",
    "leader with ordinary",
    "near percentile",
    "near rank",
)


@dataclass(frozen=True, slots=True, eq=False)
class Status:
    """The standing of every user of one network."""

    ranks: Floats  # (n_users,) PageRank · n_users, 1 on average
    percentiles: Floats  # (n_users,) in (0, 1], small is high
    classes: Ints  # (n_users,) 0 leaders, 1 middle class, 2 ordinary

    def of(self, rows: Ints) -> "Status":
        """The standing of some users."""
        return Status(self.ranks[rows], self.percentiles[rows], self.classes[rows])


def status_of(network: Network) -> Status:
    """PageRank over links taken both ways; users that tie share their middle percentile."""
    from scipy.stats import rankdata

    ranks = len(network) * page_rank(friends_of(network))
    percentiles = rankdata(-np.round(ranks, 9)) / len(network)
    classes = (percentiles > LEADERS).astype(np.int8) + (percentiles > MIDDLE)
    return Status(ranks.astype(np.float32), percentiles.astype(np.float32), classes)


def page_rank(friends: csr_matrix) -> Floats:
    """(n_users,) summing to one; the rank of users without friends is spread evenly."""
    degrees = degrees_of(friends)
    n = len(degrees)
    ranks = np.full(n, 1 / n)
    for _ in range(ROUNDS):
        given = np.divide(ranks, degrees, out=np.zeros(n), where=degrees > 0)
        idle = ranks[degrees == 0].sum()
        ranks = (1 - DAMPING) / n + DAMPING * (friends @ given + idle / n)
    return ranks


def compare_status(left: Status, right: Status) -> list[Floats]:
    """One array per STATUS_COLUMNS, in the broadcast shape of the two sides."""
    one, other = left.classes, right.classes
    gap = np.abs(np.log(left.ranks) - np.log(right.ranks))
    columns = (
        one == other,
        (one == 0) & (other == 0),
        (one == 1) & (other == 1),
        ((one == 0) & (other == 2)) | ((one == 2) & (other == 0)),
        1 - np.abs(left.percentiles - right.percentiles),
        1 - np.clip(gap / 10, 0, 1),
    )
    return [np.asarray(column, np.float32) for column in columns]
