"""What `make mutation` draws, and by which tests it is seen; the faults themselves are tried at night."""

import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "mutation" / "settings.toml").read_text("utf-8"))


@pytest.fixture
def mutation(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray is not installed: pip install 'factlink[dev]'")
    monkeypatch.syspath_prepend(str(ROOT / "mutation"))
    yield import_module("run")
    sys.modules.pop("run", None)


def test_every_module_that_faults_are_put_into_has_tests(mutation: ModuleType) -> None:
    for globs in SETTINGS["parts"].values():
        for glob in globs:
            files = [file for file in mutation.PACKAGE.glob(glob) if file.name != "__init__.py"]
            assert files, f"mutation/settings.toml names {glob}, which is no module"
            for module in (str(file.relative_to(mutation.PACKAGE)) for file in files):
                assert mutation.tests_of(module, SETTINGS), module


def test_equivalent_mutants_are_of_code_that_is_still_there(mutation: ModuleType) -> None:
    for each in SETTINGS.get("equivalent", []):
        assert each["reason"]
        lines = [line.strip() for line in (mutation.PACKAGE / each["module"]).read_text("utf-8").splitlines()]
        assert each["was"] in lines, f"{each['module']} no longer has the line '{each['was']}'; drop it from the list"


def test_mutants_are_single_lines_and_leave_decorators_and_constants_alone(
    mutation: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutation, "PACKAGE", tmp_path)
    code = "MOST = 3\n\n\n@compiled(cache=True)\ndef less(a, b):\n    return a < b\n"
    (tmp_path / "toy.py").write_text(code)
    found = mutation.draw({"parts": {"toy": ["toy.py"]}}, ["toy"], count=10, seed=0)
    assert [(mutant.line, mutant.was, mutant.becomes) for mutant in found] == [(6, "return a < b", "return a <= b")]
    listed = {"module": "toy.py", "was": "return a < b", "becomes": "return a <= b", "reason": "a never equals b"}
    assert mutation.draw({"parts": {"toy": ["toy.py"]}, "equivalent": [listed]}, ["toy"], count=10, seed=0) == []


def test_code_that_was_compiled_with_a_fault_is_compiled_anew(
    mutation: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutation, "PACKAGE", tmp_path)
    for name, text in {
        "inner.py": "@numba.njit(cache=True)\ndef push(a):\n    return a\n\n\ndef other():\n    return 1\n",
        "middle.py": "from inner import (\n    other,\n    push,\n)\n\n@numba.njit\ndef pull(a):\n    return push(a)\n",
        "outer.py": "from middle import pull\n",
        "apart.py": "from inner import other\n",
    }.items():
        (tmp_path / name).write_text(text)
    assert {file.name for file in mutation.compiled_with(tmp_path / "inner.py")} == {"middle.py", "outer.py"}
    assert mutation.compiled_with(tmp_path / "outer.py") == frozenset()
