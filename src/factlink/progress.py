"""Progress of long work, reported to a listener if there is one."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

OFTEN = 0.2
"""Seconds from one word to the next, at least."""
COMPILING = "compiling for this machine, at the first run only"

_listener: ContextVar[Callable[[str], None] | None] = ContextVar("who hears of progress", default=None)


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Iterator[None]:
    """Inside, the listener gets a line of progress now and then, and an empty one when a piece of work is done."""
    before = _listener.set(listener)
    try:
        with _compiling_reported(listener):
            yield
    finally:
        _listener.reset(before)


@contextmanager
def _compiling_reported(listener: Callable[[str], None]) -> Iterator[None]:
    """Inside, the listener is notified when code is compiled, which happens at the first run only."""
    from numba.core import event

    class Compiling(event.Listener):
        depth = 0

        def on_start(self, _: object) -> None:
            self.depth += 1
            listener(COMPILING)

        def on_end(self, _: object) -> None:
            self.depth -= 1
            if not self.depth:
                listener("")

    with event.install_listener("numba:compile", Compiling()):
        yield


def counted(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The items as they come; how many of the total have been taken is reported on the way."""
    listener = _listener.get()
    if listener is None:
        yield from items
        return
    reported = time.monotonic()
    for done, item in enumerate(items):
        if time.monotonic() - reported >= OFTEN:
            reported = time.monotonic()
            listener(f"{what}, {done:,} of {total:,}")
        yield item
    listener("")
