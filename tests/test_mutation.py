"""What `make mutation` draws, by which tests it is seen, and how it is tried; the faults are for the night."""

import json
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "factlink"
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "mutation" / "settings.toml").read_text("utf-8"))
RESULTS: dict[str, Any] = json.loads((ROOT / "mutation" / "results.json").read_text("utf-8"))
LESS = "def less(a, b):\n    return a < b\n"


@pytest.fixture
def mutation(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    pytest.importorskip("cosmic_ray", reason="Cosmic Ray is not installed: pip install 'factlink[dev]'")
    monkeypatch.syspath_prepend(str(ROOT / "mutation"))
    names = ("mutants", "trials", "run")
    yield SimpleNamespace(**{name: import_module(name) for name in names})
    for name in names:
        sys.modules.pop(name, None)


def modules_of(part: str) -> set[str]:
    files = {file for glob in SETTINGS["parts"][part] for file in PACKAGE.glob(glob)}
    return {str(file.relative_to(PACKAGE)) for file in files if file.name != "__init__.py"}


def test_every_module_that_faults_are_put_into_has_tests_that_are_there(mutation: SimpleNamespace) -> None:
    for part in SETTINGS["parts"]:
        assert modules_of(part), f"mutation/settings.toml names part {part}, which has no module"
        for module in modules_of(part):
            assert all((ROOT / test).exists() for test in mutation.run.tests_of(module, SETTINGS)), module


def test_no_module_of_the_decision_the_runs_and_the_default_linker_is_left_out_or_in_two_parts() -> None:
    folders = ("decision", "runs", "linkers/factoid")
    files = [file for folder in folders for file in (PACKAGE / folder).rglob("*.py") if file.name != "__init__.py"]
    wanted = {"evaluation/metrics.py", *(str(file.relative_to(PACKAGE)) for file in files)}
    found = [module for part in SETTINGS["parts"] for module in modules_of(part)]
    assert wanted <= set(found)
    assert len(found) == len(set(found))


def test_equivalent_mutants_are_of_code_that_is_still_there(mutation: SimpleNamespace) -> None:
    for each in SETTINGS["equivalent"]:
        assert each["reason"]
        source = (PACKAGE / each["module"]).read_text("utf-8")
        lines = [number for number, line in enumerate(source.splitlines(), 1) if line.strip() == each["was"]]
        functions = {mutation.mutants.function_at(source, line) for line in lines}
        assert each["function"] in functions, f"{each} is no longer there; drop it from the list"


def test_mutants_are_single_lines_and_leave_decorators_and_constants_alone(
    mutation: SimpleNamespace, tmp_path: Path
) -> None:
    (tmp_path / "toy.py").write_text(f"MOST = 3\n\n\n@compiled(cache=True)\n{LESS}")
    [found] = mutation.mutants.draw(tmp_path, ["toy.py"], count=10, seed="0")
    assert found.line == 6
    assert found.fault == mutation.mutants.Fault("toy.py", "less", "return a < b", "return a <= b")
    assert "return a <= b" in found.code
    assert mutation.mutants.Fault.read(found.fault.written()) == found.fault


def test_a_draw_is_the_same_for_the_same_seed_alone(mutation: SimpleNamespace) -> None:
    draw = mutation.mutants.draw
    first, again, other = (
        [mutant.fault for mutant in draw(PACKAGE, ["decision/platt.py"], 8, seed)] for seed in ("0", "0", "1")
    )
    assert first == again != other
    assert len(first) == 8


def test_code_that_was_compiled_with_a_fault_is_compiled_anew(mutation: SimpleNamespace, tmp_path: Path) -> None:
    for name, text in {
        "inner.py": "@numba.njit(cache=True)\ndef push(a):\n    return a\n\n\ndef other():\n    return 1\n",
        "middle.py": "from inner import (\n    other,\n    push,\n)\n\n@numba.njit\ndef pull(a):\n    return push(a)\n",
        "outer.py": "from middle import pull\n",
        "apart.py": "from inner import other\n",
    }.items():
        (tmp_path / name).write_text(text)
    compiled_with = mutation.trials.compiled_with
    assert {file.name for file in compiled_with(tmp_path, tmp_path / "inner.py")} == {"middle.py", "outer.py"}
    assert compiled_with(tmp_path, tmp_path / "outer.py") == frozenset()


TESTS = {
    "exact": "from factlink.toy import less\n\n\ndef test_less():\n    assert not less(1, 1)\n",
    "vague": "from factlink.toy import less\n\n\ndef test_less():\n    assert less(1, 2)\n",
    "broken": "def test_less():\n    assert False\n",
    "endless": "from factlink.toy import less\n\n\ndef test_less():\n    while less(1, 1):\n        pass\n",
    "waiting": "import time\nfrom factlink.toy import less\n\n\ndef test_less():\n    time.sleep(60 * less(1, 1))\n",
    "slow": "import time\n\n\ndef test_less():\n    while time.process_time() < 2:\n        pass\n",
    "once": """from pathlib import Path

from factlink.toy import less


def test_less():
    failed = Path("failed")
    if less(1, 1) and not failed.exists():
        failed.touch()
        raise AssertionError


def test_less_again():
    assert less(1, 2)
""",
}
TRY = """
import sys
from pathlib import Path
from mutants import draw
from trials import Limit, Trials

root, place = map(Path, sys.argv[1:3])
[mutant] = draw(root / "src" / "factlink", ["toy.py"], 10, "0")
trials = Trials(root, place, Limit(computing=1.0, clock=5.0))
for tests in sys.argv[3:]:
    print(trials.outcome(mutant, [f"test_{name}.py" for name in tests.split()]))
"""


@pytest.mark.parametrize(
    ("tests", "outcome"),
    [
        ("vague", "SURVIVES"),
        ("vague exact", "seen"),
        ("endless", "hangs"),
        ("waiting", "hangs"),
        ("slow", "SURVIVES"),
        ("slow exact", "seen"),
        ("once", "SURVIVES"),
        ("once exact", "seen"),
    ],
)
def test_a_mutant_is_seen_by_tests_that_fail_again_or_hang_and_by_none_that_are_vague_slow_or_fail_once(
    mutation: SimpleNamespace, tmp_path: Path, tests: str, outcome: str
) -> None:
    ended = tried(mutation, tmp_path, tests)
    assert (ended.stdout.strip(), ended.stderr) == (outcome, "")


def test_a_test_that_fails_without_any_fault_is_to_be_mended_first(mutation: SimpleNamespace, tmp_path: Path) -> None:
    ended = tried(mutation, tmp_path, "broken")
    assert ended.stderr.strip() == "test_broken.py::test_less fails without any fault; mend it first"


def tried(mutation: SimpleNamespace, folder: Path, tests: str) -> Any:
    """In a process of its own: this one has loaded factlink already."""
    checkout, place = folder / "checkout", folder / "place"
    (checkout / "src" / "factlink").mkdir(parents=True)
    place.mkdir()
    (checkout / "src" / "factlink" / "__init__.py").touch()
    (checkout / "src" / "factlink" / "toy.py").write_text(LESS)
    for name, text in TESTS.items():
        (checkout / f"test_{name}.py").write_text(text)
    return mutation.run.subprocess.run(
        [sys.executable, "-c", TRY, checkout, place, tests],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(ROOT / "mutation")},
    )


def test_the_recorded_draws_are_what_the_docs_say() -> None:
    parts = RESULTS["parts"]
    for figures in (RESULTS, *parts.values()):
        assert figures["tried"] == figures["drawn"] - figures["equivalent"]
    assert RESULTS["survive"] == sum(len(part["survivors"]) for part in parts.values())
    said = " ".join((ROOT / "CONTRIBUTING.md").read_text("utf-8").split())
    for name, part in parts.items():
        assert f"| `{name}` | {part['seed']} | {part['commit']} | {part['survive']} of {part['tried']} |" in said
    assert f"| all | | | {RESULTS['survive']} of {RESULTS['tried']} ({RESULTS['share']:.1%}) |" in said
    for name in set(SETTINGS["parts"]) - set(parts):
        assert f"`{name}`" in said.partition("No draw is recorded")[2]
