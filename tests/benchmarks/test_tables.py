"""The figures of the README and the docs are those of the committed results, and say with which code they were made."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARK = re.compile(r"<!-- ([^>]*: benchmarks/\w+\.py) -->")
ENTRY = "factlink.evaluation.metrics"


@pytest.fixture
def pages(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield import_module("pages")
    for name in ("pages", "machine"):
        sys.modules.pop(name, None)


def made(commit: str | None = "abcdef0123", dirty: bool = False, **sources: str) -> dict[str, Any]:
    from factlink.experiments.sources import sources_of

    now = sources_of((ENTRY,))
    return {"commit": commit, "dirty": dirty, "entries": [ENTRY], "sources": {**now, **sources}}


def test_every_table_and_sentence_is_what_results_and_code_say() -> None:
    command = [sys.executable, str(BENCHMARKS / "tables.py"), "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nrun: python benchmarks/tables.py"


def test_every_mark_on_a_page_is_made_by_a_script_that_is_asked() -> None:
    marks = {(page, mark) for page in PAGES for mark in MARK.findall(page.read_text("utf-8"))}
    makers = (BENCHMARKS / "tables.py").read_text("utf-8")
    assert len(marks) > 20
    for page, mark in marks:
        assert page.read_text("utf-8").count(f"<!-- {mark} -->") == 2, f"{page.name}: {mark}"
        script = mark.rpartition("/")[2]
        assert f'"{mark}"' in (BENCHMARKS / script).read_text("utf-8"), f"benchmarks/{script} does not make '{mark}'"
        assert f"    {script.removesuffix('.py')},\n" in makers, f"benchmarks/tables.py does not ask {script}"


@pytest.mark.parametrize("path", sorted((BENCHMARKS / "results").glob("*.json")), ids=lambda path: path.stem)
def test_what_made_a_row_is_kept_beside_it(path: Path) -> None:
    result = json.loads(path.read_text("utf-8"))
    for row in result.get("rows", []):
        if "made" in row:
            by = result["made"][row["made"]]
            assert {"command", "commit", "dirty", "entries", "sources", "data"} <= set(by)
            assert by["entries"], "a row that depends on no code is never marked"
    assert set(result.get("made", {})) == {row["made"] for row in result.get("rows", []) if "made" in row}


def test_rows_of_changed_and_of_unknown_code_are_marked(pages: ModuleType) -> None:
    now, old, gone = made(), made("1234567890", types="000000000000"), made("fedcba9876")
    gone["entries"] = ["factlink.evaluation.nowhere"]
    rows = [{"made": "now"}, {"made": "old"}, {"made": "gone"}, {}]
    result = pages.Result({"rows": rows, "made": {"now": now, "old": old, "gone": gone}})
    assert [result.label("walks", row) for row in rows] == ["walks", "walks †", "walks †", "walks †"]
    assert result.label("both", *rows[:2]) == "both †"
    assert result.note() == (
        "Measured at commit abcdef0. † Measured with older code (1234567, before commits were recorded, fedcba9)."
    )
    assert result.note(rows[:1]) == "Measured at commit abcdef0."
    dirty = pages.Result({"rows": rows[:1], "made": {"now": made(dirty=True)}})
    assert dirty.note() == "Measured at commit abcdef0 with changes."


def test_a_line_is_marked_as_a_whole_or_cell_by_cell(pages: ModuleType) -> None:
    rows = [{"made": "now"}, {"made": "old"}]
    result = pages.Result({"rows": rows, "made": {"now": made(), "old": made(types="0")}})
    now, old = rows
    assert result.line("name", [(".1", now), (".2", now)]) == "| name | .1 | .2 |"
    assert result.line("name", [(".1", now), (".2", old), ("", None)]) == "| name | .1 | .2 † |  |"
    assert result.line("name", [(".1", old), (".2", old)]) == "| name † | .1 | .2 |"


def test_a_block_replaces_what_stands_between_its_marks_and_nothing_else(pages: ModuleType) -> None:
    block = pages.Block("page.md", "x: benchmarks/x.py", "new")
    mark = "<!-- x: benchmarks/x.py -->"
    assert block.put_into(f"a\n{mark}\nold\n{mark}\nb\n") == f"a\n{mark}\nnew\n{mark}\nb\n"
    with pytest.raises(SystemExit, match=r"page\.md needs the mark .* twice, and has it 1 times"):
        block.put_into(f"a\n{mark}\n")


def test_a_result_keeps_what_made_older_rows(
    pages: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = sys.modules["machine"]
    monkeypatch.setattr(machine, "RESULTS", tmp_path)
    older = {"command": "python benchmarks/x.py", "versions": {"numpy": "1"}, "rows": [{"set": "a"}, {"set": "b"}]}
    (tmp_path / "x.json").write_text(json.dumps(older))
    by = machine.made_by([ENTRY], machine.made_up("three people, seed 0"))
    machine.write_result("x", [{"set": "a"}, {"set": "b", "made": by}], ["numpy"])
    first = json.loads((tmp_path / "x.json").read_text())
    assert first["versions"] == {"numpy": "1"}
    assert "made" not in first["rows"][0]
    machine.write_result("x", [*first["rows"], {"set": "c"}], ["numpy"])
    second = json.loads((tmp_path / "x.json").read_text())
    assert second["rows"][:2] == first["rows"]
    kept, new = (second["made"][row["made"]] for row in second["rows"][1:])
    assert kept["data"] == {"made_up": "three people, seed 0"}
    assert "numpy" in kept["versions"]
    assert "factlink.experiments.sources" in new["entries"]
    machine.write_result("x", second["rows"][1:], ["numpy"])
    assert "command" not in json.loads((tmp_path / "x.json").read_text())
