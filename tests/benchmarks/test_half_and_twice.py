"""docs/numbers.md has every number of the default linker with the value that the code has."""

import ast
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SOURCES = Path(__file__).parents[2] / "src" / "factlink"
LOOKED_THROUGH = (
    *(f"linkers.factoid.{file.stem}" for file in sorted((SOURCES / "linkers" / "factoid").glob("[a-z]*.py"))),
    *(
        f"linkers.factoid.{part}.{file.stem}"
        for part in ("adding", "channels", "explanation", "learned", "probability", "spreading", "state", "written")
        for file in sorted((SOURCES / "linkers" / "factoid" / part).glob("[a-z]*.py"))
    ),
    *(f"decision.{file.stem}" for file in sorted((SOURCES / "decision").glob("[a-z]*.py"))),
    "candidates.hubness",
    "candidates.inverted_index",
    "candidates.pairs",
    "embedding.propagate",
    "embedding.ridge",
    "encoders.ngrams.projection",
    "encoders.ngrams.rows",
    "encoders.pictures.codes",
    "encoders.pictures.duplicates",
    "encoders.pictures.patches",
)
NO_CHOICES = {
    "candidates.inverted_index._AT_ONCE": "rows at once",
    "candidates.inverted_index._CHUNK": "rows at once",
    "candidates.inverted_index._LONG": "rows at once",
    "decision.decisions._LINK": "a place in a list",
    "decision.decisions._NO_ACCOUNT": "a place in a list",
    "decision.decisions._UNKNOWN": "a place in a list",
    "decision.likelihoods.DEPTH": "for scores of other linkers",
    "decision.overrides.CERTAIN": "what a person said",
    "decision.sparse_assignment._SLIGHT": "rounding",
    "embedding.propagate._SCALE": "what a number is made of",
    "encoders.ngrams.rows._AT_ONCE": "strings at once",
    "encoders.pictures.codes.LENGTH": "follows from others",
    "encoders.pictures.codes._BLOCK": "rows at once",
    "encoders.pictures.duplicates._BLOCK": "pairs at once",
    "linkers.factoid.learned.raw_grams._DROPPED": "follows from others",
    "linkers.factoid.adding.new_users._MANY": "when stored vectors are moved",
    "linkers.factoid.partners.FAINT": "of three networks or more; see docs/persons.md",
    "linkers.factoid.spreading.codes._NOTHING": "rounding",
    "linkers.factoid.spreading.explanation._MOST_ANCHORS": "how many are printed",
    "linkers.factoid.spreading.matching._CERTAIN": "what is known",
    "linkers.factoid.spreading.relation_votes._CHUNK": "rows at once",
    "linkers.factoid.through.SHARE": "of three networks or more; see docs/persons.md",
    "linkers.factoid.written.memberships.FAMILIES": "follows from others",
    "linkers.factoid.written.best._CHUNK": "pairs at once",
}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield import_module("half_and_twice")
    for name in ("half_and_twice", "quality", "pages", "machine"):
        sys.modules.pop(name, None)


def listed(script: ModuleType) -> list[str]:
    return [number.path for mark in script.SECTIONS for number in script.numbers_of(mark)]


def constants(path: str) -> set[str]:
    """The numbers that a module gives a name in capitals."""
    module = import_module(f"factlink.{path}")
    targets = [
        name.id
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    ]
    held = {name: getattr(module, name) for name in targets if name.isupper()}
    return {f"{path}.{name}" for name, value in held.items() if isinstance(value, int | float | np.number)}


def test_the_values_on_the_page_are_those_of_the_code(script: ModuleType) -> None:
    numbers = [number for mark in script.SECTIONS for number in script.numbers_of(mark)]
    assert len(numbers) > 80
    for number in numbers:
        assert float(number.value.replace(",", "")) == script.value_of(number.path), number.path
        assert number.meaning, number.path
        assert number.origin, number.path


def test_no_number_is_listed_twice(script: ModuleType) -> None:
    assert sorted(set(listed(script))) == sorted(listed(script))


