"""Progress is seen where somebody looks."""

import sys
from types import SimpleNamespace

import pytest

from factlink.notebook.progress import shown_progress


def test_nothing_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress() as show:
        show("fitting")
    assert capsys.readouterr().err == ""


def test_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with shown_progress() as show:
        show("fitting")
    assert capsys.readouterr().err == "\r\x1b[Kfitting …\r\x1b[K"


def test_one_line_that_changes_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    handle = SimpleNamespace(update=seen.append)
    shown = SimpleNamespace(HTML=str, display=lambda first, display_id: handle)
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", shown)
    with shown_progress() as show:
        show("fitting")
    assert seen == ["<i>fitting …</i>", ""]
