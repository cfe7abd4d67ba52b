"""Starts the review of a run on this machine."""

import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factlink.data.formats.html_text import forbidden_in
from factlink.errors import SettingError, require_extra
from factlink.runs.folder.judgements import LONGEST_NAME
from factlink.runs.folder.several import is_several
from factlink.web.sockets import listening

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from uvicorn import Server

    from factlink.review.answers import ReviewSettings
    from factlink.review.security import Door

LAST_ANSWERS = 2
"""Seconds that requests under way get when the review is stopped."""

_PAGE = """<!doctype html><meta charset="utf-8"><title>factlink review</title>
<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={url}">
<a href="{url}">Go on to the review</a>
"""


@dataclass(frozen=True, slots=True)
class Service:
    """The port and the reviewer; port 0 chooses a free one."""

    port: int = 0
    reviewer: str = "reviewer"
    blind: bool = False

    def __post_init__(self) -> None:
        if not 0 < len(self.reviewer.strip()) <= LONGEST_NAME:
            raise SettingError(f"a reviewer needs a name of 1 to {LONGEST_NAME} characters, found '{self.reviewer}'")
        if (found := forbidden_in(self.reviewer)) is not None:
            raise SettingError(f"the name of a reviewer holds {found}, which no page can show; leave it out")


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """A review that is ready to answer."""

    url: str  # with the token
    server: "Server"
    listener: socket.socket

    def serve(self) -> None:
        """Answers until interrupted."""
        with self.listener, suppress(KeyboardInterrupt):
            self.server.run(sockets=[self.listener])


def open_review(run: Path, service: Service, on_stage: Callable[[str], None]) -> Review:
    """Reads a run and listens on this machine only."""
    require_extra("factlink review", "review", "starlette", "uvicorn", "jinja2")
    from uvicorn import Config, Server

    from factlink.review.answers import ReviewSettings
    from factlink.review.security import new_door

    settings = ReviewSettings(service.reviewer.strip(), service.blind)
    make = _app_of(run, settings, on_stage)
    listener = listening(service.port)
    door = new_door(listener.getsockname()[1])
    app = make(door)
    plain: dict[str, Any] = {"http": "h11", "ws": "none", "lifespan": "off", "proxy_headers": False}
    quiet: dict[str, Any] = {"log_level": "critical", "access_log": False, "server_header": False}
    config = Config(app, **plain, **quiet, timeout_graceful_shutdown=LAST_ANSWERS)
    return Review(door.url, Server(config), listener)


def _app_of(run: Path, settings: "ReviewSettings", on_stage: Callable[[str], None]) -> "Callable[[Door], Starlette]":
    """What answers once the door is known: pairs of two networks, or persons of more."""
    from factlink.review.app import make_app
    from factlink.review.persons.app import make_persons_app
    from factlink.review.persons.view_models import PersonViews
    from factlink.review.view_models import ViewModels

    if is_several(run):
        if settings.blind:
            raise SettingError("a blind review judges pairs of two networks; choose them with --pair A:B")
        persons = PersonViews(run, on_stage)
        return lambda door: make_persons_app(persons, settings, door)
    views = ViewModels(run, on_stage)
    return lambda door: make_app(views, settings, door)


@contextmanager
def _ended_by_exception() -> Iterator[None]:
    """Inside, SIGTERM ends the process in the way of an exception, so that what has to be removed is removed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def handover_page(url: str) -> Iterator[Path]:
    """A private page that redirects to the address; it is removed afterwards.

    The arguments of a process, such as the address that a browser is started with, can be read by everybody on the
    machine; the page cannot.
    """
    private = tempfile.TemporaryDirectory(prefix="factlink-review-", ignore_cleanup_errors=True)
    with _ended_by_exception(), private as folder:
        page = Path(folder) / "review.html"
        with open(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(_PAGE.format(url=escape(url)))
        yield page
