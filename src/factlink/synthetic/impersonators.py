"""Impersonators: accounts with a profile copied from another network, and with other friends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from factlink.synthetic.handles import draw_ids, make_distinct
from factlink.synthetic.stock import Rng
from factlink.types import Attribute, Follows, Ints, Kind, Network


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A network, who is behind each row, and whose profile the row copies."""

    network: Network
    persons: Ints  # (n_users,)
    copied: Ints  # (n_users,) a person; −1 for an honest account


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Accounts to copy, as rows of the network that shows them."""

    network: Network
    rows: Ints
    persons: Ints  # behind the rows


def add_impersonators(
    shown: Sequence[Shown], share: float, people: int, pictures: Path | None, rng: Rng
) -> list[Shown]:
    """The networks with copies of a share of the people, each in one network, from one that shows the person.

    Impersonators are persons of their own, numbered from `people` on. They stand anywhere among the rows.
    """
    victims = np.flatnonzero(rng.random(people) < share)
    homes = rng.integers(0, len(shown), len(victims))
    grown, number = [], people
    for k, each in enumerate(shown):
        others = [*shown[k + 1 :], *shown[:k]]
        copies = _find_copies(victims[homes == k], others, people)
        added = sum(len(part.rows) for part in copies)
        folder = None if pictures is None else pictures / each.network.name
        grown.append(_shuffled(_with_copies(each, copies, number, folder, rng), rng) if added else each)
        number += added
    return grown


def _find_copies(victims: Ints, others: Sequence[Shown], people: int) -> list[Copies]:
    """Where the victims are shown, the first of several places; who is nowhere else cannot be copied."""
    found, missing = [], victims
    for other in others:
        rows = np.full(people, -1)
        rows[other.persons] = np.arange(len(other.persons))
        there = missing[rows[missing] >= 0]
        found.append(Copies(other.network, rows[there], there))
        missing = missing[rows[missing] < 0]
    return found


def _with_copies(shown: Shown, copies: Sequence[Copies], number: int, pictures: Path | None, rng: Rng) -> Shown:
    """The network with the copies behind its own users."""
    network, victims = shown.network, np.concatenate([part.persons for part in copies])
    ids = draw_ids(len(victims), rng)
    users = pl.concat([network.users, ids.alias(network.users.name)])
    attributes = {p: _copied(p, attribute, copies, len(network)) for p, attribute in network.attributes.items()}
    if "username" in attributes:
        names = attributes["username"]
        attributes["username"] = replace(names, objects=make_distinct(names.objects, rng).alias(names.objects.name))
    if pictures is not None:
        attributes["picture"] = _with_own_files(attributes["picture"], users, len(network), pictures)
    links = {p: _befriended(follows, len(network), len(victims), rng) for p, follows in network.links.items()}
    return Shown(
        replace(network, users=users, attributes=attributes, links=links),
        np.concatenate([shown.persons, number + np.arange(len(victims))]),
        np.concatenate([shown.copied, victims]),
    )


def _copied(predicate: str, attribute: Attribute, copies: Sequence[Copies], n_users: int) -> Attribute:
    rows, objects, first = [attribute.rows], [attribute.objects], n_users
    for part in copies:
        place = np.full(len(part.network), -1)
        place[part.rows] = first + np.arange(len(part.rows))
        owned = part.network.attributes[predicate]
        held = np.flatnonzero(place[owned.rows] >= 0)
        rows.append(place[owned.rows[held]])
        objects.append(owned.objects.gather(held))
        first += len(part.rows)
    return Attribute(attribute.kind, np.concatenate(rows), pl.concat(objects))


def _with_own_files(attribute: Attribute, users: pl.Series, n_old: int, folder: Path) -> Attribute:
    from factlink.synthetic.pictures import copy_picture

    files = [
        file if row < n_old else copy_picture(Path(file), folder / f"{users[row]}.jpg")
        for row, file in zip(attribute.rows.tolist(), attribute.objects, strict=True)
    ]
    return Attribute(Kind.IMAGE, attribute.rows, pl.Series(attribute.objects.name, files, pl.String))


def _befriended(follows: Follows, n_old: int, n_new: int, rng: Rng) -> Follows:
    """Each new account follows, and is followed by, as many as some user, chosen as often as links lead to them."""
    n, models = n_old + n_new, rng.integers(0, n_old, n_new)
    new = np.arange(n_old, n)
    out, back = (
        np.repeat(new, np.bincount(ends, minlength=n_old)[models]) for ends in (follows.followers, follows.followees)
    )
    followers = np.concatenate([follows.followers, out, rng.choice(follows.followers, len(back))])
    followees = np.concatenate([follows.followees, rng.choice(follows.followees, len(out)), back])
    keys = np.unique(followers.astype(np.int64) * n + followees)
    return Follows(keys // n, keys % n, np.ones(len(keys), np.float32))


def _shuffled(shown: Shown, rng: Rng) -> Shown:
    """The same with its users in another order."""
    network, order = shown.network, rng.permutation(len(shown.persons))
    places = np.argsort(order)
    attributes = {p: _moved(attribute, places) for p, attribute in network.attributes.items()}
    links = {p: _moved_links(follows, places) for p, follows in network.links.items()}
    moved = replace(network, users=network.users.gather(order), attributes=attributes, links=links)
    return Shown(moved, shown.persons[order], shown.copied[order])


def _moved(attribute: Attribute, places: Ints) -> Attribute:
    rows = places[attribute.rows]
    order = np.argsort(rows, kind="stable")
    return Attribute(attribute.kind, rows[order], attribute.objects.gather(order))


def _moved_links(follows: Follows, places: Ints) -> Follows:
    keys = np.sort(places[follows.followers] * len(places) + places[follows.followees])
    return Follows(keys // len(places), keys % len(places), follows.weights)
