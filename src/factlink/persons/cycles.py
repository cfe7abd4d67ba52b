"""Do three networks agree? Where A is linked to B, and B to C, A should be linked to C."""

import numpy as np
import polars as pl

from factlink.persons.ties import Accounts, Ties


def open_triangles(ties: Ties, accounts: Accounts) -> pl.DataFrame:
    """Two links whose ends are not linked though their networks were compared, the weakest link first.

    Columns first, middle, third (joint rows), first_probability and third_probability (of the links with the middle),
    probability (of first and third) and weakest.
    """
    every = pl.DataFrame(
        {"a": ties.firsts, "b": ties.seconds, "p": np.clip(ties.probabilities, 0, 1), "linked": ties.linked}
    )
    every = every.cast({"a": pl.Int64, "b": pl.Int64, "p": pl.Float32})
    both = pl.concat([every, every.select(a="b", b="a", p="p", linked="linked")])
    links = both.filter("linked").select("a", "b", "p")
    open_ends = links.join(links.rename({"a": "c", "p": "p2"}), on="b").filter(pl.col("a") < pl.col("c"))
    open_ends = open_ends.join(links.select("a", c="b"), on=["a", "c"], how="anti")
    here, there = (accounts.networks[open_ends[column].to_numpy()] for column in ("a", "c"))
    open_ends = open_ends.filter(pl.Series(np.asarray(accounts.compared[here, there] & (here != there))))
    third = both.select("a", "p", c="b").rename({"p": "probability"}).unique(["a", "c"])
    found = open_ends.join(third, on=["a", "c"], how="left").with_columns(pl.col("probability").fill_null(0.0))
    return (
        found.select(
            first="a",
            middle="b",
            third="c",
            first_probability="p",
            third_probability="p2",
            probability="probability",
            weakest=pl.min_horizontal("p", "p2"),
        )
        .sort("weakest", "first", "middle", "third")
        .cast({"probability": pl.Float32})
    )


def ask_first(triangles: pl.DataFrame) -> pl.DataFrame:
    """The weakest link of each triangle, the weakest first: an answer settles all triangles that it is the weakest of.

    `triangles` has accounts in place of rows: first_network, first and so on. Columns network, user, other_network,
    other_user, probability, triangles.
    """
    earlier = pl.col("first_probability") <= pl.col("third_probability")
    end = (pl.when(earlier).then(f"first{part}").otherwise(f"third{part}") for part in ("_network", ""))
    network, user = end
    links = triangles.select(
        network=network, user=user, other_network="middle_network", other_user="middle", probability="weakest"
    )
    turned = (pl.col("network") > pl.col("other_network")) | (
        (pl.col("network") == pl.col("other_network")) & (pl.col("user") > pl.col("other_user"))
    )
    ends = [("network", "other_network"), ("user", "other_user")]
    swapped = [pl.when(turned).then(b).otherwise(a).alias(a) for a, b in ends]
    swapped += [pl.when(turned).then(a).otherwise(b).alias(b) for a, b in ends]
    keys = ["network", "user", "other_network", "other_user"]
    found = links.select(*swapped, "probability").group_by(keys).agg(pl.col("probability").min(), triangles=pl.len())
    return found.sort("probability", *keys)
