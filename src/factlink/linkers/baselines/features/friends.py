"""Who is linked with whom, whatever the predicate and the direction."""

import numpy as np
from scipy.sparse import csr_matrix

from factlink.types import Ints, Network


def friends_of(network: Network) -> csr_matrix:
    """(n_users, n_users) ones where two different users are linked either way, by any predicate."""
    followers = np.concatenate([np.empty(0, np.int64), *(follows.followers for follows in network.links.values())])
    followees = np.concatenate([np.empty(0, np.int64), *(follows.followees for follows in network.links.values())])
    apart = followers != followees
    rows = np.concatenate([followers[apart], followees[apart]])
    columns = np.concatenate([followees[apart], followers[apart]])
    links = csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=(len(network), len(network)))
    links.sum_duplicates()
    links.sort_indices()
    links.data[:] = 1
    return links


def degrees_of(friends: csr_matrix) -> Ints:
    """(n_users,): how many friends each user has."""
    return np.asarray(np.diff(friends.indptr), np.int64)
