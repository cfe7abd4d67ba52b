"""How time and memory of `factlink link` grow with the networks, against what `factlink plan` said before.

    python benchmarks/growth.py 10000 30000 100000 300000 1000000

Made-up networks of that many users each, with names, bios and ten links per user; `--worlds=FOLDER` keeps them there
for the next time. Sizes named are measured anew, the others keep their last figures; the exponents are fitted over all
from 30,000 on. Also draws docs/growth.svg.
"""

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from machine import RESULTS, write_result
from quality import ROOT, factlink, put_table

from factlink.data.crowd.dials import Crowd, Dials
from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.data.synthetic import twins

FIGURE, PAGE = ROOT / "docs" / "growth.svg", ROOT / "docs" / "scale.md"
PLACE = "<!-- growth: benchmarks/growth.py -->"


def make_world(n: int, place: Path) -> None:
    """Two networks of n users each and who is who, as files."""
    world = twins(Dials(Crowd(people=round(n / 0.8), users=(n, n))))
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
    }


def _child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def exponent(rows: list[dict[str, object]], figure: str) -> float | None:
    """The slope of log figure over log users, from 30,000 users on."""
    large = [row for row in rows if int(str(row["users"])) >= 30_000]
    if len(large) < 2:
        return None
    users, figures = (np.log([float(str(row[key])) for row in large]) for key in ("users", figure))
    return round(float(np.polyfit(users, figures, 1)[0]), 3)


def draw(rows: list[dict[str, object]]) -> None:
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


def table(rows: list[dict[str, object]]) -> str:
    """The rows as Markdown."""
    columns = ("users", "seconds", "processor_seconds", "planned_seconds", "memory_gb", "planned_memory_gb", "hr@1")
    lines = ["| " + " | ".join(column.replace("_", " ") for column in columns) + " |", "|---" * len(columns) + "|"]
    lines += ["| " + " | ".join(str(row[column]) for column in columns) + " |" for row in rows]
    return "\n".join(lines)


def main() -> None:
    """Measures the sizes asked for and writes the result, the table and the figure."""
    kept = [word.removeprefix("--worlds=") for word in sys.argv[1:] if word.startswith("--worlds=")]
    sizes = [int(word) for word in sys.argv[1:] if not word.startswith("-")]
    with tempfile.TemporaryDirectory() as passing:
        measure_all(sizes, Path(kept[0] if kept else passing))


def measure_all(sizes: list[int], worlds: Path) -> None:
    """Writes results as they come, then the page and the drawing."""
    path = RESULTS / "growth.json"
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    rows = [row for row in rows if "users" in row]
    for n in sizes:
        rows = sorted([row for row in rows if row["users"] != n] + [measure(n, worlds)], key=lambda row: row["users"])
        fitted = {f"exponent of {key}": exponent(rows, key) for key in ("seconds", "processor_seconds", "memory_gb")}
        print(rows, fitted, flush=True)
        write_result("growth", [*rows, fitted], ["factlink", "numpy", "numba", "polars"])
    put_table(PAGE, PLACE, table(rows))
    draw(rows)


if __name__ == "__main__":
    main()
