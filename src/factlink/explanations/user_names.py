"""What a user is called, wherever people read it: the longest name, of several words if there is one; or the id."""

from collections.abc import Iterable

import numpy as np
import polars as pl

from factlink.types import Ints, Kind, Network


def best_name(names: Iterable[str], user: str) -> str:
    """The name that tells most of a user; of equally long ones the first in the alphabet."""
    return min(names, key=lambda name: (" " not in name, -len(name), name), default=user)


def best_names(network: Network, rows: Ints) -> pl.Series:
    """The same for many users at once; null for one without a name."""
    asked = pl.DataFrame({"row": np.unique(rows)}).cast(pl.Int64)
    named = [
        pl.DataFrame({"row": a.rows, "name": a.objects}).cast({"row": pl.Int64}).join(asked, on="row", how="semi")
        for a in network.attributes.values()
        if a.kind is Kind.NAME
    ]
    names = pl.concat([pl.DataFrame(schema={"row": pl.Int64, "name": pl.String}), *named])
    called = asked.join(pick_best(names, "row"), on="row", how="left", maintain_order="left")
    return called["name"].gather(np.searchsorted(called["row"].to_numpy(), rows))


def pick_best(names: pl.DataFrame, owner: str) -> pl.DataFrame:
    """The best name of each owner, from a column of owners and a column `name`."""
    by_length = [pl.col("name").str.contains(" ", literal=True), pl.col("name").str.len_chars(), pl.col("name")]
    return names.sort(by_length, descending=[True, True, False]).unique(owner, keep="first", maintain_order=True)


def user_names(network: Network, rows: Ints) -> pl.Series:
    """Users as people know them: the name with the id, or the id."""
    asked, places = np.unique(rows, return_inverse=True)
    users = pl.DataFrame({"id": network.users.gather(asked), "name": best_names(network, asked)})
    nameless = pl.col("name").is_null() | (pl.col("name") == pl.col("id"))
    shown = pl.when(nameless).then("id").otherwise(pl.format("{} ({})", pl.col("name").str.slice(0, 60), "id"))
    return users.select(shown.alias("shown"))["shown"].gather(places)
