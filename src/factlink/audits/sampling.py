"""A part of a large release that reasons and measures are tried on: people who are linked to each other."""

import numpy as np

from factlink.audits.attacks import Attack
from factlink.audits.release import Flags, Release, in_id_order
from factlink.types import Ints, Network

LARGEST = 1_500
"""People up to whom everything is tried on the whole release."""
_STEP = 50  # people who join a part at once


def sample_release(attack: Attack, seed: int, wanted: Ints | None = None) -> Release:
    """The release itself, or a part of it with the accounts that the attacker found for it and a fair share of others.

    People join the part by the number of their links with it, so that it keeps links. `wanted` are left rows that are
    in the part at any rate.
    """
    release = attack.release
    if len(release.left) <= LARGEST:
        return release
    lefts = grow_part(release.left, np.empty(0, np.int64) if wanted is None else wanted, LARGEST, seed)
    found = attack.rights[lefts]
    size = min(len(release.right), round(LARGEST * len(release.right) / len(release.left)))
    partners = [found[found >= 0]]
    if release.truth is not None:
        pairs = release.truth.pairs
        partners.append(pairs.rights[lefts[pairs.lefts]])
    rights = grow_part(release.right, np.unique(np.concatenate(partners)), size, seed)
    return release.keep(lefts, rights)


def grow_part(network: Network, first: Ints, size: int, seed: int) -> Flags:
    """(n,): `first` and further users, those with the most links to users there already; ties at random."""
    n = len(network)
    inside, rank = np.zeros(n, np.bool_), np.empty(n, np.int64)
    inside[first] = True
    rank[np.random.default_rng(seed).permutation(in_id_order(network))] = np.arange(n)
    ends = [(f.followers, f.followees) for f in network.links.values()]
    one, other = (np.concatenate([np.empty(0, np.int64), *(pair[k] for pair in ends)]) for k in (0, 1))
    while inside.sum() < min(size, n):
        met = np.bincount(one[inside[other]], minlength=n) + np.bincount(other[inside[one]], minlength=n)
        order = np.lexsort((rank, -met, inside))
        inside[order[: min(_STEP, size - int(inside.sum()))]] = True
    return inside
