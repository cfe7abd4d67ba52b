"""A table of links → `Follows` by predicate, in rows of the network.

Columns `source` (the follower) and `target` (the followee), and optional `predicate` (missing: 'follows') and `weight`
(missing: 1). The order of the lines does not matter. Self-links are dropped. Repeated links are one link: with the sum
of their weights if there is a column `weight`, else with weight 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.data.columns import texts
from factlink.data.tables import require_columns
from factlink.errors import InputError
from factlink.types import Floats, Follows, Ints

DEFAULT_PREDICATE = "follows"
_ENDS = {"follower": "source", "followee": "target"}
_WANTED = {"source": "the followers", "target": "the followees"}


@dataclass(frozen=True, slots=True)
class ReadLinks:
    """The links of a network, and how many lines were left out or merged to get them."""

    follows: Mapping[str, Follows] = field(default_factory=dict)  # by predicate, sorted
    dangling: int = 0
    self_links: int = 0
    repeated: int = 0
    unused_columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkOrigin:
    """How messages name the links ("network 'twitter': links.csv") and the users ("users.csv")."""

    links: str
    users: str


def links_from_table(table: pl.DataFrame, users: pl.Series, origin: LinkOrigin, drop_dangling: bool) -> ReadLinks:
    """The links between `users`; a link to anyone else is refused, or dropped and counted."""
    require_columns(table, _WANTED, origin.links)
    ends = {end: texts(table[column], origin.links) for end, column in _ENDS.items()}
    rows = pl.DataFrame({end: _rows_of(end, users, ids, origin.links) for end, ids in ends.items()})
    known = pl.all_horizontal(pl.all().is_not_null())
    if not drop_dangling and rows.null_count().sum_horizontal().item():
        raise _dangling(rows, ends, origin)
    stated = rows.with_columns(predicate=_predicates(table, origin.links), weight=_weights(table, origin.links))
    between = stated.filter(known)
    kept = between.filter(pl.col("follower") != pl.col("followee"))
    follows = _merged(kept, summed="weight" in table.columns)
    return ReadLinks(
        follows=follows,
        dangling=stated.height - between.height,
        self_links=between.height - kept.height,
        repeated=kept.height - sum(map(len, follows.values())),
        unused_columns=tuple(name for name in table.columns if name not in ("source", "target", "predicate", "weight")),
    )


def table_from_links(links: Mapping[str, Follows], users: pl.Series) -> pl.DataFrame:
    """The links as `links_from_table` reads them."""
    schema = {"source": pl.String, "target": pl.String, "predicate": pl.String, "weight": pl.Float32}
    tables = [
        pl.DataFrame(
            {
                "source": users.gather(follows.followers),
                "target": users.gather(follows.followees),
                "predicate": pl.repeat(predicate, len(follows), dtype=pl.String, eager=True),
                "weight": pl.Series(follows.weights, dtype=pl.Float32),
            }
        )
        for predicate, follows in links.items()
    ]
    return pl.concat([pl.DataFrame(schema=schema), *tables])


def _rows_of(end: str, users: pl.Series, ids: pl.Series, origin: str) -> pl.Series:
    missing = ids.is_null().arg_true()
    if len(missing):
        raise InputError(f"{origin} row {missing[0] + 1}: the {end} is empty; name both ends of the link, or drop it")
    rows_by_user = pl.DataFrame({"user": users, end: pl.arange(len(users), dtype=pl.Int32, eager=True)})
    return pl.DataFrame({"user": ids}).join(rows_by_user, on="user", how="left", maintain_order="left")[end]


def _dangling(rows: pl.DataFrame, ends: Mapping[str, pl.Series], origin: LinkOrigin) -> InputError:
    if rows.height > 1 and all(rows[end].null_count() == rows.height for end in ends):
        shown = ", ".join(f"'{ends[end][0]}'" for end in ends)
        return InputError(
            f"{origin.links}: no end of a link is a user ({shown} …), neither by id nor by another column of "
            f"{origin.users}; check that both are of one network, or name the columns with --source and --target"
        )
    first = {end: rows[end].is_null().arg_max() for end in ends if rows[end].null_count()}
    end = min(first, key=lambda end: first[end] or 0)
    row = first[end] or 0
    return InputError(
        f"{origin.links} row {row + 1}: {end} '{ends[end][row]}' is not in {origin.users}; "
        "add the user or drop the link (--drop-dangling)"
    )


def _predicates(table: pl.DataFrame, origin: str) -> pl.Series:
    if "predicate" not in table.columns:
        return pl.repeat(DEFAULT_PREDICATE, table.height, dtype=pl.String, eager=True)
    return texts(table["predicate"], origin).fill_null(DEFAULT_PREDICATE)


def _weights(table: pl.DataFrame, origin: str) -> pl.Series:
    if "weight" not in table.columns:
        return pl.repeat(1.0, table.height, dtype=pl.Float64, eager=True)
    column = table["weight"]
    given = column if column.dtype.is_numeric() else texts(column, origin).str.strip_chars()
    weights = given.cast(pl.Float64, strict=False)
    fits = (weights.cast(pl.Float32) > 0) & weights.cast(pl.Float32).is_finite()
    wrong = (given.is_not_null() & ~fits.fill_null(False)).arg_true()
    if len(wrong):
        raise InputError(
            f"{origin} row {wrong[0] + 1}: weight '{given[wrong[0]]}' is not a positive number; "
            "give one above 0, or leave it empty for 1"
        )
    return weights.fill_null(1.0)


def _merged(links: pl.DataFrame, summed: bool) -> dict[str, Follows]:
    names = links["predicate"].unique().sort()
    predicates = links["predicate"].cast(pl.Enum(names)).to_physical().to_numpy()
    followers, followees = links["follower"].to_numpy(), links["followee"].to_numpy()
    order = _sorted_by(predicates, followers, followees)
    predicates, followers, followees = predicates[order], followers[order], followees[order]
    firsts = _first_of_each(predicates, followers, followees)
    weights = _sums(links["weight"].to_numpy()[order], firsts) if summed else np.ones(len(firsts), np.float32)
    followers, followees = followers[firsts], followees[firsts]
    bounds = np.searchsorted(predicates[firsts], np.arange(len(names) + 1))
    return {
        name: Follows(followers[start:stop], followees[start:stop], weights[start:stop])
        for name, start, stop in zip(names, bounds[:-1], bounds[1:], strict=True)
    }


def _sorted_by(predicates: Ints, followers: Ints, followees: Ints) -> Ints:
    """One sort of whole numbers takes a tenth of a sort by columns; a row has 31 bits, so a pair fits in 62."""
    pairs = (followers.astype(np.int64) << 31) | followees
    order = pl.Series(pairs).arg_sort().to_numpy()
    return order[np.argsort(predicates[order], kind="stable")] if predicates.any() else order


def _first_of_each(*keys: Ints) -> Ints:
    differs = np.zeros(len(keys[0]), bool)
    differs[:1] = True
    for key in keys:
        differs[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(differs)


def _sums(weights: npt.NDArray[np.float64], firsts: Ints) -> Floats:
    """Each run of equal links added up in rising order, so that the order of the lines cannot show."""
    if len(firsts) == len(weights):
        return weights.astype(np.float32)
    runs = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(weights)))
    sums = np.add.reduceat(weights[np.lexsort((weights, runs))], firsts)
    return np.minimum(sums, np.finfo(np.float32).max).astype(np.float32)
