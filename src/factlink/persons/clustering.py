"""Ties → persons: the likeliest ties first, and no chains of weak ones.

Two groups of accounts become one person if a linked tie joins them, the mean probability over all compared pairs
between the groups is at least `least`, and no network is left with two accounts where it may have one. So A–B–C stay
together if A and C agree as well, or if both ties are so likely that they outweigh the third. Linked ties between
different persons are reported as splits.

Where a network was compared with itself, a person may have several accounts in it. An account of another network has
one link there, so that a missing one says nothing. What people judged outweighs everything (`SAID`).
"""

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import polars as pl

from factlink.persons.ties import Accounts, Ties
from factlink.types import Floats, Ints

LEAST = 0.5
"""The mean probability from which on two groups of accounts are one person."""

SAID = 1000.0
"""The weight of a tie that is given or was judged a match, in place of a probability; of a non-match the negative."""

ANOTHER_ACCOUNT = "the person has another account in that network"
TOO_UNLIKELY = "the person's other accounts disagree"
_UNLIKELY, _TWICE = 1, 2


@dataclass(frozen=True, slots=True, eq=False)
class Persons:
    """Who is who: every account belongs to one person."""

    numbers: Ints  # (n_rows,) of persons, 0 … n − 1, by their first row
    probabilities: Floats  # (n_rows,) that the account belongs there: its mean with the others; 1 for an only account
    splits: pl.DataFrame  # columns first, second (joint rows), probability, mean, reason; the likeliest first


def make_persons(ties: Ties, accounts: Accounts, least: float = LEAST) -> Persons:
    """Persons of all accounts; equally likely ties are taken by joint rows, so those should have a lasting order."""
    ties = _in_order(ties)
    starts, others, values = _neighbours(ties, len(accounts))
    known = starts, others, values
    rules = accounts.networks.astype(np.int64), accounts.compared, accounts.single
    linked = ties.some(ties.linked)
    numbers = _merge(linked.firsts, linked.seconds, known, rules, least)
    apart = linked.some(numbers[linked.firsts] != numbers[linked.seconds])
    means, reasons = _why_apart(apart.firsts, apart.seconds, numbers, known, rules)
    probabilities = _belongs(numbers, known, rules)
    splits = pl.DataFrame(
        {
            "first": pl.Series(apart.firsts, dtype=pl.Int64),
            "second": pl.Series(apart.seconds, dtype=pl.Int64),
            "probability": pl.Series(np.clip(apart.probabilities, 0, 1), dtype=pl.Float32),
            "mean": pl.Series(np.clip(means, 0, 1), dtype=pl.Float32),
            "reason": pl.Series(["", TOO_UNLIKELY, ANOTHER_ACCOUNT]).gather(reasons),
        }
    )
    return Persons(np.unique(numbers, return_inverse=True)[1], probabilities, splits)


def _in_order(ties: Ties) -> Ties:
    """The likeliest first, the smaller row of a tie first."""
    firsts, seconds = np.minimum(ties.firsts, ties.seconds), np.maximum(ties.firsts, ties.seconds)
    order = np.lexsort((seconds, firsts, -ties.probabilities.astype(np.float64)))
    return Ties(firsts, seconds, ties.probabilities, ties.linked).some(order)


def _neighbours(ties: Ties, n: int) -> tuple[Ints, Ints, Floats]:
    """All ties by account: where those of each begin, the other account, the probability."""
    mine, others = np.concatenate([ties.firsts, ties.seconds]), np.concatenate([ties.seconds, ties.firsts])
    order = np.lexsort((others, mine))
    starts = np.concatenate([[0], np.bincount(mine, minlength=n).cumsum()])
    return starts, others[order], np.tile(ties.probabilities, 2)[order].astype(np.float32)


@numba.njit(cache=True)
def _probability(known: Any, first: int, second: int) -> float:
    starts, others, values = known
    end = starts[first + 1]
    place = starts[first] + np.searchsorted(others[starts[first] : end], second)
    return values[place] if place < end and others[place] == second else 0.0


@numba.njit(cache=True)
def _agreement(first: int, second: int, following: Any, known: Any, rules: Any) -> Any:
    """The mean probability between two groups, given as rings, and whether a network would have two accounts."""
    networks, compared, single = rules
    total, n, twice, mine = 0.0, 0, False, first
    while True:
        theirs = second
        while True:
            here, there = networks[mine], networks[theirs]
            twice |= here == there and single[here]
            if compared[here, there]:
                likely = _probability(known, mine, theirs)
                if likely != 0 or here == there or not (compared[here, here] or compared[there, there]):
                    total += likely
                    n += 1
            theirs = following[theirs]
            if theirs == second:
                break
        mine = following[mine]
        if mine == first:
            break
    return total / max(n, 1), twice


@numba.njit(cache=True)
def _merge(firsts: Any, seconds: Any, known: Any, rules: Any, least: float) -> Any:
    """(n_rows,): the first row of each account's person; refused ties are tried again while anything changes."""
    n = len(rules[0])
    numbers, following = np.arange(n), np.arange(n)
    changed = True
    while changed:
        changed = False
        for tie in range(len(firsts)):
            first, second = firsts[tie], seconds[tie]
            if numbers[first] == numbers[second]:
                continue
            mean, twice = _agreement(first, second, following, known, rules)
            if twice or mean < least:
                continue
            number, member = min(numbers[first], numbers[second]), first
            following[first], following[second] = following[second], following[first]
            while True:
                numbers[member] = number
                member = following[member]
                if member == first:
                    break
            changed = True
    return numbers


@numba.njit(cache=True)
def _rings(numbers: Any) -> Any:
    """(n_rows,): the next account of the same person, the first after the last."""
    following, last = np.arange(len(numbers)), np.arange(len(numbers))
    for row in range(len(numbers)):
        number = numbers[row]
        if row != number:
            following[last[number]], following[row] = row, number
            last[number] = row
    return following


@numba.njit(cache=True)
def _why_apart(firsts: Any, seconds: Any, numbers: Any, known: Any, rules: Any) -> Any:
    """Per tie the mean probability between its two persons, and a reason."""
    following = _rings(numbers)
    means, reasons = np.zeros(len(firsts), np.float32), np.zeros(len(firsts), np.int64)
    for tie in range(len(firsts)):
        mean, twice = _agreement(firsts[tie], seconds[tie], following, known, rules)
        means[tie], reasons[tie] = mean, _TWICE if twice else _UNLIKELY
    return means, reasons


@numba.njit(cache=True)
def _belongs(numbers: Any, known: Any, rules: Any) -> Any:
    """(n_rows,): the mean probability of each account with the others of its person that it was compared with."""
    networks, compared, _ = rules
    following = _rings(numbers)
    found = np.ones(len(numbers), np.float32)
    for row in range(len(numbers)):
        total, n, other = 0.0, 0, following[row]
        while other != row:
            here, there = networks[row], networks[other]
            if compared[here, there]:
                likely = _probability(known, row, other)
                if likely != 0 or here == there or not (compared[here, here] or compared[there, there]):
                    total += min(max(likely, 0.0), 1.0)
                    n += 1
            other = following[other]
        if n:
            found[row] = total / n
    return found
