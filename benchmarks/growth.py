"""How time and memory of `factlink link` grow with the networks, against what `factlink plan` said before.

    python benchmarks/growth.py 10000 30000 100000 300000 1000000

Made-up networks of that many users each, with names, bios and ten links per user; `--worlds=FOLDER` keeps them there
for the next time. Sizes named are measured anew, the others keep their last figures; the exponents are fitted over all
from 30,000 on. Also draws docs/growth.svg.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from machine import MAKING_UP, ROOT, Row, linking, made_by, made_up, write_result
from pages import Block, Result, fill_pages, read_result, table
from quality import factlink

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins

FIGURE = ROOT / "docs" / "growth.svg"
COLUMNS = ("users", "seconds", "processor_seconds", "planned_seconds", "memory_gb", "planned_memory_gb", "hr@1")
COSTS = ("seconds", "processor_seconds", "memory_gb")
MILLION = 1_000_000


def dials(n: int) -> Dials:
    """Networks of n users each, 80 % of whose people are on both."""
    return Dials(Population(people=round(n / 0.8), users=(n, n)))


def make_world(n: int, place: Path) -> None:
    """Two networks of n users each and who is who, as files."""
    world = twins(dials(n))
    for network in world.networks:
        write_network(network, place / network.name)
    write_pairs(world.truth("left", "right"), place / "truth.parquet", *world.networks)


def measure(n: int, worlds: Path) -> dict[str, object]:
    """n users on either side, end to end."""
    place = worlds / f"w{n}"
    if not (place / "truth.parquet").exists():
        make_world(n, place)
    left, right, truth = (str(place / name) for name in ("left", "right", "truth.parquet"))
    with tempfile.TemporaryDirectory() as folder:
        plan = factlink("plan", left, right)
        start, used = time.perf_counter(), _child_seconds()
        made = factlink("link", left, right, "-o", f"{folder}/run")
        seconds, processor = time.perf_counter() - start, _child_seconds() - used
        scores = factlink("evaluate", f"{folder}/run", truth)
    return {
        "users": n,
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor, 1),
        "memory_gb": round(float(str(made["peak_memory_bytes"])) / 1e9, 2),
        "hr@1": round(float(str(scores["hr@1"])), 4),
        "search": made["notes"]["search"],  # type: ignore[index]
        "planned_seconds": round(float(str(plan["seconds"])), 1),
        "planned_memory_gb": round(float(str(plan["memory_bytes"])) / 1e9, 2),
        "made": made_by([*linking("factoid"), MAKING_UP], made_up(dials(n))),
    }


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def exponent(rows: list[Row], figure: str) -> float | None:
    """The slope of log figure over log users, from 30,000 users on."""
    large = [row for row in rows if int(str(row["users"])) >= 30_000]
    if len(large) < 2:
        return None
    users, figures = (np.log([float(str(row[key])) for row in large]) for key in ("users", figure))
    return round(float(np.polyfit(users, figures, 1)[0]), 3)


def draw(rows: list[Row]) -> None:
    """Processor time and memory over users, both axes logarithmic."""
    import altair as alt
    import polars as pl

    names = {"processor_seconds": "processor seconds", "memory_gb": "memory, GB"}
    table = pl.DataFrame(
        [{"users": row["users"], "what": name, "value": row[key]} for row in rows for key, name in names.items()]
    )
    sizes = table["users"].unique().to_list()
    axis = alt.X("users:Q", title="users per network").scale(type="log").axis(values=sizes, format="~s")
    chart = alt.Chart(table).mark_line(point=True).encode(axis, alt.Y("value:Q", title="").scale(type="log"))
    titles = alt.Row("what:N", title="")
    whole = chart.properties(width=420, height=150).facet(row=titles).resolve_scale(y="independent")
    whole.properties(title="Linking two networks on two cores").save(FIGURE)


def blocks() -> list[Block]:
    """The table with what it says of growth."""
    result = read_result("growth")
    lines = [result.line(f"{row['users']:,}", [(str(row[key]), row) for key in COLUMNS[1:]]) for row in result.rows]
    text = table([column.replace("_", " ") for column in COLUMNS], lines, f"{result.note()}\n\n{slopes(result)}")
    return [Block("docs/scale.md", "growth: benchmarks/growth.py", text)]


def slopes(result: Result) -> str:
    """What grows how fast, in two sentences."""
    time, processor, memory = (f"{exponent(result.rows, key) or 0:.2f}" for key in COSTS)
    shares = ", ".join(f"{row['search']['recall']:.2f}" for row in result.rows)
    return (
        f"Over all rows from 30,000 users on, seconds grow with the power {time} of the number of users,\n"
        f"processor seconds with {processor} and memory with {memory}.\n"
        f"Recall of the name search, row by row: {shares}."
    )


def million(result: Result) -> str:
    """What a million accounts on either side cost."""
    row = next(row for row in result.rows if row["users"] == MILLION)
    return (
        "Linking a million accounts with a million others, each network with names, bios and ten million\nlinks, took "
        f"{row['seconds'] / 60:.0f} minutes and {row['memory_gb']:.0f} GB on two cores "
        f"([scale](../scale.md)).\n{result.note([row])}"
    )


def main() -> None:
    """Measures the sizes asked for and writes the result, the table and the figure."""
    kept = [word.removeprefix("--worlds=") for word in sys.argv[1:] if word.startswith("--worlds=")]
    sizes = [int(word) for word in sys.argv[1:] if not word.startswith("-")]
    with tempfile.TemporaryDirectory() as passing:
        measure_all(sizes, Path(kept[0] if kept else passing))


def measure_all(sizes: list[int], worlds: Path) -> None:
    """Writes results as they come, then the page and the drawing."""
    for n in sizes:
        found = measure(n, worlds)
        print(found, flush=True)
        rows = [row for row in read_result("growth").rows if row["users"] != n] + [found]
        write_result("growth", sorted(rows, key=lambda row: row["users"]), ["factlink", "numpy", "numba", "polars"])
    fill_pages(blocks())
    draw(read_result("growth").rows)


if __name__ == "__main__":
    main()
