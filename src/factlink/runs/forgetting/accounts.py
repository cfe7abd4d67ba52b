"""Which accounts of a run are meant, and what the run holds of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.errors import InputError, SettingError
from factlink.runs.finding import find_users
from factlink.runs.folder.manifest import Manifest

SIDES = ("left", "right")
BOTH = "both"


@dataclass(frozen=True, slots=True)
class Account:
    """One account of a run."""

    side: str
    network: str
    user: str
    row: int
    within: bool = False  # of a run of pairs within one network, which is both sides

    @property
    def takes_rows(self) -> bool:
        """Whether its rows of the links go with it: those of a left user, and any pair within one network."""
        return self.side == "left" or self.within


def find_accounts(run: Path, manifest: Manifest, user: str, side: str) -> list[Account]:
    """The accounts with exactly this id: in one network, or in both where that was asked for."""
    if side not in ("", BOTH, *SIDES):
        raise SettingError(f"a run has no side '{side}'; there are: left, right and both")
    side = BOTH if manifest.within else side
    found = [account for each in SIDES if (account := _account(run, manifest, user, each)) is not None]
    chosen = [account for account in found if side in ("", BOTH, account.side)]
    if not chosen:
        raise InputError(_no_such_id(run, manifest, user, side, found))
    if len(chosen) == 2 and side != BOTH:
        raise InputError(f"both networks have a user '{user}'; choose with --side left, --side right or --side both")
    return chosen


def held_values(run: Path, account: Account) -> set[str]:
    """The id of an account and all values that its network gives it, as text."""
    table = pl.scan_parquet(run / account.side / "users.parquet").filter(pl.col("id") == account.user).collect()
    return {text for column in table for text in as_texts(column).to_list() if text}


def as_texts(column: pl.Series) -> pl.Series:
    """The values of a column as text, lists taken apart."""
    values = column.explode() if isinstance(column.dtype, pl.List) else column
    return values.cast(pl.String).drop_nulls()


def _account(run: Path, manifest: Manifest, user: str, side: str) -> Account | None:
    ids = pl.read_parquet(run / side / "users.parquet", columns=["id"])["id"]
    rows = (ids == user).arg_true()
    name = getattr(manifest, side).name
    return Account(side, name, user, int(rows[0]), manifest.within) if len(rows) else None


def _no_such_id(run: Path, manifest: Manifest, user: str, side: str, found: Sequence[Account]) -> str:
    if found:
        return f"network '{getattr(manifest, side).name}' has no user '{user}'; the other network has one"
    names = f"'{manifest.left.name}' or '{manifest.right.name}'"
    try:
        named = ", ".join(f"{each.user} ({each.name}, {each.network})" for each in find_users(run, user))
    except InputError:
        return f"no user has the id '{user}' in network {names}; check the id in links.csv"
    return f"no user has the id '{user}' in network {names}; users of that name are: {named}"
