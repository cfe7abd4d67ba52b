"""A small world for commands to be killed in: networks, truth, known pairs, new accounts, an experiment."""

from pathlib import Path

import polars as pl

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins

EXPERIMENT = """
title = "a small world"
folds = 2
seeds = [0]

[data]
left = "left"
right = "right"
truth = "truth.parquet"

[[rows]]
title = "Name"
linker = "name"
"""


def make_world(folder: Path, people: int = 25) -> None:
    """Writes left/, right/, third/, truth.parquet, known.csv, judged.csv, new/ and small.toml."""
    world = twins(Dials(Population(people=people, networks=("left", "right", "third")), seed=3))
    left, right, _ = world.networks
    for network in world.networks:
        write_network(network, folder / network.name)
    truth = world.truth("left", "right")
    write_pairs(truth, folder / "truth.parquet", left, right)
    pairs = pl.read_parquet(folder / "truth.parquet")
    pairs.head(3).write_csv(folder / "known.csv")
    pairs.tail(3).with_columns(verdict=pl.lit("match")).write_csv(folder / "judged.csv")
    (folder / "new").mkdir()
    users = pl.read_parquet(folder / "left" / "users.parquet").head(3)
    users.with_columns(id=pl.col("id") + "-new").write_parquet(folder / "new" / "users.parquet")
    (folder / "small.toml").write_text(EXPERIMENT, "utf-8")
