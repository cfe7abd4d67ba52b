"""One made-up network in which some people have two or three accounts, some of them under another name."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from factlink.synthetic.dials import Dials, DuplicateDials, NameDials, Population
from factlink.synthetic.graphs import draw_graphs, draw_sociability
from factlink.synthetic.handles import draw_ids, make_distinct, usual_handles
from factlink.synthetic.people import draw_people
from factlink.synthetic.stock import Rng
from factlink.synthetic.worlds import as_attribute, draw_columns
from factlink.types import Follows, Ints, Network, Pairs

__all__ = ["DuplicateDials", "OneNetwork", "ban_evasion", "several_accounts"]

NAME = "network"
_NAMES = ("username", "screen_name")


@dataclass(frozen=True, slots=True, eq=False)
class OneNetwork:
    """A network, and who is behind each of its accounts."""

    network: Network
    persons: Ints  # (n_users,)

    def truth(self) -> Pairs:
        """All pairs of rows that are one person, the lower row first."""
        order = np.argsort(self.persons, kind="stable")
        found = [
            (order[:-step][same], order[step:][same])
            for step in range(1, np.bincount(self.persons).max(initial=1))
            for same in [self.persons[order[:-step]] == self.persons[order[step:]]]
        ]
        lefts, rights = (np.concatenate([np.empty(0, np.int64), *rows]) for rows in zip(*found, strict=True))
        by_both = np.lexsort((rights, lefts))
        return Pairs(lefts[by_both], rights[by_both])


def ban_evasion(people: int = 1_500, seed: int = 0) -> OneNetwork:
    """A tenth of the people were banned and came back: another name and profile, the same friends, no link between."""
    dials = Dials(Population(people=people), NameDials(hidden=0.0), seed=seed)
    return several_accounts(
        dials, DuplicateDials(three=0.0, renamed=1.0, disguised=1.0, friends=0.8, linked=0.0, closed=1.0)
    )


def several_accounts(
    dials: Dials | None = None, duplicates: DuplicateDials | None = None, pictures: Path | None = None
) -> OneNetwork:
    """A network of all people of the population, some of them more than once; users in no order.

    Pictures are drawn only if `pictures` names a folder to put them in.
    """
    dials, duplicates = dials or Dials(), duplicates or DuplicateDials()
    seeds = np.random.SeedSequence([dials.seed, 22]).spawn(5)
    people_rng, account_rng, link_rng, order_rng, picture_rng = map(np.random.default_rng, seeds)
    accounts = _draw_accounts(dials.population.people, duplicates, account_rng)
    people = draw_people(dials.population.people + accounts.n_made_up, dials.names.cultures, dials.groups, people_rng)
    people = people.with_columns(usual_handles(people, dials.names, people_rng))
    columns = _draw_columns(people, accounts, dials, account_rng)
    users = draw_ids(len(accounts.persons), account_rng)
    if pictures is not None:
        columns["picture"] = _draw_pictures(users, accounts, dials, pictures, picture_rng)
    follows = _draw_links(people["community"].to_numpy(), accounts, dials, duplicates, link_rng)
    return _shuffled(users, columns, follows, accounts.persons, order_rng)


@dataclass(frozen=True, slots=True, eq=False)
class _Accounts:
    """The first accounts of all people, then the second and the third ones."""

    persons: Ints  # (n,)
    number: Ints  # (n,) 0 for first accounts, 1 and 2 for further ones
    named: Ints  # (n,) the person, real or made up, whose names the account has
    described: Ints  # (n,) … and whose bio, town and picture
    n_made_up: int


def _draw_accounts(people: int, dials: DuplicateDials, rng: Rng) -> _Accounts:
    second = np.flatnonzero(rng.random(people) < dials.share)
    third = second[rng.random(len(second)) < dials.three]
    persons = np.concatenate([np.arange(people), second, third])
    number = np.repeat([0, 1, 2], [people, len(second), len(third)])
    renamed = (number > 0) & (rng.random(len(persons)) < dials.renamed)
    disguised = renamed & (rng.random(len(persons)) < dials.disguised)
    named = persons.copy()
    named[renamed] = people + np.arange(renamed.sum())
    return _Accounts(persons, number, named, np.where(disguised, named, persons), int(renamed.sum()))


def _draw_columns(people: pl.DataFrame, accounts: _Accounts, dials: Dials, rng: Rng) -> dict[str, pl.Series]:
    """Names of those whose names an account has, all else of those by whom it is described."""
    named, described = (draw_columns(people[rows], dials, rng) for rows in (accounts.named, accounts.described))
    columns = {name: (named if name in _NAMES else described)[name] for name in dials.population.predicates}
    if "username" in columns:
        columns["username"] = make_distinct(columns["username"], rng).alias("username")
    return columns


def _draw_pictures(users: pl.Series, accounts: _Accounts, dials: Dials, folder: Path, rng: Rng) -> pl.Series:
    from factlink.synthetic.pictures import Studio

    parts = []
    for k in range(3):
        mine = np.flatnonzero(accounts.number == k)
        studio = Studio(folder / str(k), dials.pictures, dials.seed, k)
        parts.append(studio.draw_pictures(users.gather(mine), accounts.described[mine], rng))
    return pl.concat(parts)


def _draw_links(communities: Ints, accounts: _Accounts, dials: Dials, duplicates: DuplicateDials, rng: Rng) -> Follows:
    """Links of the first accounts; those of further ones repeat them, and some are their own."""
    people = int(np.count_nonzero(accounts.number == 0))
    social = draw_sociability(communities[:people], dials.groups, rng)
    counts = dials.links.counts[:1]
    (first,) = draw_graphs(social, [np.arange(people)], replace(dials.links, counts=counts, kept_by=()), rng)
    ends = [(first.followers, first.followees)]
    further = np.arange(people, len(accounts.persons))
    banned = rng.random(people) < duplicates.closed
    for mine, theirs in ((first.followers, first.followees), (first.followees, first.followers)):
        new, friends = _repeated(mine, theirs, accounts.persons[further], duplicates.friends, rng)
        own = rng.binomial(np.bincount(new, minlength=len(further)), duplicates.own / (1 - duplicates.own))
        new_friends = rng.choice(theirs, own.sum()) if len(theirs) else np.empty(0, np.int64)
        rows = further[np.concatenate([new, np.repeat(np.arange(len(further)), own)])]
        others = np.concatenate([friends, new_friends])
        ends.append((rows, others) if mine is first.followers else (others, rows))
    linked = (rng.random(len(further)) < duplicates.linked) & ~banned[accounts.persons[further]]
    ends.append((further[linked], accounts.persons[further[linked]]))
    followers, followees = (np.concatenate(each) for each in zip(*ends, strict=True))
    again = np.isin(np.arange(people), accounts.persons[further])
    gone = np.append(banned & again, np.zeros(len(further), np.bool_))[followees]
    return _distinct(followers[~gone], followees[~gone], len(accounts.persons))


def _repeated(mine: Ints, theirs: Ints, persons: Ints, share: float, rng: Rng) -> tuple[Ints, Ints]:
    """Places among `persons` of accounts that repeat a link of theirs, and its other end."""
    order = np.argsort(mine, kind="stable")
    starts = np.searchsorted(mine[order], [persons, persons + 1])
    lengths = starts[1] - starts[0]
    places = np.repeat(starts[0] - np.cumsum(lengths) + lengths, lengths) + np.arange(lengths.sum())
    kept = rng.random(len(places)) < share
    return np.repeat(np.arange(len(persons)), lengths)[kept], theirs[order[places[kept]]]


def _distinct(followers: Ints, followees: Ints, n: int) -> Follows:
    keys = np.unique(followers.astype(np.int64) * n + followees)
    keys = keys[keys // n != keys % n]
    return Follows(keys // n, keys % n, np.ones(len(keys), np.float32))


def _shuffled(users: pl.Series, columns: dict[str, pl.Series], follows: Follows, persons: Ints, rng: Rng) -> OneNetwork:
    order = rng.permutation(len(persons))
    places = np.argsort(order)
    attributes = {name: as_attribute(column.gather(order).alias(name)) for name, column in columns.items()}
    moved = _distinct(places[follows.followers], places[follows.followees], len(persons))
    links = {"follows": moved} if len(moved) else {}
    return OneNetwork(Network(NAME, users.gather(order), attributes, links), persons[order])
