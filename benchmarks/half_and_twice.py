"""What happens to links when one number of the default linker is half as large, or twice.

    NUMBA_NUM_THREADS=1 python benchmarks/half_and_twice.py [--anew]

The numbers are those of docs/numbers.md, whose last two columns this script writes. What has figures keeps them, unless
all is measured anew; a run that was stopped goes on where it was. Looks for the networks where FACTLINK_DATA points,
else in ../shared/data; truth is read only to score.
"""

import ast
import hashlib
import inspect
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from machine import DATA, MAKING_UP, ROOT, Row, files, linking, made_by, made_up, write_result
from pages import OLD, Block, Result, fill_pages, read_result, table
from quality import SETS

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network
from factlink.decision.decisions import link
from factlink.evaluation.metrics import evaluate
from factlink.evaluation.open_world import OpenWorld, hide_partners
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins
from factlink.types import DECISIONS, Decision, Links

PAGE = "docs/numbers.md"
WORLDS = "worlds: benchmarks/half_and_twice.py"
PICTURES = "pictures: benchmarks/half_and_twice.py"
WITH_PICTURES = "made-up, 300 people, pictures"
SPREADING = "spreading: benchmarks/half_and_twice.py"
SECTIONS = (
    "names: benchmarks/half_and_twice.py",
    "attributes: benchmarks/half_and_twice.py",
    "candidates: benchmarks/half_and_twice.py",
    "channel weights: benchmarks/half_and_twice.py",
    "neighbours and votes: benchmarks/half_and_twice.py",
    SPREADING,
    "one to one: benchmarks/half_and_twice.py",
    "names as written: benchmarks/half_and_twice.py",
    "probabilities: benchmarks/half_and_twice.py",
    "decisions: benchmarks/half_and_twice.py",
    PICTURES,
    "adding and explaining: benchmarks/half_and_twice.py",
)
HEAD = ["number", "value", "meaning", "where it came from", "half", "twice"]
FACTORS = ("half", "twice")
FIGURES = {"hr@1": "HR@1", "expected_false_links": "expected", "false_links": "true"}
SMALLER = {  # worlds with so few users do not reach a number; another one is changed to 0 for it, in the comparison too
    "candidates.inverted_index.BUDGET": "linkers.factoid.name_steps.EXACT_PAIRS",
}
FROZEN = {  # where the value of a number was taken over when a function was defined
    "candidates.hubness.NEIGHBOURS": "candidates.hubness.correct_pairs.k",
    "decision.decisions.LEAST": "decision.decisions.link.min_probability",
}
_LARGE = "not measured: tells in large networks alone"
_PRINTED = "not measured: changes no link"
_KNOWN = "not measured: tells with known pairs alone"
_ADDED = "not measured: tells when accounts are added later"
_NO_COLUMN = "not measured: no such column on both sides here"
_NEWER = "not measured: newer than the last measurement"
_FEW_USERS = "not measured: tells with a handful of users alone"
_SHAPE = "not measured: other numbers hang on it"
_LINKS = "not measured: tells where links name partners"
UNMEASURED = {
    "encoders.ngrams.projection.ONES": "not measured: compiled code holds it",
    "encoders.categories.CategoryEncoder.dim": _NO_COLUMN,
    "encoders.categories.NumberEncoder.dim": _NO_COLUMN,
    "encoders.categories.NumberEncoder.width": _NO_COLUMN,
    "linkers.factoid.channels.attributes._DATE_DIM": _NO_COLUMN,
    "encoders.ngrams.rows._FEW": _PRINTED,
    "encoders.ngrams.rows._FEW_STRINGS": _FEW_USERS,
    "candidates.inverted_index.NEAREST": _PRINTED,
    "candidates.inverted_index.SAMPLE": _PRINTED,
    "linkers.factoid.name_steps.EXACT_PAIRS": _LARGE,
    "linkers.factoid.name_steps._MISLEADING": _NEWER,
    "linkers.factoid.pool._ALIKE_PAIRS": _LARGE,
    "decision.channel_weights.RIVALS": _LARGE,
    "decision.soft_assignment._MOST": _LARGE,
    "decision.decisions.DecisionRule.precision": "not measured: it is what is asked for",
    "decision.platt.FEWEST": _KNOWN,
    "decision.platt._SUREST": _KNOWN,
    "encoders.pictures.codes.N_CODES": _SHAPE,
    "encoders.pictures.codes._CELLS": _SHAPE,
    "encoders.pictures.patches.SIDE": _SHAPE,
    "linkers.factoid.adding.incremental.PROPOSED": _ADDED,
    "explanations.frames.SHOWN": _PRINTED,
    "linkers.factoid.explanation.links.MOST_FRIENDS": _PRINTED,
    "linkers.factoid.probability.learning.SAMPLE": _NEWER,
    "linkers.factoid.probability.learning.FEWEST": _NEWER,
    "linkers.factoid.probability.learning.ROUNDS": _NEWER,
    "linkers.factoid.probability.learning._CANDIDATES": _NEWER,
    "linkers.factoid.probability.rivals.RIVALS": _NEWER,
    "linkers.factoid.probability.decoys.NEAREST": _NEWER,
    "linkers.factoid.probability.decoys.COMMON": _NEWER,
    "linkers.factoid.probability.partners.PARTS": _NEWER,
    "linkers.factoid.probability.partners._NEVER": _NEWER,
    "decision.pair_model.KNOTS": _NEWER,
    "decision.pair_model._STEEPEST_STEP": _NEWER,
    "decision.pair_model._LEAST_RIDGE": _NEWER,
    "decision.pair_model._FIRST": _NEWER,
    "decision.pair_model._FIRST_SLOPE": _NEWER,
    "decision.matching.FARTHEST": _NEWER,
    "decision.matching._ROUNDS": _NEWER,
    "decision.matching._CLOSE": _NEWER,
    "decision.matching._STILL": _NEWER,
    "decision.decoy_calibration.QUANTILE": _NEWER,
    "linkers.factoid.written.declared._CONTESTED": _NEWER,
    "linkers.factoid.written.same._SHARED": _NEWER,
    "linkers.factoid.written.handles.MOST_USERS": _NEWER,
    "linkers.factoid.written.handles._WORDED": _NEWER,
    "linkers.factoid.written.handles._BARE": _NEWER,
    "linkers.factoid.written.handles._WEIGHT": _NEWER,
    "linkers.factoid.written.handles._LEARNED": _NEWER,
    "linkers.factoid.written.handles._SAMPLE": _NEWER,
    "linkers.factoid.written.handles._FEWEST": _NEWER,
    "linkers.factoid.written.handles._BUSY": _NEWER,
    "linkers.factoid.written.handles._NICKS": _NEWER,
    "linkers.factoid.written.copied.WEIGHT": _NEWER,
    "linkers.factoid.written.versions.PRICE": _NEWER,
    "decision.decoy_calibration._GENTLEST": _NEWER,
    "decision.decoy_calibration._NINE_OF_TEN": _NEWER,
    "linkers.factoid.probability.ranking.STRONG": _NEWER,
    "linkers.factoid.probability.learning._DOUBT": _NEWER,
    "linkers.factoid.probability.ranking.SMALL": _NEWER,
    "decision.decoy_calibration._FARTHEST": _NEWER,
}
NOT_SO = {  # one of the two cannot be
    ("encoders.ngrams.rows.NAME_GRAMS.smallest", "half"): "there is no shorter n-gram",
}
NUMBER = re.compile(r"^\| `([\w.]+)`")


