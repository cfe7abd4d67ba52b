"""Accounts as new users of a side, without tables: what is irregular about them is left to those who read tables."""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from factlink.linkers.factoid.adding.new_users import NewUsers
from factlink.linkers.factoid.state.state import FactoidState
from factlink.serve.accounts import Account
from factlink.serve.warm.users import UserTable
from factlink.types import Attribute, Follows, Ints, Network


def plain_users(
    state: FactoidState, side: int, accounts: Sequence[Account], home: UserTable, predicates: Sequence[str]
) -> NewUsers | None:
    """The accounts as `data.additions` would read them; None where it would find fault with them, or must look."""
    ids = [account.id for account in accounts]
    others = [link.other for account in accounts for link in account.links]
    named = {predicate for account in accounts for predicate in account.objects}
    linked_by = {link.predicate for account in accounts for link in account.links}
    if not (named <= home.kinds.keys() and linked_by <= set(predicates) and all(user.strip() for user in ids)):
        return None
    rows = home.rows_of([*ids, *others])
    new, known = rows[: len(ids)], rows[len(ids) :]
    if (new >= 0).any() or (known < 0).any() or len(set(ids)) < len(ids):
        return None
    network = Network(home.name, pl.Series("", ids, dtype=pl.String), _attributes(accounts, home), {})
    return NewUsers.of(state, side, network, len(home) + len(ids), _links(accounts, len(home), known))


def _attributes(accounts: Sequence[Account], home: UserTable) -> Mapping[str, Attribute]:
    found = {}
    for predicate in dict.fromkeys(predicate for account in accounts for predicate in account.objects):
        held = [
            (place, text)
            for place, account in enumerate(accounts)
            for text in dict.fromkeys(account.objects.get(predicate, ()))
        ]
        rows, texts = np.array([place for place, _ in held], np.int32), [text for _, text in held]
        found[predicate] = Attribute(home.kinds[predicate], rows, pl.Series("", texts, dtype=pl.String))
    return found


def _links(accounts: Sequence[Account], n_old: int, known: Ints) -> Mapping[str, Follows]:
    """Links by predicate; weights of repeated ones add up."""
    weights: dict[str, dict[tuple[int, int], float]] = {}
    others = iter(known.tolist())
    for place, account in enumerate(accounts):
        for link in account.links:
            mine, other = n_old + place, next(others)
            ends = (mine, other) if link.follows else (other, mine)
            held = weights.setdefault(link.predicate, {})
            held[ends] = held.get(ends, 0.0) + link.weight
    return {predicate: _follows(held) for predicate, held in weights.items()}


def _follows(held: Mapping[tuple[int, int], float]) -> Follows:
    ends = np.array(list(held), np.int64)
    return Follows(ends[:, 0], ends[:, 1], np.array(list(held.values()), np.float32))
