"""Puts small faults into the code, one at a time, and asks whether the tests see them.

    python mutation/run.py [PART ...] [--count N] [--seed N] [--list]

A fault (a mutant) is one number, comparison, operator or condition changed, by Cosmic Ray's operators, drawn at random
over the parts that mutation/settings.toml names. Decorators and constants in capitals are left alone: how code is
compiled changes no result, and one more or less of a number that was tuned is no fault. Each mutant is made in a copy
of the sources, so the checkout is never touched; compiled code that depends on the changed module is thrown away there.
A mutant survives if the tests of its module pass. Fails if more than the threshold survive, apart from those listed as
equivalent with a reason.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "factlink"
COMPARED = ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is")
COMPUTED = ("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Mul", "Mod_FloorDiv", "Pow_Mul")
OPERATORS = (
    *("AddNot", "NumberReplacer", "ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceTrueWithFalse"),
    *("ReplaceFalseWithTrue", "ReplaceBreakWithContinue", "ReplaceContinueWithBreak", "ZeroIterationForLoop"),
    *("ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_Delete_USub"),
    *(f"ReplaceComparisonOperator_{pair}" for pair in COMPARED),
    *(f"ReplaceBinaryOperator_{pair}" for pair in COMPUTED),
)
LEFT_ALONE = re.compile(r"@|_?[A-Z][A-Z_, ]* = ")
COMPILED = re.compile(r"^@numba\.njit.*\ndef (\w+)", re.MULTILINE)
PATIENCE = 4  # times the tests' own time, after which a mutant counts as seen: it hangs


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault in one module."""

    module: str  # relative to the package
    line: int
    was: str
    becomes: str
    code: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}\n    - {self.was}\n    + {self.becomes}"


def main() -> None:
    """Draws mutants, runs their tests, and says which survive."""
    settings = tomllib.loads((ROOT / "mutation" / "settings.toml").read_text("utf-8"))
    asked = parse_options(settings)
    mutants = draw(settings, asked.parts or list(settings["parts"]), asked.count, asked.seed)
    if asked.list:
        print(*mutants, sep="\n")
        return
    with tempfile.TemporaryDirectory() as place:
        outcomes = list(run_all(mutants, settings, Path(place)))
    survivors = [mutant for mutant, survives in outcomes if survives]
    share = len(survivors) / max(len(outcomes), 1)
    print(f"\n{len(survivors)} of {len(outcomes)} mutants survive ({share:.0%}):", *survivors, sep="\n")
    if share > settings["threshold"]:
        raise SystemExit(
            f"more than {settings['threshold']:.0%} survive; write tests that see them, or list those that no test can "
            "see in mutation/settings.toml with the reason"
        )


def parse_options(settings: dict[str, Any]) -> argparse.Namespace:
    """What was asked for on the command line."""
    words = argparse.ArgumentParser()
    words.add_argument("parts", nargs="*", help=f"of {', '.join(settings['parts'])}; all by default")
    words.add_argument("--count", type=int, default=settings["count"])
    words.add_argument("--seed", type=int, default=settings["seed"])
    words.add_argument("--list", action="store_true", help="print the mutants that would be tried")
    return words.parse_args()


class Counter(Visitor):
    """Counts where an operator applies."""

    def __init__(self, operator: Operator) -> None:
        self.operator, self.count = operator, 0

    def visit(self, node: Any) -> Any:
        """The node as it is."""
        self.count += len(list(self.operator.mutation_positions(node)))
        return node