@dataclass(frozen=True, slots=True)
class Number:
    """A line of the page: where a number stands in the code, its value, and what the page says of it."""

    path: str  # below `factlink`
    value: str
    meaning: str
    origin: str


def numbers_of(mark: str) -> list[Number]:
    """The numbers that the page has between two equal marks."""
    lines = (ROOT / PAGE).read_text("utf-8").split(f"<!-- {mark} -->")[1].splitlines()
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if NUMBER.match(line)]
    return [Number(path.removesuffix(f" {OLD}").strip("`"), *others[:3]) for path, *others in cells]


UNMEASURED |= {number.path: _LINKS for number in numbers_of(SPREADING)}


def find(path: str) -> tuple[ModuleType, list[str]]:
    """The module of a number, and the names that lead to it there."""
    parts, names = path.split("."), list[str]()
    while True:
        try:
            return import_module(".".join(["factlink", *parts])), names
        except ModuleNotFoundError:
            names.insert(0, parts.pop())


def value_of(path: str) -> float:
    """What a number is in the code."""
    module, (name, *field) = find(path)
    held = getattr(module, name)
    if not field:
        return held
    return inspect.signature(held).parameters[field[0]].default if callable(held) else getattr(held, field[0])


@contextmanager
def changed(path: str, value: float) -> Iterator[None]:
    """The code with another value of a number, wherever it is used."""
    module, (name, *field) = find(path)
    held = getattr(module, name)
    with ExitStack() as undo:
        if field and callable(held):
            _put_default(held, field[0], value, undo)
        else:
            new = replace(held, **{field[0]: value}) if field else value
            for user in [module, *_importers(module.__name__, name)]:
                undo.callback(setattr, user, name, held)
                setattr(user, name, new)
        if path in FROZEN:
            undo.enter_context(changed(FROZEN[path], value))
        undo.callback(_forget)
        _forget()
        yield


