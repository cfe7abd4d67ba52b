"""Does the default linker know how sure it is? Every shared set with more and more of the right partners hidden.

    python benchmarks/open_world.py [SET ...]

Three draws of who is hidden for each share, and made-up networks whose dials are all drawn at
random. With names of sets only those are measured, and the rows of the others are kept. Looks for the networks where
FACTLINK_DATA points, else in ../shared/data; truth is read only to score.
"""

import sys
import tempfile
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
import quality
from machine import DATA, MAKING_UP, Row, files, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table
from quality import factlink

from factlink.data.files import write_network
from factlink.data.pairs import Truth, write_truth
from factlink.synthetic.dials import CULTURES, Dials, LinkDials, NameDials, Population
from factlink.synthetic.worlds import twins

SETS = quality.SETS | {
    "dbp15k_ja_en": ("dbp15k_ja_en/dbpedia_ja", "dbp15k_ja_en/dbpedia_en", "dbp15k_ja_en/truth.parquet"),
    "ep_registry": ("ep_registry/parliament", "ep_registry/registry", "ep_registry/truth_open.parquet"),
    "ep_twitter": ("ep_twitter/parliament", "ep_twitter/twitter", "ep_twitter/truth_open.parquet"),
    "ep_scripts": ("ep_scripts/own_script", "ep_scripts/latin", "ep_scripts/truth.parquet"),
}
ENTRIES = (*linking("factoid"), "factlink.evaluation.open_world")
SHARES, DRAWS = (0.0, 0.3, 0.5, 0.7, 0.9), (0, 1, 2)
MADE_UP, WORLDS = "made-up", 12
"""Made-up worlds, of 60 to 100,000 people each."""

FEWEST_LINKS = 20
"""With fewer, one link more or less decides what share is false."""

SEED = 20261122
"""Of the made-up worlds; a new one after each change of the model, so that no choice was made on them."""


def measure(name: str) -> Iterator[Row]:
    """One set, with more and more of its right partners hidden."""
    for share in SHARES:
        for draw in DRAWS if share else DRAWS[:1]:
            made = made_by(ENTRIES, files(*SETS[name]))
            yield {**score(name, [str(DATA / part) for part in SETS[name]], share, draw), "made": made}


def random_dials(world: int) -> tuple[Dials, float]:
    """Dials of a world, and the share of partners to hide; every third world has no links."""
    rng = np.random.default_rng([SEED, world])
    people, lopsided = int(60 * (100_000 / 60) ** rng.random()), rng.random() < 1 / 3
    users = (int(people * rng.uniform(0.2, 0.9)), int(people * rng.uniform(0.5, 1))) if lopsided else ()
    population = Population(people, ("left", "right"), presence=round(rng.uniform(0.4, 1), 2), users=users)
    same, near = round(rng.uniform(0.1, 0.5), 2), round(rng.uniform(0.1, 0.4), 2)
    cultures = tuple(sorted(rng.choice(CULTURES, int(rng.integers(2, len(CULTURES) + 1)), replace=False).tolist()))
    shares = {key: round(rng.uniform(0, 0.5), 2) for key in ("unrelated", "hidden", "native", "nicknames", "initials")}
    names = NameDials(cultures, same, near, plain=round(rng.uniform(0.2, 0.8), 2), **shares)
    links = LinkDials(mean=0 if world % 3 == 2 else round(rng.uniform(2, 15), 1), kept=round(rng.uniform(0.2, 0.9), 2))
    return Dials(population, names, links=links, seed=int(rng.integers(10_000))), round(0.9 * rng.random(), 2)


