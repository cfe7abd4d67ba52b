"""Links of all predicates as one graph."""

from collections.abc import Mapping

import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Follows


def join_links(links: Mapping[str, Follows]) -> Follows:
    """The links of all predicates end to end, without loops."""
    followers = np.concatenate([np.empty(0, np.int32), *(follows.followers for follows in links.values())])
    followees = np.concatenate([np.empty(0, np.int32), *(follows.followees for follows in links.values())])
    weights = np.concatenate([np.empty(0, np.float32), *(follows.weights for follows in links.values())])
    between_two = followers != followees
    return Follows(
        followers[between_two].astype(np.int32), followees[between_two].astype(np.int32), weights[between_two]
    )


def undirected(links: Mapping[str, Follows], n_users: int) -> csr_matrix:
    """(n_users, n_users) symmetric weights: what two users' links weigh together, in either direction."""
    joined = join_links(links)
    ends = joined.followers, joined.followees
    follows = csr_matrix((joined.weights.astype(np.float32), ends), shape=(n_users, n_users))
    graph = (follows + follows.T).tocsr()
    graph.sort_indices()
    return graph


def is_directed(links: Follows) -> bool:
    """Whether any link is returned; who lists friendships once, in no direction, returns none."""
    n_rows = 1 + max(links.followers.max(initial=0), links.followees.max(initial=0))
    forth = links.followers.astype(np.int64) * n_rows + links.followees
    back = links.followees.astype(np.int64) * n_rows + links.followers
    return bool(np.isin(forth, back).any())