@pytest.mark.parametrize("path", LOOKED_THROUGH)
def test_no_number_is_missing_on_the_page(script: ModuleType, path: str) -> None:
    assert constants(path) <= {*listed(script), *NO_CHOICES}, "put it on docs/numbers.md"


def test_what_is_listed_apart_exists(script: ModuleType) -> None:
    assert set(NO_CHOICES) <= {name for path in LOOKED_THROUGH for name in constants(path)}
    apart = {*script.UNMEASURED, *script.SMALLER, *script.FROZEN, *(path for path, _ in script.NOT_SO)}
    assert apart <= set(listed(script))


def test_a_number_is_changed_wherever_it_is_used_and_put_back(script: ModuleType) -> None:
    from factlink.candidates.hubness import correct_pairs
    from factlink.decision import decisions
    from factlink.decision.soft_assignment import SoftAssignment
    from factlink.linkers.factoid.channels import votes
    from factlink.linkers.factoid.linker import FactoidLinker
    from factlink.linkers.factoid.spreading import spread
    from factlink.linkers.factoid.written import names

    def seen() -> tuple[float, ...]:
        return (
            votes.BUSY,
            spread.BUSY,
            inspect.signature(correct_pairs).parameters["k"].default,
            (decisions.link.__kwdefaults__ or {})["min_probability"],
            names.NAME_GRAMS.largest,
            SoftAssignment().temperature,
            FactoidLinker().assignment.temperature,
            FactoidLinker().k,
        )

    usual = seen()
    assert usual == (200, 200, 10, 0.5, 4, 0.026, 0.026, 50)
    with (
        script.changed("linkers.factoid.channels.votes.BUSY", 1),
        script.changed("candidates.hubness.NEIGHBOURS", 2),
        script.changed("decision.decisions.LEAST", 0.25),
        script.changed("encoders.ngrams.rows.NAME_GRAMS.largest", 3),
        script.changed("decision.soft_assignment.SoftAssignment.temperature", 0.5),
        script.changed("linkers.factoid.linker.FactoidLinker.k", 5),
    ):
        assert seen() == (1, 1, 2, 0.25, 3, 0.5, 0.5, 5)
    assert seen() == usual


def test_half_of_a_whole_number_is_whole(script: ModuleType) -> None:
    assert script.values("decision.soft_assignment._PRIOR_EVERY") == {"half": 2, "twice": 10}
    assert script.values("decision.soft_assignment.SoftAssignment.no_match") == {"half": 0.145, "twice": 0.58}
    assert script.values("encoders.ngrams.rows.NAME_GRAMS.smallest") == {"twice": 2}


def test_an_effect_is_the_range_of_changes_over_the_worlds(script: ModuleType) -> None:
    path = "linkers.factoid.pool.KEPT"

    def row(world: str, factor: str, figures: tuple[float, float, float], outcome: str) -> dict[str, object]:
        names = dict(zip(script.FIGURES, figures, strict=True))
        return {"set": world, "factor": factor, "value": 1_500, **names, "outcome": outcome}

    rows = {
        ("", "a", "as it is"): row("a", "as it is", (0.9, 0.1, 0.1), "x"),
        ("", "b", "as it is"): row("b", "as it is", (0.5, 0.1, 0.2), "y"),
        (path, "a", "half"): row("a", "half", (0.9, 0.1, 0.05), "z"),
        (path, "b", "half"): row("b", "half", (0.4, 0.1, 0.15), "z"),
        (path, "a", "twice"): row("a", "twice", (0.9, 0.1, 0.1), "x"),
    }
    assert script._effect(path, "half", rows) == "1,500: HR@1 -0.100 … 0, true -0.050"
    assert script._effect(path, "twice", rows) == "1,500: nothing changes"
    assert script._effect("linkers.factoid.fit._RISE", "half", rows) == "not measured yet"
    assert script._effect("linkers.factoid.name_steps.EXACT_PAIRS", "half", rows).startswith(
        "not measured: tells in large"
    )