def _put_default(held: Callable[..., Any], parameter: str, value: float, undo: ExitStack) -> None:
    """A function, or the `__init__` of a dataclass, with another default."""
    function: Any = held.__init__ if isinstance(held, type) else held
    for kind in ("__defaults__", "__kwdefaults__"):
        undo.callback(setattr, function, kind, getattr(function, kind))
    if parameter in (function.__kwdefaults__ or {}):
        function.__kwdefaults__ = {**function.__kwdefaults__, parameter: value}
        return
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    defaults = list(function.__defaults__)
    defaults[names.index(parameter) - len(names)] = value
    function.__defaults__ = tuple(defaults)


def _importers(module: str, name: str) -> list[ModuleType]:
    """The modules loaded that took a name over from another."""
    loaded = [other for key, other in sys.modules.items() if key.startswith("factlink.")]
    return [other for other in loaded if (module, name) in _imports(other)]


@cache
def _imports(module: ModuleType) -> set[tuple[str | None, str]]:
    tree = ast.parse(inspect.getsource(module)) if module.__file__ else ast.Module([], [])
    froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {(node.module, alias.name) for node in froms for alias in node.names}


def _forget() -> None:
    """Empties what functions keep from one picture to the next."""
    for key, module in list(sys.modules.items()):
        for held in vars(module).values() if key.startswith("factlink.encoders.pictures.") else ():
            if hasattr(held, "cache_clear"):
                held.cache_clear()


@dataclass(frozen=True, slots=True)
class Measured:
    """A world by name, and what its figures come from."""

    name: str
    world: OpenWorld
    made: Row

    def figures(self) -> Row:
        """How the default linker does here."""
        scorer = FactoidLinker().fit(self.world.left, self.world.right)
        links = link(scorer)
        called, right = judge(links, self.world)
        outcome = (links.rights, links.decisions, links.probabilities, links.scores)
        return {
            "hr@1": evaluate(scorer, self.world.truth).hits[1],
            "expected_false_links": float((1 - links.probabilities[called]).mean()) if called.any() else 0.0,
            "false_links": 1 - float(right[called].mean()) if called.any() else 0.0,
            "links": int(called.sum()),
            "outcome": hashlib.sha256(b"".join(column.tobytes() for column in outcome)).hexdigest()[:12],
        }


def judge(links: Links, world: OpenWorld) -> tuple[np.ndarray, np.ndarray]:
    """(n,) each: whose answer is known and who is linked, and whose candidate is the right one."""
    true, found = (
        side.lefts.astype(np.int64) << 32 | np.maximum(side.rights, 0).astype(np.int64) for side in (world.truth, links)
    )
    known = np.isin(links.lefts, np.union1d(world.truth.lefts, world.hidden))
    called = known & (links.decisions == DECISIONS.index(Decision.LINK))
    return called, np.isin(found, true) & (links.rights >= 0)


def open_worlds(pictures: Path) -> Iterator[Measured]:
    """Worlds from the one that takes least time on; the last has pictures, which are drawn into a folder."""
    entries = (*linking("factoid"), "factlink.evaluation.open_world")
    dials = Dials(Population(people=600, predicates=("username", "screen_name", "bio", "location")))
    yield Measured("made-up, 600 people", _draw(dials, None), made_by([*entries, MAKING_UP], made_up(dials)))
    for name, share in (("congress", 0.7), ("wikidata → twitter", 0.0)):
        title = f"{name}, {share:.0%} hidden" if share else name
        yield Measured(title, _read(name, share), made_by(entries, files(*SETS[name])))
    dials = Dials(Population(people=300))
    yield Measured(WITH_PICTURES, _draw(dials, pictures), made_by([*entries, MAKING_UP], made_up(dials)))


def _read(name: str, share: float) -> OpenWorld:
    left, right = (read_network(DATA / folder) for folder in SETS[name][:2])
    return hide_partners(left, right, read_pairs(DATA / SETS[name][2], left, right), share)


def _draw(dials: Dials, pictures: Path | None) -> OpenWorld:
    made = twins(dials, pictures)
    left, right = made.networks
    truth = made.truth(left.name, right.name)
    return OpenWorld(left, right, truth, np.setdiff1d(np.arange(len(left)), truth.lefts))