def draw(settings: dict[str, Any], parts: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """So many mutants at random, without those that are listed as equivalent."""
    equivalent = {(each["module"], each["was"], each["becomes"]) for each in settings.get("equivalent", [])}
    files = sorted({file for part in parts for glob in settings["parts"][part] for file in PACKAGE.glob(glob)})
    places = [place for file in files for place in places_of(file)]
    random.Random(seed).shuffle(places)
    found = (mutant for place in places if (mutant := mutant_at(*place)) is not None)
    kept = (mutant for mutant in found if (mutant.module, mutant.was, mutant.becomes) not in equivalent)
    return list(islice(kept, count))


def places_of(file: Path) -> Iterator[tuple[Path, str, int]]:
    """Every place of a module that an operator applies to: the file, the operator and the occurrence."""
    tree = get_ast(file.read_text("utf-8"))
    for name in OPERATORS:
        counter = Counter(get_operator(f"core/{name}")())
        counter.walk(tree)
        yield from ((file, name, occurrence) for occurrence in range(counter.count))


def mutant_at(file: Path, name: str, occurrence: int) -> Mutant | None:
    """The mutant at a place; none of decorators and constants."""
    source = file.read_text("utf-8")
    code = mutate_code(source, get_operator(f"core/{name}")(), occurrence)
    mutant = compared(str(file.relative_to(PACKAGE)), source, code)
    return None if mutant is None or LEFT_ALONE.match(mutant.was) else mutant


def compared(module: str, source: str, code: str) -> Mutant | None:
    """The mutant as the first line that differs."""
    for line, (was, becomes) in enumerate(zip(source.splitlines(), code.splitlines(), strict=False), 1):
        if was != becomes:
            return Mutant(module, line, was.strip(), becomes.strip(), code)
    return None


def run_all(mutants: Sequence[Mutant], settings: dict[str, Any], place: Path) -> Iterator[tuple[Mutant, bool]]:
    """Every mutant with whether it survives, as they come."""
    pristine = place / "pristine"
    shutil.copytree(ROOT / "src", pristine)
    limits: dict[str, float] = {}
    for number, mutant in enumerate(mutants, 1):
        tests = tests_of(mutant.module, settings)
        if mutant.module not in limits:
            limits[mutant.module] = time_without_fault(tests, pristine)
        with tempfile.TemporaryDirectory(dir=place) as folder:
            survives = run(tests, changed_copy(pristine, Path(folder) / "src", mutant), limits[mutant.module])
        print(f"{number}/{len(mutants)} {'SURVIVES' if survives else 'seen'} {mutant}", flush=True)
        yield mutant, survives


def tests_of(module: str, settings: dict[str, Any]) -> list[str]:
    """The test files that cover a module, or folders of them."""
    named = [tests for glob, tests in settings["tests"].items() if Path(module).match(glob)]
    if named:
        return [test for test in named[0] if (ROOT / test).exists()]
    folder, stem = Path("tests") / Path(module).parent, Path(module).stem
    found = sorted(str(file.relative_to(ROOT)) for file in (ROOT / folder).glob(f"test_{stem}*.py"))
    if not found:
        raise SystemExit(f"no tests are known for {module}; name them under [tests] in mutation/settings.toml")
    return found


def time_without_fault(tests: Sequence[str], sources: Path) -> float:
    """How long the tests may take with a fault: they must pass without one, which also compiles what they need."""
    start = time.perf_counter()
    if not run(tests, sources, limit=3600):
        raise SystemExit(f"{' '.join(tests)} fail without any fault; mend them first")
    return PATIENCE * (time.perf_counter() - start) + 120


def changed_copy(pristine: Path, sources: Path, mutant: Mutant) -> Path:
    """The sources with one fault, without compiled code that it may be in: callees are compiled into their callers."""
    shutil.copytree(pristine, sources, copy_function=os.link)
    changed = sources / "factlink" / mutant.module
    changed.unlink()
    changed.write_text(mutant.code, "utf-8")
    for file in {PACKAGE / mutant.module, *compiled_with(PACKAGE / mutant.module)}:
        for cached in (sources / "factlink" / file.relative_to(PACKAGE).parent / "__pycache__").glob(f"{file.stem}.*"):
            cached.unlink()
    return sources


@cache
def compiled_with(module: Path) -> frozenset[Path]:
    """The modules with compiled code that calls compiled code of this one, directly or through others."""
    names = COMPILED.findall(module.read_text("utf-8"))
    imports = re.compile(rf"import (.*|\([^)]*)\b({'|'.join(names)})\b") if names else re.compile("$^")
    callers = [file for file in PACKAGE.rglob("*.py") if imports.search(file.read_text("utf-8"))]
    return frozenset(callers).union(*map(compiled_with, callers))


def run(tests: Sequence[str], sources: Path, limit: float) -> bool:
    """Whether the tests pass with these sources; beyond the limit, in seconds, they do not."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider", *tests]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(sources)},
            capture_output=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    main()
