"""`factlink review` as a process: it says where it is, listens to this machine only, and ends cleanly."""

import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from factlink.errors import MissingExtraError, SettingError
from factlink.review import serving
from factlink.review.serving import Service, require_extra


def test_it_answers_on_loopback_and_ends_with_an_interrupt(run: Path) -> None:
    command = [sys.executable, "-m", "factlink", "review", str(run), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        with urlopen(url, timeout=30) as page:
            cookie = page.headers["set-cookie"].partition(";")[0]
        home = url.partition("/queue")[0]
        with urlopen(Request(f"{home}/queue", headers={"Cookie": cookie}), timeout=30) as page:
            assert b"Amy Tan" in page.read()
            assert "server" not in page.headers
        with pytest.raises(HTTPError, match="403") as refused:
            urlopen(f"{home}/queue", timeout=30)
        refused.value.close()
        with pytest.raises(OSError, match=r"refused|unreachable|assign"):
            socket.create_connection((_other_address(), int(home.rpartition(":")[2])), timeout=5).close()
        server.send_signal(signal.SIGINT)
        _, told = server.communicate(timeout=30)
    assert server.returncode == 0
    assert told.startswith("Reviewing until Ctrl+C")
    assert "Traceback" not in told


def _other_address() -> str:
    """An address of this machine at which a server on all addresses would answer, and ours must not."""
    return "127.0.0.2"


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SettingError, match=rf"port {port} cannot be used .*name another with --port"):
            serving._listening(port)


def test_settings_are_checked_at_birth() -> None:
    with pytest.raises(SettingError, match="a reviewer needs a name"):
        Service(reviewer="  ")


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    require_extra()
    monkeypatch.setattr(serving, "find_spec", lambda name: None if name == "uvicorn" else object())
    with pytest.raises(MissingExtraError, match=r"needs uvicorn; pip install 'factlink\[review\]'"):
        require_extra()
