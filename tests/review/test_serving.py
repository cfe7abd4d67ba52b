"""`factlink review` as a process: it says where it is, listens to this machine only, and ends cleanly."""

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from factlink.errors import SettingError
from factlink.review.serving import Service
from factlink.web.sockets import listening


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


@contextmanager
def _serving(run: Path, *options: str, **settings: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A review as a process, and its address; it is ended afterwards, however the test went."""
    command = [sys.executable, "-m", "factlink", "review", str(run), *options]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, env={**os.environ, **settings}) as server:
        try:
            assert server.stdout is not None
            yield server, server.stdout.readline().strip()
        finally:
            server.kill()


def _exchange(port: int, sent: bytes, *, hang_up: bool = False) -> bytes:
    """What the server answers to these bytes until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(sent)
        if hang_up:
            return b""
        answer = b""
        while part := connection.recv(65_536):
            answer += part
        return answer


def test_bytes_that_are_no_request_get_4xx_and_leave_no_trace(run: Path) -> None:
    with _serving(run, "--no-browser") as (server, url):
        port, token = int(url.split(":")[2].partition("/")[0]), url.rpartition("=")[2]
        let_in = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n".encode()
        write = let_in + f"Origin: http://127.0.0.1:{port}\r\n".encode()
        form = b"Content-Type: application/x-www-form-urlencoded\r\n"
        chunks = (b"10000\r\n" + b"x" * 65_536 + b"\r\n") * 5 + b"0\r\n\r\n"
        for sent in (
            b"\0\xff\r\n\r\n",
            b"GET /\xff HTTP/1.1\r\n" + let_in + b"\r\n",
            b"GET /queue HTTP/1.1\r\n\r\n",
            b"GET /queue HTTP/1.0\r\n\r\n",
            b"GET /queue HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            b"GET /queue HTTP/1.1\r\n" + let_in + b"Host: evil.example\r\n\r\n",
            b"GET [ HTTP/1.1\r\n" + let_in + b"\r\n",
            b"OPTIONS * HTTP/1.1\r\n" + let_in + b"\r\n",
            b"GET http://evil.example/queue HTTP/1.1\r\n" + let_in + b"\r\n",
            b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + let_in + b"\r\n",
            b"POST /judge HTTP/1.1\r\n" + write + b"Content-Length: -1\r\n\r\n",
            b"POST /judge HTTP/1.1\r\n" + write + form + b"Content-Length: 300000\r\n\r\n" + b"x" * 300_000,
            b"POST /judge HTTP/1.1\r\n" + write + form + b"Transfer-Encoding: chunked\r\n\r\n" + chunks,
            b"POST /judge HTTP/1.1\r\n"
            + write
            + form
            + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunks,
            b"POST /judge HTTP/1.1\r\n" + write + form + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        ):
            status = _exchange(port, sent).partition(b"\r\n")[0].split()[1:2]
            assert status, sent[:80]
            assert 400 <= int(status[0]) < 500, sent[:80]
        _exchange(port, b"POST /judge HTTP/1.1\r\n" + write + form + b"Content-Length: 500\r\n\r\nleft=a", hang_up=True)
        assert _exchange(port, b"GET /queue HTTP/1.1\r\n" + let_in + b"\r\n").startswith(b"HTTP/1.1 200")
        server.send_signal(signal.SIGINT)
        _, told = server.communicate(timeout=30)
    assert (server.returncode, told.count("\n")) == (0, 1)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_browser_gets_a_private_page_and_no_token(run: Path, tmp_path: Path, end: signal.Signals) -> None:
    """What a process is started with can be read by everybody on the machine."""
    browser, given = tmp_path / "browser", tmp_path / "given"
    browser.write_text(f'#!/bin/sh\necho "$@" > {given}.part\nmv {given}.part {given}\n')
    browser.chmod(0o700)
    with _serving(run, BROWSER=str(browser), TMPDIR=str(tmp_path)) as (server, url):
        while not given.exists():
            time.sleep(0.05)
        page = Path(given.read_text().strip().removeprefix("file://"))
        assert page.parent.parent == tmp_path
        assert [stat.S_IMODE(place.stat().st_mode) for place in (page, page.parent)] == [0o600, 0o700]
        assert f"url={url}" in page.read_text()
        assert url.rpartition("=")[2] not in given.read_text()
        urlopen(url, timeout=30).close()  # it serves
        server.send_signal(end)
        _, told = server.communicate(timeout=30)
    assert not page.parent.exists()
    assert server.returncode == (0 if end == signal.SIGINT else 143)
    assert told.count("\n") == 1


def _other_address() -> str:
    """An address of this machine at which a server on all addresses would answer, and ours must not."""
    return "127.0.0.2"


def test_a_taken_port_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SettingError, match=rf"port {port} cannot be used .*name another with --port"):
            listening(port)


def test_settings_are_checked_at_birth() -> None:
    with pytest.raises(SettingError, match="a reviewer needs a name"):
        Service(reviewer="  ")
    with pytest.raises(SettingError, match=r"the name of a reviewer holds U\+DCFF, which no page can show"):
        Service(reviewer="ann\udcff")