def values(path: str) -> dict[str, float]:
    """Half and twice a number; whole numbers stay whole."""
    value = value_of(path)
    both = {"half": value // 2 if isinstance(value, int) else value / 2, "twice": value * 2}
    return {factor: each for factor, each in both.items() if (path, factor) not in NOT_SO}


def measure(path: str, world: Measured) -> list[Row]:
    """A number at half and twice its value in one world, beside the world as it is."""
    rows: list[Row] = []
    with ExitStack() as smaller:
        if path in SMALLER:
            smaller.enter_context(changed(SMALLER[path], 0))
            rows.append({"set": world.name, "number": path, "factor": "as it is", **world.figures()})
        for factor, value in values(path).items():
            with changed(path, value):
                rows.append({"set": world.name, "number": path, "factor": factor, "value": value, **world.figures()})
    return [{**row, "made": world.made} for row in rows]


def measure_as_it_is(world: Measured) -> Row:
    """A world with all numbers as they are; this also loads every module that a change must reach."""
    sizes = {"left": len(world.world.left), "right": len(world.world.right)}
    return {"set": world.name, "number": "", "factor": "as it is", **sizes, **world.figures(), "made": world.made}


def paths_of(world: Measured) -> list[str]:
    """The numbers that are measured in a world."""
    sections = [mark for mark in SECTIONS if (mark == PICTURES) == (world.name == WITH_PICTURES)]
    every = [number.path for mark in sections for number in numbers_of(mark)]
    return [path for path in every if path not in UNMEASURED]


def blocks() -> list[Block]:
    """The worlds as they are, and the numbers of each section with what half and twice do."""
    result = read_result("half_and_twice")
    rows = {(row["number"], row["set"], row["factor"]): row for row in result.rows}
    return [_worlds(result), *(_section(mark, result, rows) for mark in SECTIONS)]


def _worlds(result: Result) -> Block:
    shown = [row for row in result.rows if not row["number"]]
    lines = []
    for row in shown:
        cells = [f"{row['left']:,}", f"{row['right']:,}", *(f"{row[figure]:.3f}" for figure in FIGURES)]
        lines.append(result.line(row["set"], [(cell, row) for cell in cells]))
    head = ["world", "left users", "right users", "HR@1", "false links, expected", "true"]
    return Block(PAGE, WORLDS, table(head, lines, result.note(shown)))


def _section(mark: str, result: Result, rows: dict[tuple[str, str, str], Row]) -> Block:
    lines, used = [], list[Row]()
    for number in numbers_of(mark):
        mine = [row for row in result.rows if row["number"] == number.path]
        used += mine
        label = result.label(f"`{number.path}`", *mine)
        effects = [_effect(number.path, factor, rows) for factor in FACTORS]
        lines.append("| " + " | ".join([label, number.value, number.meaning, number.origin, *effects]) + " |")
    return Block(PAGE, mark, table(HEAD, lines, result.note(used)).rstrip())


def _effect(path: str, factor: str, rows: dict[tuple[str, str, str], Row]) -> str:
    """In words: the new value, and from where to where each figure moves over the worlds."""
    if path in UNMEASURED or (path, factor) in NOT_SO:
        return UNMEASURED.get(path) or NOT_SO[path, factor]
    moved = [row for (number, _, by), row in rows.items() if (number, by) == (path, factor)]
    if not moved:
        return "not measured yet"
    before = [rows.get((path, row["set"], "as it is")) or rows["", row["set"], "as it is"] for row in moved]
    value = f"{moved[0]['value']:,}"
    if all(old["outcome"] == row["outcome"] for old, row in zip(before, moved, strict=True)):
        return f"{value}: nothing changes"
    spans = [
        _span(name, [row[key] - old[key] for old, row in zip(before, moved, strict=True)])
        for key, name in FIGURES.items()
    ]
    return f"{value}: {', '.join(filter(None, spans)) or 'no figure changes'}"


def _span(name: str, changes: list[float]) -> str:
    least, most = (f"{change:+.3f}" if abs(change) >= 5e-4 else "0" for change in (min(changes), max(changes)))
    if least == most:
        return "" if least == "0" else f"{name} {least}"
    return f"{name} {least} … {most}"


def main() -> None:
    """Measures what has no figures yet, or everything anew, and writes after every number."""
    rows: list[Row] = [] if "--anew" in sys.argv[1:] else read_result("half_and_twice").rows
    with tempfile.TemporaryDirectory() as folder:
        for world in open_worlds(Path(folder)):
            done = {row["number"] for row in rows if row["set"] == world.name}
            first = measure_as_it_is(world)
            rows = rows if "" in done else _written([*rows, first])
            for path in paths_of(world):
                if path not in done:
                    rows = _written([*rows, *measure(path, world)])
                    print(world.name, path, flush=True)
    fill_pages(blocks())


def _written(rows: list[Row]) -> list[Row]:
    """The rows as they were written."""
    write_result("half_and_twice", rows, ["factlink", "numpy", "numba"])
    return read_result("half_and_twice").rows


if __name__ == "__main__":
    main()
