"""The users of one network of a run, with their names."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from factlink.explanations.user_names import best_name
from factlink.types import Kind

LONGEST_NAME = 80


class Accounts:
    """Ids and names of one network's users."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        kinds = json.loads((folder / "kinds.json").read_text("utf-8"))
        self.predicates = [predicate for predicate, kind in kinds.items() if kind == Kind.NAME]
        self._table = pl.scan_parquet(folder / "users.parquet").select("id", *self.predicates)

    def named(self, user: str) -> dict[str, str]:
        """The id and the most informative name of a user."""
        return {"user": user, "name": best_name(self.names([user]).get(user, []), user)[:LONGEST_NAME]}

    def names(self, users: Sequence[str] | pl.Series) -> dict[str, list[str]]:
        """All names of some users."""
        asked = self._table.filter(pl.col("id").is_in(pl.Series(users, dtype=pl.String).implode())).collect()
        return {row[0]: [name for found in row[1:] if found for name in _listed(found)] for row in asked.rows()}


def _listed(found: Any) -> list[str]:
    return [found] if isinstance(found, str) else list(found)
