import numpy as np
import pytest

from factlink.persons.clustering import ANOTHER_ACCOUNT, SAID, TOO_UNLIKELY, Persons, make_persons
from factlink.persons.ties import Accounts, Ties

THREE = [(0, 1), (0, 2), (1, 2)]


def ties(*entries: tuple[int, int, float], unknown: tuple[tuple[int, int, float], ...] = ()) -> Ties:
    every = [*entries, *unknown]
    firsts, seconds, probabilities = zip(*every, strict=True)
    linked = np.arange(len(every)) < len(entries)
    return Ties(np.array(firsts), np.array(seconds), np.array(probabilities, np.float32), linked)


def groups(persons: Persons) -> list[list[int]]:
    return [np.flatnonzero(persons.numbers == n).tolist() for n in range(persons.numbers.max() + 1)]


def one_each(single: bool = True) -> Accounts:
    return Accounts.of_sizes([1, 1, 1], THREE, single=single)


def test_three_accounts_that_agree_are_one_person() -> None:
    persons = make_persons(ties((0, 1, 0.9), (1, 2, 0.8), (0, 2, 0.7)), one_each())
    assert groups(persons) == [[0, 1, 2]]
    assert persons.probabilities.tolist() == pytest.approx([0.8, 0.85, 0.75])
    assert persons.splits.height == 0


def test_a_chain_of_weak_ties_is_split_and_reported() -> None:
    persons = make_persons(ties((0, 1, 0.8), (1, 2, 0.7)), one_each())
    assert groups(persons) == [[0, 1], [2]]
    assert persons.splits.select("first", "second", "reason").rows() == [(1, 2, TOO_UNLIKELY)]
    assert persons.splits["mean"].to_list() == pytest.approx([0.35])
    assert persons.probabilities.tolist() == pytest.approx([0.8, 0.8, 1.0])


def test_two_strong_ties_outweigh_a_third_that_is_missing() -> None:
    persons = make_persons(ties((0, 1, 0.99), (1, 2, 0.98), unknown=((0, 2, 0.1),)), one_each())
    assert groups(persons) == [[0, 1, 2]]


def test_networks_that_were_not_compared_say_nothing_against_a_person() -> None:
    accounts = Accounts.of_sizes([1, 1, 1], [(0, 1), (1, 2)])
    assert groups(make_persons(ties((0, 1, 0.8), (1, 2, 0.7)), accounts)) == [[0, 1, 2]]


def test_a_person_has_one_account_per_network_and_the_likelier_stays() -> None:
    accounts = Accounts.of_sizes([1, 2], [(0, 1)])
    persons = make_persons(ties((0, 1, 0.6), (0, 2, 0.9)), accounts)
    assert groups(persons) == [[0, 2], [1]]
    assert persons.splits["reason"].to_list() == [ANOTHER_ACCOUNT]


def test_several_accounts_per_network_where_that_is_allowed() -> None:
    accounts = Accounts.of_sizes([1, 2], [(0, 1)], single=False)
    assert groups(make_persons(ties((0, 1, 0.6), (0, 2, 0.9)), accounts)) == [[0, 1, 2]]


def test_accounts_of_one_network_compared_with_itself() -> None:
    accounts = Accounts.of_sizes([4], [(0, 0)], single=False)
    persons = make_persons(ties((0, 1, 0.9), (1, 2, 0.6), (3, 2, 0.7)), accounts)
    assert groups(persons) == [[0, 1], [2, 3]]
    assert persons.splits.select("first", "second").rows() == [(1, 2)]


def test_a_pair_that_is_not_linked_joins_nobody() -> None:
    persons = make_persons(ties((0, 1, 0.9), unknown=((0, 2, 0.9), (1, 2, 0.9))), one_each())
    assert groups(persons) == [[0, 1], [2]]


def test_a_tie_refused_at_first_is_taken_once_the_others_have_joined() -> None:
    accounts = Accounts.of_sizes([1, 1, 1, 1], [(0, 1), (2, 3), (0, 2), (1, 2), (1, 3), (0, 3)])
    found = ties((0, 1, 0.95), (2, 3, 0.94), (0, 2, 0.9), (1, 2, 0.4), (1, 3, 0.8), (0, 3, 0.6))
    assert groups(make_persons(found, accounts)) == [[0, 1, 2, 3]]


def test_accounts_without_ties_are_persons_of_their_own() -> None:
    nothing = Ties(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.bool_))
    persons = make_persons(nothing, one_each())
    assert groups(persons) == [[0], [1], [2]]
    assert persons.probabilities.tolist() == [1, 1, 1]


def test_the_order_of_ties_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    accounts = Accounts.of_sizes([20, 20, 20], THREE)
    firsts, seconds = np.triu_indices(60, 1)
    apart = accounts.networks[firsts] != accounts.networks[seconds]
    drawn = rng.permutation(np.flatnonzero(apart))[:150]
    found = Ties(firsts[drawn], seconds[drawn], rng.random(150).astype(np.float32), np.ones(150, np.bool_))
    shuffled = rng.permutation(150)
    turned = Ties(seconds[drawn], firsts[drawn], found.probabilities, found.linked).some(shuffled)
    assert make_persons(found, accounts).numbers.tolist() == make_persons(turned, accounts).numbers.tolist()


def test_accounts_judged_not_to_match_are_apart_whoever_links_both() -> None:
    """A, B and D agree on C; A and C were judged apart."""
    accounts = Accounts.of_sizes([1, 1, 1, 1], [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    agreeing = ((0, 1, 1.0), (0, 3, 1.0), (1, 3, 1.0), (1, 2, 0.99), (2, 3, 0.98))
    assert groups(make_persons(ties(*agreeing), accounts)) == [[0, 1, 2, 3]]
    apart = make_persons(ties(*agreeing, unknown=((0, 2, -SAID),)), accounts)
    assert groups(apart) == [[0, 1, 3], [2]]
    assert apart.splits.select("first", "second", "reason").rows() == [(1, 2, TOO_UNLIKELY), (2, 3, TOO_UNLIKELY)]
    assert apart.splits["mean"].to_list() == [0.0, 0.0]


def test_accounts_judged_to_match_are_together_whatever_others_say() -> None:
    """A to D are two pairs that agree, and B and C were judged one: the mean of what is known between them is ¼."""
    accounts = Accounts.of_sizes([1, 1, 1, 1], [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    agreeing = ((0, 1, 1.0), (2, 3, 1.0))
    assert groups(make_persons(ties(*agreeing, (1, 2, 0.99)), accounts)) == [[0, 1], [2, 3]]
    persons = make_persons(ties(*agreeing, (1, 2, SAID)), accounts)
    assert persons.numbers[1] == persons.numbers[2]
    assert persons.probabilities.max() <= 1.0


def test_a_judged_match_does_not_outweigh_one_account_per_network() -> None:
    accounts = Accounts.of_sizes([1, 2], [(0, 1)])
    persons = make_persons(ties((0, 1, SAID), (0, 2, SAID)), accounts)
    assert groups(persons) == [[0, 1], [2]]
    assert persons.splits["reason"].to_list() == [ANOTHER_ACCOUNT]
    assert persons.splits["probability"].to_list() == [1.0]
