"""Database servers of one's own on loopback, in a folder that goes with them; none of them runs as root."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSWORD = "s3cr%t/word"
"""With characters that an address must encode."""
ENCODED = "s3cr%25t%2Fword"
USER = "tester"


@dataclass(frozen=True)
class Server:
    """Where a server listens."""

    system: str
    port: int

    def url(self, parameters: str = "", password: str = ENCODED) -> str:
        """The address of its one database."""
        return f"{self.system}://{USER}:{password}@127.0.0.1:{self.port}/forum{parameters}"


def program(name: str) -> str | None:
    """Where a program of a server is; Debian keeps those of PostgreSQL out of the path."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *map(str, places), "/usr/sbin"]))


@contextmanager
def private_postgresql() -> Iterator[Server]:
    """A cluster with one database 'forum'; passwords are checked."""
    with _folder() as folder:
        port, data = _free_port(), folder / "data"
        secret = folder / "password"
        secret.write_text(PASSWORD)
        _give(secret)
        login = ["-U", USER, "-A", "scram-sha-256", f"--pwfile={secret}"]
        _run([_found("initdb"), "-D", data, "-E", "UTF8", "--locale=C", "--no-sync", *login])
        settings = f"-k {folder} -c listen_addresses=127.0.0.1 -c port={port} -c fsync=off"
        _run([_found("pg_ctl"), "-D", data, "-o", settings, "-l", folder / "log", "-w", "start"])
        try:
            environment = {**os.environ, "PGPASSWORD": PASSWORD}
            _run([_found("createdb"), "-h", "127.0.0.1", "-p", str(port), "-U", USER, "forum"], environment)
            yield Server("postgresql", port)
        finally:
            _run([_found("pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop"])


@contextmanager
def private_mariadb() -> Iterator[Server]:
    """A server with one empty database 'forum'."""
    with _folder() as folder:
        port, data = _free_port(), folder / "data"
        _run([_found("mariadb-install-db"), "--no-defaults", f"--datadir={data}", "--skip-test-db"])
        setup = folder / "setup.sql"
        setup.write_text(
            "CREATE DATABASE forum CHARACTER SET utf8mb4;\n"
            f"CREATE USER {USER}@'127.0.0.1' IDENTIFIED BY '{PASSWORD}';\n"
            f"GRANT ALL ON forum.* TO {USER}@'127.0.0.1';\n"  # a line for each statement
        )
        _give(setup)
        where = [f"--datadir={data}", f"--port={port}", "--bind-address=127.0.0.1", f"--socket={folder}/socket"]
        command = [_found("mariadbd"), "--no-defaults", *where, "--skip-name-resolve", f"--init-file={setup}"]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", **_as_nobody())
        try:
            _await_port(port, process)
            yield Server("mysql", port)
        finally:
            process.terminate()
            process.wait(60)


def _found(name: str) -> str:
    where = program(name)
    if where is None:
        raise FileNotFoundError(f"{name} is not installed")
    return where


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="factlink-server-"))
    _give(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _give(path: Path) -> None:
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(path, nobody.pw_uid, nobody.pw_gid)


def _as_nobody() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _run(command: list[str | Path], environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(
        command, env=environment, cwd="/", capture_output=True, text=True, check=False, **_as_nobody()
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stdout}{done.stderr}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _await_port(port: int, process: "subprocess.Popen[bytes]", seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start")
