"""Several accounts of one person in one made-up network: how many are found, how many false ones are expected.

    python benchmarks/duplicates.py [SET …]

Without sets, all. Decoys, curves and rounds were chosen on other worlds: seeds 1 and 11 with 1,200 and 1,500 people.
Seconds are of the processor, for the whole run from reading to saving. Fills a table of docs/duplicates.md.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from machine import MAKING_UP, Row, made_by, made_up, measure_anew
from pages import Block, fill_pages, read_result, table

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.linkers.factoid.within.linker import WithinLinker
from factlink.runs.duplicates import evaluate_duplicates, find_duplicates
from factlink.runs.inputs import LinkRequest
from factlink.synthetic.dials import Dials, DuplicateDials, GroupDials, LinkDials, Population
from factlink.synthetic.duplicates import OneNetwork, ban_evasion, several_accounts

MODULES = ("factlink.runs.duplicates", MAKING_UP, "factlink.synthetic.duplicates")
WORLDS: dict[str, Callable[[], OneNetwork]] = {
    "a tenth of 2,000 people, seed 101": lambda: several_accounts(Dials(Population(people=2_000), seed=101)),
    "a tenth of 2,000 people, seed 102": lambda: several_accounts(Dials(Population(people=2_000), seed=102)),
    "a fiftieth of 2,000 people": lambda: several_accounts(
        Dials(Population(people=2_000), seed=103), DuplicateDials(share=0.02)
    ),
    "small groups, twice the links": lambda: several_accounts(
        Dials(Population(people=2_000), groups=GroupDials(size=40, inside=0.8), links=LinkDials(mean=20), seed=104)
    ),
    "no links": lambda: several_accounts(Dials(Population(people=2_000), links=LinkDials(mean=0), seed=105)),
    "ban evasion": lambda: ban_evasion(2_000, seed=106),
    "ban evasion, 300 people": lambda: ban_evasion(300, seed=110),
    "nobody twice": lambda: several_accounts(Dials(Population(people=2_000), seed=107), DuplicateDials(share=0.0)),
    "a tenth of 17,500 people": lambda: several_accounts(Dials(Population(people=17_500), seed=108)),
    "a tenth of 89,000 people": lambda: several_accounts(Dials(Population(people=89_000), seed=109)),
}
COLUMNS = ("users", "true pairs", "linked", "precision", "recall", "F1", "false", "expected", "seconds")


def measure(name: str) -> Iterator[Row]:
    """One world: what a run finds in it, and the seconds it takes."""
    world = WORLDS[name]()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        write_network(world.network, folder / "network")
        start = time.process_time()
        made = find_duplicates(LinkRequest(folder / "network", folder / "network", folder / "run"), WithinLinker())
        seconds = time.process_time() - start
        truth = world.truth()
        figures: Row = {"true pairs": len(truth), "linked": made.links.count_links()["found"]}
        if len(truth):
            write_pairs(truth, folder / "truth.csv", world.network, world.network)
            scores = evaluate_duplicates(folder / "run", folder / "truth.csv")
            figures |= {"precision": scores.precision, "recall": scores.recall, "F1": scores.f1}
            figures |= {"false": scores.false_links, "expected": scores.expected_false_links}
        else:
            figures |= {"expected": made.manifest.notes["expected_false_links"]}
    yield {
        "set": name,
        "users": len(world.network),
        **figures,
        "seconds": seconds,
        "made": made_by(MODULES, made_up(name)),
    }


def blocks() -> list[Block]:
    """One line for each world."""
    result = read_result("duplicates")
    lines = [result.line(row["set"], [(_shown(row.get(column)), row) for column in COLUMNS]) for row in result.rows]
    text = table(["world", *COLUMNS], lines, result.note())
    return [Block("docs/duplicates.md", "duplicates: benchmarks/duplicates.py", text)]


def _shown(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}" if value <= 1 else f"{value:.0f}"


if __name__ == "__main__":
    measure_anew("duplicates", sys.argv[1:] or WORLDS, measure, ["factlink", "numpy", "scipy", "polars", "numba"])
    fill_pages(blocks())