def measure_made_up() -> Iterator[Row]:
    """Made-up networks whose sizes, overlap, names, scripts, links and hidden shares are drawn at random."""
    for world in range(WORLDS):
        dials, share = random_dials(world)
        made = twins(dials)
        left, right = made.networks
        pairs = made.truth(left.name, right.name)
        with tempfile.TemporaryDirectory() as place:
            parts = [f"{place}/{part}" for part in ("left", "right", "truth.csv")]
            for network, part in zip(made.networks, parts[:2], strict=True):
                write_network(network, Path(part))
            truth = Truth(pairs, np.setdiff1d(np.arange(len(left)), pairs.lefts))
            write_truth(truth, Path(parts[2]), left, right)
            name = f"{MADE_UP} {world + 1}, {len(left):,} and {len(right):,} users" + (", no links" * (world % 3 == 2))
            yield {**score(name, parts, share, 0), "made": made_by([*ENTRIES, MAKING_UP], made_up(dials))}


def score(name: str, parts: list[str], share: float, draw: int) -> Row:
    """Links two networks, some right partners hidden, and compares them with the truth."""
    left, right, truth = parts
    with tempfile.TemporaryDirectory() as place:
        if share:
            made = factlink(
                "hide", left, right, truth, "-o", f"{place}/world", "--share", str(share), "--seed", str(draw)
            )
            right, truth = str(made["right"]), str(made["truth"])
        factlink("link", left, right, "-o", f"{place}/run", "--precision", "0.9")
        scores = factlink("evaluate", f"{place}/run", truth)
    kept = ("n", "absent", "hr@1", "links", "coverage", "false_links", "expected_false_links", "calibration_error")
    return {"set": name, "hidden": share, "draw": draw, **{key: scores[key] for key in kept}}


def blocks() -> list[Block]:
    """The table, one line for all draws of a share, and what is weak in it."""
    result = read_result("open_world")
    head = ["set", "hidden", "partners found", "false links, expected", "true", "farthest", "calibration error"]
    lines = []
    for (name, hidden), group in groupby(result.rows, key=lambda row: (row["set"], row["hidden"])):
        rows = list(group)
        means = [np.mean([row[key] for row in rows]) for key in ("coverage", "expected_false_links", "false_links")]
        errors = [np.mean([row["calibration_error"] for row in rows])]
        far = max((_too_low(row) for row in rows), key=abs)
        figures = [f"{hidden:.0%}", *(f"{mean:.3f}" for mean in means), f"{far:+.3f}", *(f"{e:.3f}" for e in errors)]
        lines.append(result.line(name, [(figure, rows[-1]) for figure in figures]))
    text = table(head, lines, result.note())
    return [
        Block("docs/default-linker.md", "calibration: benchmarks/open_world.py", text),
        Block("docs/default-linker.md", "weak: benchmarks/open_world.py", weaknesses(result.rows)),
    ]


def _too_low(row: Row) -> float:
    return float(row["false_links"] - row["expected_false_links"])


def weaknesses(rows: list[Row]) -> str:
    """Where expected and true false links differ most, as a point of a list."""
    told = [row for row in rows if row["links"] >= FEWEST_LINKS]
    too_low, too_high = max(told, key=_too_low), min(told, key=_too_low)
    return textwrap.fill(
        f"- Of the worlds with {FEWEST_LINKS} links or more, the expected share of false links is farthest too low on "
        f"{too_low['set']} with {too_low['hidden']:.0%} hidden ({-_too_low(too_low):+.3f}), and farthest too high on "
        f"{too_high['set']} with {too_high['hidden']:.0%} hidden ({-_too_low(too_high):+.3f}).",
        100,
        subsequent_indent="  ",
    )


if __name__ == "__main__":
    wanted = sys.argv[1:] or [MADE_UP, *SETS]
    for name in wanted:
        rows = [row for row in read_result("open_world").rows if not row["set"].startswith(name)]
        for row in measure_made_up() if name == MADE_UP else measure(name):
            rows.append(row)
            print({key: value for key, value in row.items() if key != "made"}, flush=True)
            write_result("open_world", rows, ["factlink", "numpy", "numba"])
    fill_pages(blocks())
