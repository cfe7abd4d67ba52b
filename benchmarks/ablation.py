"""Every step of the default linker off, on every shared set: into results/ablation.json, docs/ablation.md.

    python benchmarks/ablation.py [SET ...]        the data from FACTLINK_DATA, else ../shared/data

Sets that are named are measured anew; the others keep their last figures. Small sets are measured whole and with most
partners hidden, large ones whole.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from half_and_twice import changed, judge
from machine import DATA, Row, files, linking, made_by, measure_anew
from open_world import SETS
from pages import Block, fill_pages, read_result, table

from factlink.data.pairs import read_truth
from factlink.data.sources.networks import read_network
from factlink.decision.decisions import link
from factlink.decision.soft_assignment import SoftAssignment
from factlink.evaluation.metrics import evaluate
from factlink.evaluation.open_world import OpenWorld, hide_partners
from factlink.linkers.baselines.name import NameLinker
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.protocols import Linker

LARGE = ("dbp_fb", "dbp15k_fr_en", "dbp15k_ja_en")
HIDDEN = 0.7
WHOLE = FactoidLinker()


@dataclass(frozen=True, slots=True)
class Variant:
    """A linker, and a constant of the code that has another value meanwhile."""

    linker: Linker
    meanwhile: Callable[[], AbstractContextManager[None]] = nullcontext


def without(**steps: bool) -> Variant:
    """The whole without some steps."""
    return Variant(replace(WHOLE, steps=Steps(**steps)))


PROBABILITY = "linkers.factoid.probability"
VARIANTS = {
    "names alone (`name`)": Variant(NameLinker()),
    "the whole (`factoid`)": Variant(WHOLE),
    "without votes": Variant(replace(WHOLE, rounds=0)),
    "without spreading": without(spreading=False),
    "without links": without(links=False),
    "without other attributes": without(attributes=False),
    "without readings": without(readings=False),
    "without handles": without(handles=False),
    "without declared links": without(declared=False),
    "without learned weights": without(weights=False),
    "without the null model": without(null_model=False),
    "without one-to-one": Variant(replace(WHOLE, assignment=SoftAssignment(one_to_one=False))),
    "one round of learning": Variant(WHOLE, partial(changed, f"{PROBABILITY}.learning.ROUNDS", 1)),
    "without what crossing says": Variant(WHOLE, partial(changed, f"{PROBABILITY}.partners._STEPS", 0)),
}


def main() -> None:
    """Measures the sets asked for and writes both files."""
    measure_anew("ablation", sys.argv[1:] or SETS, measure, ["factlink", "numpy", "numba"])
    fill_pages(blocks())


def measure(name: str) -> Iterator[Row]:
    """Every variant on one set: how it ranks, how many false links it expects and makes, and processor time."""
    left, right = (read_network(DATA / folder) for folder in SETS[name][:2])
    truth = read_truth(DATA / SETS[name][2], left, right)
    for share in (0.0,) if name in LARGE else (0.0, HIDDEN):
        world = hide_partners(left, right, truth.pairs, share)
        world = replace(world, hidden=np.union1d(world.hidden, truth.absent))
        for called, variant in VARIANTS.items():
            row = {"set": name, "hidden": share, "variant": called, **figures(variant, world)}
            yield {**row, "made": made(name, variant)}


def made(name: str, variant: Variant) -> Row:
    """What a row comes from."""
    linker = "name" if isinstance(variant.linker, NameLinker) else "factoid"
    return made_by((*linking(linker), "factlink.evaluation.open_world"), files(*SETS[name]))


def figures(variant: Variant, world: OpenWorld) -> Row:
    """Of one variant in one world."""
    start = time.process_time()
    with variant.meanwhile():
        scorer = variant.linker.fit(world.left, world.right)
        links = link(scorer)
    seconds = round(time.process_time() - start, 1)
    called, right = judge(links, world)
    return {
        "hr@1": round(evaluate(scorer, world.truth).hits[1], 4),
        "expected": round(float((1 - links.probabilities[called]).mean()), 4) if called.any() else 0.0,
        "true": round(1 - float(right[called].mean()), 4) if called.any() else 0.0,
        "cpu_seconds": seconds,
    }


def blocks() -> list[Block]:
    """A table of HR@1 and one of false links, expected → true, worlds as columns."""
    result = read_result("ablation")
    rows = {(row["variant"], row["set"], row.get("hidden", 0.0)): row for row in result.rows}
    found = []
    for head, mark, figure, shown in (
        ("HR@1", "ablation: benchmarks/ablation.py", "hr@1", _hits),
        ("expected → true", "false links: benchmarks/ablation.py", "expected", _false_links),
    ):
        told = [row for row in result.rows if figure in row]
        worlds = list(dict.fromkeys((row["set"], row.get("hidden", 0.0)) for row in told))
        names = [f"{name}, {share:.0%} hidden" if share else name for name, share in worlds]
        lines = []
        for variant in VARIANTS:
            cells = [rows.get((variant, *world)) for world in worlds]
            if any(cells):
                lines.append(result.line(variant, [(shown(row) if row else "–", row) for row in cells]))
        text = table([head, *names], lines, result.note(told))
        found.append(Block("docs/ablation.md", mark, text))
    return found


def _hits(row: Row) -> str:
    return f"{row['hr@1']:.4f}"


def _false_links(row: Row) -> str:
    return f"{row['expected']:.3f} → {row['true']:.3f}"


if __name__ == "__main__":
    main()
