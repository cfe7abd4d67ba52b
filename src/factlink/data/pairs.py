"""Pairs files: users of two networks held to be one person, as known pairs or as truth.

Parquet, CSV or JSONL with the columns `left` and `right`, or a text file of the paper's authors: two ids on each line,
in whichever order fits the two networks. A pair that is given twice counts once. In a file of truth a row may leave
`right` empty: that left user is known to have no account in the right network.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.authors import pairs_table
from factlink.data.columns import texts
from factlink.data.tables import read_table, require_columns, write_table
from factlink.errors import InputError
from factlink.types import Ints, Network, Pairs

_WANTED = {"left": "the users of the left network", "right": "the users of the right network"}


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """What is known of left users: their right partners, or that they have none."""

    pairs: Pairs
    absent: Ints  # left rows without an account in the right network


def read_pairs(path: str | os.PathLike[str], left: Network, right: Network) -> Pairs:
    """The pairs in a file, as rows of the two networks; a left user whose right is empty is in none."""
    return read_truth(path, left, right).pairs


def read_known(path: str | os.PathLike[str], left: Network, right: Network) -> Pairs:
    """The same of a file in which every row has to name two users."""
    rows = _read_rows(Path(path), left, right, may_be_absent=False)
    return Pairs(rows["left"].to_numpy(), rows["right"].to_numpy())


def read_truth(path: str | os.PathLike[str], left: Network, right: Network) -> Truth:
    """The pairs in a file, and the left users whose right is empty."""
    rows = _read_rows(Path(path), left, right, may_be_absent=True)
    pairs, alone = rows.filter(pl.col("right") >= 0), rows.filter(pl.col("right") < 0)
    both = alone.join(pairs, on="left", how="semi")
    if both.height:
        user = left.users[int(both["left"][0])]
        raise InputError(f"{path}: left user '{user}' has both a right user and an empty one; drop one of the rows")
    return Truth(Pairs(pairs["left"].to_numpy(), pairs["right"].to_numpy()), alone["left"].to_numpy())


def write_truth(truth: Truth, path: str | os.PathLike[str], left: Network, right: Network) -> None:
    """Write pairs, and below them the left users without an account, with `right` empty."""
    lefts = left.users.gather(np.concatenate([truth.pairs.lefts, truth.absent]))
    rights = right.users.gather(truth.pairs.rights).extend_constant(None, len(truth.absent))
    write_table(pl.DataFrame({"left": lefts, "right": rights}), Path(path))


def write_pairs(pairs: Pairs, path: str | os.PathLike[str], left: Network, right: Network) -> None:
    """Write the user ids of pairs to a Parquet, CSV or JSONL file."""
    users = {"left": left.users.gather(pairs.lefts), "right": right.users.gather(pairs.rights)}
    write_table(pl.DataFrame(users), Path(path))


def _read_rows(path: Path, left: Network, right: Network, *, may_be_absent: bool) -> pl.DataFrame:
    """Rows of the users in a file; right −1 where there is none and there may be none."""
    networks = {"left": left, "right": right}
    users = _users_in_text(path, networks) if path.suffix == ".txt" else _users_in_table(path)
    if not users.height:
        raise InputError(f"{path} holds no pairs; give one left and one right user on each row")
    rows = pl.DataFrame({side: networks[side].rows_of(users[side]) for side in networks})
    absent = users["right"].is_null() if may_be_absent else pl.repeat(False, users.height, eager=True)
    wrong = (rows["left"] < 0) | ((rows["right"] < 0) & ~absent)
    _refuse_unknown(path, users, rows, networks, wrong)
    return rows.unique(maintain_order=True, keep="first")


def _users_in_table(path: Path) -> pl.DataFrame:
    table = read_table(path, str(path))
    require_columns(table, _WANTED, str(path))
    return pl.DataFrame({side: texts(table[side], str(path)) for side in _WANTED})


def _users_in_text(path: Path, networks: Mapping[str, Network]) -> pl.DataFrame:
    """A file of the authors serves both directions, so its users determine which column is which."""
    table = pairs_table(path, str(path), ("left", "right"))
    turned = table.rename({"left": "right", "right": "left"})
    return turned if _unknown(turned, networks) < _unknown(table, networks) else table


def _unknown(users: pl.DataFrame, networks: Mapping[str, Network]) -> int:
    return sum(int((network.rows_of(users[side]) < 0).sum()) for side, network in networks.items())


def _refuse_unknown(
    path: Path, users: pl.DataFrame, rows: pl.DataFrame, networks: Mapping[str, Network], wrong: pl.Series
) -> None:
    row = wrong.arg_max()
    if row is None or not wrong[row]:
        return
    side = "left" if rows["left"][row] < 0 else "right"
    other = networks["right" if side == "left" else "left"]
    user = users[side][row]
    if user is None:
        raise InputError(f"{path} row {row + 1}: the {side} user is empty; name both users of the pair, or drop it")
    swapped = other.rows_of([user])[0] >= 0
    remedy = (
        f"it is in '{other.name}': swap the columns or the networks" if swapped else "add the user or drop the pair"
    )
    raise InputError(f"{path} row {row + 1}: {side} user '{user}' is not in network '{networks[side].name}'; {remedy}")
