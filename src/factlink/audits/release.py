"""What an audit is about: the release, what an attacker has, and what is known of who is who."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.data.pairs import Truth
from factlink.evaluation.open_world import keep_users
from factlink.types import NO_PAIRS, Ints, Network, Pairs

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """The left network is to be published; an attacker has the right one, and may know some pairs."""

    left: Network
    right: Network
    known: Pairs = NO_PAIRS  # known to the attacker from the start
    truth: Truth | None = None  # never seen by the attacker

    @property
    def counted(self) -> Flags:
        """(n_left,): people whose risk is measured: whom the truth names, if there is one, known pairs aside."""
        counted = np.ones(len(self.left), np.bool_)
        if self.truth is not None:
            counted[:] = False
            counted[self.truth.pairs.lefts] = counted[self.truth.absent] = True
        counted[self.known.lefts] = False
        return counted

    def are_true(self, lefts: Ints, rights: Ints) -> Flags:
        """Which pairs the truth holds; of none without a truth."""
        if self.truth is None:
            return np.zeros(len(lefts), np.bool_)
        true, n = self.truth.pairs, max(1, len(self.right))
        return (rights >= 0) & np.isin(
            lefts.astype(np.int64) * n + rights, true.lefts.astype(np.int64) * n + true.rights
        )

    def keep(self, lefts: Flags, rights: Flags | None = None) -> "Release":
        """The same of some users; a person whose right account goes has none there."""
        rights = np.ones(len(self.right), np.bool_) if rights is None else rights
        truth = None if self.truth is None else _kept_truth(self.truth, lefts, rights)
        left, right = keep_users(self.left, lefts), self.right if rights.all() else keep_users(self.right, rights)
        return Release(left, right, _kept_pairs(self.known, lefts, rights), truth)

    def publish(self, left: Network) -> "Release":
        """The same people, published otherwise."""
        return replace(self, left=left)


def in_id_order(network: Network) -> Ints:
    """Rows by id, so that what is drawn from them does not depend on the order of rows."""
    return np.asarray(network.users.arg_sort().to_numpy(), np.int64)


def _kept_truth(truth: Truth, lefts: Flags, rights: Flags) -> Truth:
    gone = np.setdiff1d(truth.pairs.lefts[~rights[truth.pairs.rights]], truth.pairs.lefts[rights[truth.pairs.rights]])
    absent = np.union1d(truth.absent, gone).astype(np.int64)
    return Truth(_kept_pairs(truth.pairs, lefts, rights), _new_rows(lefts)[absent[lefts[absent]]])


def _kept_pairs(pairs: Pairs, lefts: Flags, rights: Flags) -> Pairs:
    there = lefts[pairs.lefts] & rights[pairs.rights]
    return Pairs(_new_rows(lefts)[pairs.lefts[there]], _new_rows(rights)[pairs.rights[there]])


def _new_rows(kept: Flags) -> Ints:
    return np.cumsum(kept) - 1
