"""Starts the service: one process or several that share a port, a token, and the files of the run."""

import gc
import os
import signal
import socket
import sys
import tempfile
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from factlink.data.tables import require_file
from factlink.errors import InputError, SettingError, require_extra
from factlink.storage.durable import PRIVATE_FOLDER, replaced_file
from factlink.web.sockets import LOOPBACK, listening
from factlink.web.tokens import new_token

LAST_ANSWERS = 30
"""Seconds that requests under way get when the service is stopped."""
SHORTEST_TOKEN = 16


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Where a service listens, who may ask, and what it may do."""

    port: int = 0
    host: str = LOOPBACK
    token: str = ""
    tls: tuple[Path, Path] | None = None  # certificate and key
    write: bool = False
    workers: int = 1
    rate: float = 1_000.0
    exact: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= 64:
            raise SettingError(f"--workers is {self.workers}; it takes 1 to 64")
        if not self.rate >= 1:  # nan is not
            raise SettingError(f"--rate is {self.rate:g}; it takes at least 1 request a second")
        if not self.is_local and self.tls is None:
            raise SettingError("a service that others can reach needs --tls-cert and --tls-key, or stay on 127.0.0.1")
        for file in self.tls or ():
            if not file.is_file():
                raise InputError(f"there is no file {file}; name the certificate and its key in PEM")

    @property
    def is_local(self) -> bool:
        """Whether only this machine can ask."""
        return self.host in (LOOPBACK, "localhost", "::1")


def token_in(path: Path | None) -> str:
    """The token in a file; a file that is not there is made with a new one."""
    if path is None:
        return new_token()
    if not path.exists():
        with replaced_file(path) as part:
            part.write_text(f"{new_token()}\n", encoding="utf-8")
    require_file(path, str(path))
    token = path.read_text("utf-8").strip()
    if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise InputError(f"{path} holds no token; it takes {SHORTEST_TOKEN} or more letters and digits on one line")
    return token


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A port that is held, and what will answer on it."""

    run: Path
    settings: ServeSettings
    listener: socket.socket
    folder: Path

    @property
    def url(self) -> str:
        """The address of the service."""
        scheme = "https" if self.settings.tls else "http"
        host = f"[{self.settings.host}]" if ":" in self.settings.host else self.settings.host
        return f"{scheme}://{host}:{self.listener.getsockname()[1]}"

    @property
    def place(self) -> str:
        """The path of the reconciliation service."""
        from factlink.serve.guard import Entry

        return Entry(self.settings.token).place

    def serve(self) -> None:
        """Answers until SIGTERM or Ctrl+C; requests under way are answered first."""
        with self.listener, tempfile.TemporaryDirectory(prefix="measures-", dir=self.folder) as measures:
            if self.settings.workers == 1:
                _work(self, Path(measures), 0)
            else:
                _Workers(self, Path(measures)).watch()


def open_service(run: Path, settings: ServeSettings) -> Opened:
    """Checks that there is a run and holds the port; if it may write, what a killed writer left of the run goes."""
    require_extra("factlink serve", "serve", "starlette", "uvicorn")
    from factlink.runs.folder.drafts import remove_leftovers
    from factlink.runs.folder.store import check_run
    from factlink.serve.warm.run import work_folder

    check_run(run)
    if settings.write:
        remove_leftovers(run)
    folder = work_folder(run)
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    return Opened(run, settings, listening(settings.port, settings.host), folder)


def _work(opened: Opened, measures_folder: Path, worker: int) -> None:
    """One process that answers."""
    from uvicorn import Config, Server

    from factlink.serve.app import Service, make_app
    from factlink.serve.guard import Entry
    from factlink.serve.measures import Measures
    from factlink.serve.warm.holding import Held

    settings = opened.settings
    held = Held(opened.run, opened.folder, exact=settings.exact)
    if hasattr(signal, "SIGHUP"):  # not on Windows
        signal.signal(signal.SIGHUP, lambda number, frame: held.forget())
    port = opened.listener.getsockname()[1]
    names = (LOOPBACK, "localhost", "[::1]")
    hosts = tuple(f"{name}:{port}" for name in names) if settings.is_local else ()
    entry = Entry(settings.token, hosts, settings.rate / settings.workers)
    measures = Measures(measures_folder / "measures", settings.workers, worker)
    service = Service(held, entry, measures, opened.folder, write=settings.write)
    plain: dict[str, Any] = {"http": "h11", "ws": "none", "lifespan": "off", "proxy_headers": False}
    quiet: dict[str, Any] = {"log_level": "critical", "access_log": False, "server_header": False}
    tls: dict[str, Any] = {"ssl_certfile": settings.tls[0], "ssl_keyfile": settings.tls[1]} if settings.tls else {}
    config = Config(make_app(service, entry, measures), **plain, **quiet, **tls, timeout_graceful_shutdown=LAST_ANSWERS)
    gc.freeze()  # what a run consists of is not looked through again and again while requests are answered
    sys.stderr.write(f'{{"worker": {worker}, "ready": true}}\n')
    try:
        Server(config).run(sockets=[opened.listener])
    except KeyboardInterrupt:
        return


class _Workers:
    """Several processes on one port: one that ends unasked is started again."""

    def __init__(self, opened: Opened, measures: Path) -> None:
        from factlink.serve.measures import Measures

        Measures(measures / "measures", opened.settings.workers)
        self._opened, self._measures, self._ending = opened, measures, False
        self._processes = [self._start(worker) for worker in range(opened.settings.workers)]

    def watch(self) -> None:
        """Passes signals on until all have ended."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, lambda number, frame: self._tell(signal.SIGHUP))
        while any(process.is_alive() for process in self._processes):
            for worker, process in enumerate(self._processes):
                process.join(0.2)
                if not process.is_alive() and not self._ending:
                    if process.exitcode == 2:  # it has said why
                        self._end(signal.SIGTERM, None)
                        sys.exit(2)
                    self._processes[worker] = self._start(worker)

    def _start(self, worker: int) -> BaseProcess:
        process = get_context("spawn").Process(target=_child, args=(self._opened, self._measures, worker))
        process.start()
        return process

    def _end(self, number: int, frame: object) -> None:
        self._ending = True
        self._tell(signal.SIGTERM)

    def _tell(self, number: int) -> None:
        for process in self._processes:
            if process.pid is not None and process.is_alive():
                os.kill(process.pid, number)


def _child(opened: Opened, measures: Path, worker: int) -> None:
    from factlink.errors import FactlinkError, describe_os_error

    os.umask(0o077)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to end
    try:
        _work(opened, measures, worker)
    except (FactlinkError, OSError) as error:
        said = describe_os_error(error) if isinstance(error, OSError) else str(error)
        sys.stderr.write(f"factlink: {said}\n")
        sys.exit(2)
