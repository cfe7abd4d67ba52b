"""How long it takes to add accounts to a finished run, and how well they are linked.

    python benchmarks/add_users.py --people 100000 --new 1000

Makes up two networks, links them without the last `--new` left users, adds those, and writes
`results/add_users_<people>.json`. `--run FOLDER` keeps the networks and the run there for another time.
"""

import argparse
import shutil
import tempfile
from pathlib import Path

import polars as pl
from machine import MAKING_UP, linking, made_by, made_up, peak_memory_gb, write_result
from pages import Block, fill_pages, read_result

from factlink.data.files import write_network
from factlink.data.frames import frames_from_network
from factlink.data.pairs import write_pairs
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.runs.planning import workers_within
from factlink.runs.scoring import evaluate_run
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import Pairs


def main() -> None:
    """Measures one size and writes its result."""
    options = parse_options()
    place = options.run or Path(tempfile.mkdtemp())
    if not (place / "run").exists():
        make_homes(place, options.people, options.new)
        order = LinkRequest(place / "left-old", place / "right", place / "run")
        make_run(order, FactoidLinker(), print, workers=workers_within(order))
    shutil.rmtree(place / "grown", ignore_errors=True)
    shutil.copytree(place / "run", place / "grown")
    added = add_users(AddRequest(place / "grown", place / "left-new"), print)
    scores = evaluate_run(place / "grown", place / "truth.csv")
    row: dict[str, object] = {
        "people": options.people,
        "new_users": added.outcomes.height,
        "seconds": round(added.seconds, 2),
        "hr@1": round(scores.metrics.hits[1], 4),
        "n": scores.metrics.n,
        "doubts": added.doubts.height,
        "peak_memory_gb": round(peak_memory_gb(), 2),
        "made": made_by([*linking("factoid"), "factlink.runs.adding", MAKING_UP], made_up(dials(options.people))),
    }
    write_result(f"add_users_{options.people}", [row], ["numpy", "faiss-cpu", "polars"])
    print(row)
    fill_pages(blocks())


def blocks() -> list[Block]:
    """What adding to a run of a million costs, as a sentence."""
    result = read_result("add_users_1000000")
    row = result.rows[0]
    text = (
        f"`python benchmarks/add_users.py --people {row['people']}` adds {row['new_users']:,} accounts to a finished\n"
        f"run of {row['people']:,} people in {row['seconds']:.0f} s and {row['peak_memory_gb']:.1f} GB. "
        f"HR@1 of the new accounts is {row['hr@1']:.3f}.\n{result.note()}"
    )
    return [Block("docs/scale.md", "adding: benchmarks/add_users.py", text)]


def dials(people: int) -> Dials:
    """Everybody on both networks."""
    return Dials(population=Population(people=people, presence=1.0), seed=1)


def parse_options() -> argparse.Namespace:
    """The size to measure, and where to keep what was made."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--new", type=int, default=1_000)
    parser.add_argument("--run", type=Path)
    return parser.parse_args()


def make_homes(place: Path, people: int, n_new: int) -> None:
    """Two made-up networks on disk, the last left users apart, and who they are."""
    place.mkdir(parents=True, exist_ok=True)
    world = twins(dials(people))
    left, right = world.networks
    write_network(right, place / "right")
    users, links = frames_from_network(left)
    old = users.head(users.height - n_new)
    among_old = pl.col("source").is_in(old["id"].implode()) & pl.col("target").is_in(old["id"].implode())
    parts = {"old": (old, links.filter(among_old)), "new": (users.tail(n_new), links.filter(~among_old))}
    for part, (some, follows) in parts.items():
        folder = place / f"left-{part}"
        folder.mkdir()
        some.write_parquet(folder / "users.parquet")
        follows.write_parquet(folder / "links.parquet")
    truth = world.truth("left", "right")
    new = truth.lefts >= old.height
    write_pairs(Pairs(truth.lefts[new], truth.rights[new]), place / "truth.csv", left, right)


if __name__ == "__main__":
    main()
