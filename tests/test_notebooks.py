"""The notebooks in examples/ run from their first cell to their last."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples" / "notebooks").glob("*.ipynb"))


def cells(notebook: Path) -> list[str]:
    found = json.loads(notebook.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


def test_there_are_two() -> None:
    assert [notebook.name for notebook in NOTEBOOKS] == ["first-links.ipynb", "own-frames.ipynb"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_a_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for place, cell in enumerate(cells(notebook)):
        exec(compile(cell, f"{notebook.name} cell {place}", "exec"), names)
    result = names["result"]
    assert result.links.height > 0  # type: ignore[attr-defined]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_a_notebook_is_kept_without_outputs(notebook: Path) -> None:
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
