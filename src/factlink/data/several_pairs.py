"""Pairs files of three networks or more: known pairs or truth as pairs of any two networks, or as persons.

A file of pairs has the columns `left` and `right`. Ids tell the networks; where an id occurs in several, the columns
`left_network` and `right_network` do. A file of persons has the columns `person`, `network` and `user`: all accounts
of a person are pairs.
"""

import os
from collections.abc import Mapping, Sequence
from itertools import combinations
from pathlib import Path

import polars as pl

from factlink.data.columns import texts
from factlink.data.tables import read_table, require_columns
from factlink.errors import InputError
from factlink.types import Network, Pairs

_PAIR = {"left": "one user of each pair", "right": "the other user of each pair"}
_PERSON = {"person": "the person", "network": "the network of the account", "user": "the user"}


def read_several_pairs(
    path: str | os.PathLike[str], networks: Sequence[Network], within: Sequence[int] = ()
) -> dict[tuple[int, int], Pairs]:
    """Pairs by the places of their two networks, the earlier network left; every pair once.

    `within` are networks of which a pair may be two users.
    """
    path = Path(path)
    table = read_table(path, str(path))
    is_of_persons = "person" in table.columns
    pairs = _person_pairs(table, path, networks) if is_of_persons else _pairs(table, path, networks, within)
    found = {}
    for places in [*combinations(range(len(networks)), 2), *((place, place) for place in within)]:
        mine = pairs.filter(pl.col("first") == places[0], pl.col("second") == places[1])
        mine = mine.select("left", "right").unique().sort("left", "right")
        if mine.height:
            found[places] = Pairs(mine["left"].to_numpy(), mine["right"].to_numpy())
    if not found:
        raise InputError(f"{path} holds no pair of two networks; give users of different networks")
    return found


def _pairs(table: pl.DataFrame, path: Path, networks: Sequence[Network], within: Sequence[int]) -> pl.DataFrame:
    """Columns first, left, second, right: places of networks and rows, the earlier network first."""
    require_columns(table, _PAIR, str(path))
    named = table.filter(pl.col("right").is_not_null())
    sides = [_located(named, side, f"{side}_network", path, networks) for side in ("left", "right")]
    both = pl.concat(
        [side.rename({"place": f"{name}_place", "row": name}) for side, name in zip(sides, _PAIR, strict=True)],
        how="horizontal",
    )
    same = both.filter(pl.col("left_place") == pl.col("right_place"), ~pl.col("left_place").is_in(list(within)))
    if same.height:
        name = networks[int(same["left_place"][0])].name
        raise InputError(f"{path} holds a pair of two users of network '{name}'; a pair is of two networks")
    turned = pl.col("left_place") > pl.col("right_place")
    return both.select(
        first=pl.min_horizontal("left_place", "right_place"),
        left=pl.when(turned).then("right").otherwise("left"),
        second=pl.max_horizontal("left_place", "right_place"),
        right=pl.when(turned).then("left").otherwise("right"),
    )


def _person_pairs(table: pl.DataFrame, path: Path, networks: Sequence[Network]) -> pl.DataFrame:
    """The same from accounts by person."""
    require_columns(table, _PERSON, str(path))
    accounts = _located(table, "user", "network", path, networks).with_columns(person=table["person"])
    earlier = (pl.col("place") < pl.col("place_right")) | (
        (pl.col("place") == pl.col("place_right")) & (pl.col("row") < pl.col("row_right"))
    )
    both = accounts.join(accounts, on="person").filter(earlier)
    return both.select(first="place", left="row", second="place_right", right="row_right")


def _located(table: pl.DataFrame, users: str, network: str, path: Path, networks: Sequence[Network]) -> pl.DataFrame:
    """Columns place and row of the users in a column; an error for one that is in no network or in several."""
    asked = texts(table[users], str(path))
    every = pl.DataFrame({name: pl.Series(found) for name, found in _rows_by_place(asked, networks).items()})
    here = {str(place): pl.col(str(place)) >= 0 for place in range(len(networks))}
    if network in table.columns:
        told = texts(table[network], str(path))
        here = {str(place): here[str(place)] & pl.lit(told == each.name) for place, each in enumerate(networks)}
    found = every.select(**here)
    counts = found.select(n=pl.sum_horizontal(pl.all()))["n"]
    _refuse_lost(path, users, asked, counts, found, [each.name for each in networks])
    place = found.select(pl.concat_list(pl.all()).list.arg_max())[found.columns[0]].cast(pl.Int64)
    rows = pl.select(pl.coalesce(pl.when(place == int(name)).then(every[name]) for name in every.columns)).to_series()
    return pl.DataFrame({"place": place, "row": rows.cast(pl.Int64)})


def _rows_by_place(users: pl.Series, networks: Sequence[Network]) -> Mapping[str, pl.Series]:
    return {str(place): pl.Series(network.rows_of(users)) for place, network in enumerate(networks)}


def _refuse_lost(
    path: Path, column: str, users: pl.Series, counts: pl.Series, found: pl.DataFrame, names: Sequence[str]
) -> None:
    for wrong, is_lost in ((counts == 0, True), (counts > 1, False)):
        row = wrong.arg_max()
        if row is None or not wrong[row]:
            continue
        if is_lost:
            every = ", ".join(names)
            raise InputError(f"{path} row {row + 1}: {column} '{users[row]}' is in none of the networks {every}")
        several = [name for name, there in zip(names, found.row(row), strict=True) if there]
        raise InputError(
            f"{path} row {row + 1}: {column} '{users[row]}' is in networks {' and '.join(several)}; say which pair the "
            "file is about with --pair A:B, or add columns left_network and right_network"
        )
