"""Is the default linker ever worse than names alone? Every shared set as it is, spoilt, and lopsided.

    python benchmarks/never_worse.py [SET ...]

Spoilt: links of both networks shuffled, or columns of noise and a random link predicate added. Lopsided: a tenth of the
users of one side, for each of ten tenths, so that everyone is asked about once. Sets that are named are measured anew.
Looks for the networks where FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from machine import DATA, Row, files, linking, made_by, measure_anew
from pages import Block, fill_pages, read_result, table
from quality import SETS

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network
from factlink.evaluation.metrics import evaluate
from factlink.evaluation.open_world import keep_users
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.types import Attribute, Follows, Kind, Network, Pairs

TENTHS = 10
World = tuple[Network, Network, Pairs]


def shuffled_links(network: Network, rng: np.random.Generator) -> Network:
    """The same numbers of links, to anybody."""
    links = {p: replace(follows, followees=rng.permutation(follows.followees)) for p, follows in network.links.items()}
    return replace(network, links=links)


def with_noise(network: Network, rng: np.random.Generator) -> Network:
    """Two columns and a link predicate that say nothing."""
    n, rows = len(network), np.arange(len(network))
    colour = pl.Series(rng.choice(["red", "green", "blue", "white", "black"], n))
    words = rng.choice([f"word{i}" for i in range(500)], (n, 6))
    mood = pl.Series([" ".join(line) for line in words])
    noise = {"colour": Attribute(Kind.CATEGORY, rows, colour), "mood": Attribute(Kind.TEXT, rows, mood)}
    ends = rng.integers(0, n, (2, 5 * n))
    ends = ends[:, ends[0] != ends[1]]
    met = {"met": Follows(ends[0], ends[1], np.ones(ends.shape[1], np.float32))}
    return replace(network, attributes={**network.attributes, **noise}, links={**network.links, **met})


def tenths(world: World, of_left: bool, rng: np.random.Generator) -> Iterator[World]:
    """The world with a tenth of the users of one side, ten times."""
    left, right, truth = world
    side, ends = (left, truth.lefts) if of_left else (right, truth.rights)
    group = rng.permutation(len(side)) % TENTHS
    for tenth in range(TENTHS):
        kept, there = group == tenth, group[ends] == tenth
        rows = (np.cumsum(kept) - 1)[ends[there]]
        if of_left:
            yield keep_users(left, kept), right, Pairs(rows, truth.rights[there])
        else:
            yield left, keep_users(right, kept), Pairs(truth.lefts[there], rows)


def variants(world: World) -> Iterator[tuple[str, list[World]]]:
    """The world as it is, and what was made of it."""
    rng = np.random.default_rng(0)
    left, right, truth = world
    yield "as it is", [world]
    yield "links shuffled", [(shuffled_links(left, rng), shuffled_links(right, rng), truth)]
    yield "columns and links of noise", [(with_noise(left, rng), with_noise(right, rng), truth)]
    yield "a tenth of the left users", list(tenths(world, of_left=True, rng=rng))
    yield "a tenth of the right users", list(tenths(world, of_left=False, rng=rng))


def hit_rate(linker: NameLinker | FactoidLinker, worlds: list[World]) -> float:
    """HR@1 over everybody in some worlds."""
    found = [evaluate(linker.fit(left, right), truth) for left, right, truth in worlds]
    return sum(metrics.hits[1] * metrics.n for metrics in found) / sum(metrics.n for metrics in found)


def measure(name: str) -> Iterator[Row]:
    """Both linkers on every variant of a set."""
    left, right = (read_network(DATA / folder) for folder in SETS[name][:2])
    truth = read_pairs(DATA / SETS[name][2], left, right)
    for variant, worlds in variants((left, right, truth)):
        rates = {"names": hit_rate(NameLinker(), worlds), "default": hit_rate(FactoidLinker(), worlds)}
        made = made_by([*linking("name", "factoid"), "factlink.evaluation.open_world"], files(*SETS[name]))
        figures = {linker: round(rate, 4) for linker, rate in rates.items()}
        yield {"set": name, "variant": variant, **figures, "made": made}


def blocks() -> list[Block]:
    """Names alone → the default linker."""
    result = read_result("never_worse")
    variants_ = list(dict.fromkeys(row["variant"] for row in result.rows))
    lines = []
    for name in SETS:
        rows = [row for row in result.rows if row["set"] == name]
        if rows:
            lines.append(result.line(name, [(f"{row['names']:.3f} → {row['default']:.3f}", row) for row in rows]))
    text = table(["HR@1, names alone → default", *variants_], lines, result.note())
    return [Block("docs/default-linker.md", "never worse: benchmarks/never_worse.py", text)]


def main() -> None:
    """Measures the sets named, or all, and keeps earlier rows of the others."""
    measure_anew("never_worse", sys.argv[1:] or SETS, measure, ["factlink", "numpy", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
