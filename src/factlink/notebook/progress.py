"""Progress of a call: one line that changes, in a notebook or on a terminal; nothing in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def shown_progress() -> Iterator[Callable[[str], None]]:
    """Inside, each stage replaces the line of the one before; afterwards the line is empty."""
    show = _in_a_notebook() or _on_a_terminal()
    try:
        yield show
    finally:
        show("")


def _in_a_notebook() -> Callable[[str], None] | None:
    """None unless a kernel runs; IPython is never imported by us."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import HTML, display  # type: ignore[import-not-found, unused-ignore]

    handle = display(HTML(""), display_id=True)
    return lambda stage: handle.update(HTML(f"<i>{stage} …</i>" if stage else ""))


def _on_a_terminal() -> Callable[[str], None]:
    if not sys.stderr.isatty():
        return lambda stage: None

    def show(stage: str) -> None:
        sys.stderr.write(f"\r\x1b[K{stage} …" if stage else "\r\x1b[K")
        sys.stderr.flush()

    return show
