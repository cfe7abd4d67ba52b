"""Starts the review of a run on this machine."""

import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from factlink.errors import MissingExtraError, SettingError
from factlink.runs.judgements import LONGEST_NAME

if TYPE_CHECKING:
    from uvicorn import Server

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Service:
    """Where and for whom to serve; port 0 takes a free one."""

    port: int = 0
    reviewer: str = "reviewer"
    blind: bool = False

    def __post_init__(self) -> None:
        if not 0 < len(self.reviewer.strip()) <= LONGEST_NAME:
            raise SettingError(f"a reviewer needs a name of 1 to {LONGEST_NAME} characters, found '{self.reviewer}'")


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
    require_extra()
    from uvicorn import Config, Server

    from factlink.review.app import ReviewSettings, make_app
    from factlink.review.desk import Desk
    from factlink.review.security import new_door

    desk = Desk(run, on_stage)
    listener = _listening(service.port)
    door = new_door(listener.getsockname()[1])
    app = make_app(desk, ReviewSettings(service.reviewer.strip(), service.blind), door)
    quiet = Config(app, log_level="error", access_log=False, server_header=False, proxy_headers=False, lifespan="off")
    return Review(door.url, Server(quiet), listener)


def require_extra() -> None:
    """Refuses to go on without the packages of the extra."""
    missing = [package for package in ("starlette", "uvicorn", "jinja2") if find_spec(package) is None]
    if missing:
        raise MissingExtraError(f"factlink review needs {', '.join(missing)}; pip install 'factlink[review]'")


def _listening(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise SettingError(f"port {port} cannot be used ({error}); name another with --port") from None
    return listener
