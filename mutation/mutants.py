"""Small faults, one each: a number, comparison, operator or condition changed, by Cosmic Ray's operators.

Decorators and constants in capitals are left alone: how code is compiled changes no result, and one more or less of a
number that was tuned is no fault.
"""

import ast
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator

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


@dataclass(frozen=True, slots=True)
class Fault:
    """What one mutant changes, wherever in the module its function has moved to."""

    module: str  # relative to the package
    function: str  # the innermost that holds the line, empty outside of all
    was: str
    becomes: str

    @classmethod
    def read(cls, written: dict[str, str]) -> "Fault":
        """From an entry of the settings or of the results."""
        return cls(**{name: written[name] for name in cls.__slots__})

    def __str__(self) -> str:
        return f"{self.module} {self.function}\n    - {self.was}\n    + {self.becomes}"

    def written(self) -> dict[str, str]:
        """As an entry of the results."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one fault in it."""

    fault: Fault
    line: int
    code: str


def draw(package: Path, globs: Sequence[str], count: int, seed: str) -> list[Mutant]:
    """So many mutants of some modules at random."""
    files = sorted({file for glob in globs for file in package.glob(glob)})
    places = [place for file in files for place in places_of(file)]
    random.Random(seed).shuffle(places)
    found = (mutant_at(package, *place) for place in places)
    return list(islice((mutant for mutant in found if mutant is not None), count))


class Counter(Visitor):
    """Counts where an operator applies."""

    def __init__(self, operator: Operator) -> None:
        self.operator, self.count = operator, 0

    def visit(self, node: Any) -> Any:
        """The node as it is."""
        self.count += len(list(self.operator.mutation_positions(node)))
        return node


def places_of(file: Path) -> Iterator[tuple[Path, str, int]]:
    """Every place of a module that an operator applies to: the file, the operator and the occurrence."""
    tree = get_ast(file.read_text("utf-8"))
    for name in OPERATORS:
        counter = Counter(get_operator(f"core/{name}")())
        counter.walk(tree)
        yield from ((file, name, occurrence) for occurrence in range(counter.count))


def mutant_at(package: Path, file: Path, name: str, occurrence: int) -> Mutant | None:
    """The mutant at a place; none of decorators and constants."""
    source = file.read_text("utf-8")
    code = mutate_code(source, get_operator(f"core/{name}")(), occurrence)
    for line, (was, becomes) in enumerate(zip(source.splitlines(), code.splitlines(), strict=False), 1):
        if was != becomes and LEFT_ALONE.match(was.strip()) is None:
            module = str(file.relative_to(package))
            return Mutant(Fault(module, function_at(source, line), was.strip(), becomes.strip()), line, code)
        if was != becomes:
            return None
    return None


def function_at(source: str, line: int) -> str:
    """The innermost function or class that holds a line; empty outside of all."""
    holders = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(holders, key=lambda node: node.lineno).name if holders else ""
