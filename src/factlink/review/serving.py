"""Starts the review of a run on this machine."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from factlink.errors import MissingExtraError, SettingError

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Service:
    """Where and for whom to serve; port 0 takes a free one."""

    port: int = 0
    reviewer: str = "reviewer"
    blind: bool = False


def serve(run: Path, service: Service, on_stage: Callable[[str], None], on_ready: Callable[[str], None]) -> None:
    """Serves until interrupted; `on_ready` is given the address, with its token, as soon as it answers."""
    require_extra()
    import uvicorn

    from factlink.review.app import ReviewSettings, make_app
    from factlink.review.desk import Desk
    from factlink.review.security import new_door

    with _listening(service.port) as listener:
        door = new_door(listener.getsockname()[1])
        app = make_app(Desk(run, on_stage), ReviewSettings(service.reviewer, service.blind), door)
        config = uvicorn.Config(
            app, log_level="error", access_log=False, server_header=False, proxy_headers=False, lifespan="off"
        )
        on_ready(door.url)
        uvicorn.Server(config).run(sockets=[listener])


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
