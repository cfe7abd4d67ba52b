"""`factlink serve` as a process: workers, real clients, signals, and accounts that survive a kill."""

import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pandas as pd
import pytest

from factlink.errors import InputError, SettingError
from factlink.runs.folder.store import load_run
from factlink.serve.serving import ServeSettings, open_service, token_in
from tests.damages import files_of
from tests.serve.conftest import World

KILLS = max(2, int(os.environ.get("FACTLINK_RANDOM_KILLS", "0")) // 20)


@dataclass
class Live:
    """A service in a process of its own."""

    process: subprocess.Popen[str]
    url: str
    token: str
    reconcile: str

    def ask(self, path: str, body: object | None = None) -> tuple[int, dict[str, object]]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            with urlopen(Request(f"{self.url}{path}", data, headers), timeout=120) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)


@contextmanager
def serving(run: Path, *options: str) -> Iterator[Live]:
    command = [sys.executable, "-m", "factlink", "serve", str(run), "--json", *options]
    log = (run.parent / "log").open("w+")
    with log, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        try:
            assert process.stdout is not None
            shown = json.loads(process.stdout.readline())
            wait_until(lambda: '"ready": true' in (run.parent / "log").read_text())
            yield Live(process, shown["url"], shown["token"], shown["reconcile"])
        finally:
            process.kill()


def wait_until(is_so: object, seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.1)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of the client itself
def test_a_real_client_reconciles_a_column(world: World, copy: Path) -> None:
    from reconciler import reconcile

    names = pd.Series([world.account(at)["attributes"]["screen_name"] for at in (0, 1)])
    with serving(copy) as live:
        found = reconcile(names, top_res=1, reconciliation_endpoint=live.reconcile)
        wanted = [live.ask("/v1/lookup", {"account": {"attributes": {"screen_name": name}}})[1] for name in names]
    best = [each["answers"][0]["candidates"][0]["user"] for each in wanted]  # type: ignore[index]
    assert found["id"].tolist() == best
    assert set(found["input_value"]) == set(names)


def test_a_term_signal_lets_answers_out_and_nothing_personal_is_logged(world: World, copy: Path) -> None:
    account = world.account(0)
    with serving(copy, "--workers", "2", "--write") as live:
        status, answer = live.ask("/v1/accounts", {"account": account})
        assert (status, answer["added"][0]["id"]) == (201, account["id"])  # type: ignore[index]
        wait_until(lambda: live.ask("/v1/health")[1]["users"] == {"left": 76, "right": 80})
        live.process.send_signal(signal.SIGHUP)
        assert live.ask("/v1/lookup", {"account": world.account(1)})[0] == 200
        live.process.send_signal(signal.SIGTERM)
        assert live.process.wait(60) == 0
    log = (copy.parent / "log").read_text()
    assert '"route": "accounts", "status": 201' in log
    assert account["id"] not in log
    assert account["attributes"]["screen_name"] not in log
    assert live.token not in log


@pytest.mark.parametrize("write", [False, True])
def test_only_a_service_that_may_write_removes_what_a_killed_writer_left(write: bool, copy: Path) -> None:
    left = copy.with_name(f"{copy.name}.part") / "run"
    left.mkdir(parents=True)
    (left / "links.parquet").write_bytes(b"half of a run")
    open_service(copy, ServeSettings(write=write)).listener.close()
    assert left.parent.exists() == (not write)


def test_killed_at_any_moment_every_acknowledged_account_is_there(world: World, copy: Path) -> None:
    drawn, acknowledged = random.Random(1), []
    for turn in range(KILLS):
        with serving(copy, "--write") as live:
            pause = drawn.uniform(0.2, 3.0)
            killer = subprocess.Popen(["sh", "-c", f"sleep {pause}; kill -9 {live.process.pid}"])
            try:
                for at in range(50):
                    user = f"{turn}-{at}"
                    attributes = world.account(at % 5)["attributes"]
                    if live.ask("/v1/accounts", {"account": {"id": user, "attributes": attributes}})[0] == 201:
                        acknowledged.append(user)
            except OSError:
                pass
            killer.wait()
    users = set(load_run(copy).left.users)
    assert [user for user in acknowledged if user not in users] == []


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_file_that_cannot_be_made_is_one_sentence_and_no_start_after_start(workers: str, copy: Path) -> None:
    command = [sys.executable, "-m", "factlink", "serve", str(copy), "--workers", workers]
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limit[1]))
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert ended.returncode == 2
    said = set(ended.stderr.splitlines())
    assert len(said) == 1, ended.stderr
    assert re.search(r"\.npy.*: file too large; raise the limit of file sizes \(ulimit -f\)$", said.pop())
    assert [name for name in files_of(copy.with_name("run.serve")) if ".part" in name] == []


def test_settings_are_checked_at_birth(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="--workers is 0"):
        ServeSettings(workers=0)
    with pytest.raises(SettingError, match="--rate is nan; it takes at least 1"):
        ServeSettings(rate=float("nan"))
    with pytest.raises(SettingError, match="needs --tls-cert and --tls-key"):
        ServeSettings(host="0.0.0.0")
    with pytest.raises(InputError, match="there is no file"):
        ServeSettings(tls=(tmp_path / "cert.pem", tmp_path / "key.pem"))


def test_a_token_file_is_made_once_and_must_hold_a_token(tmp_path: Path) -> None:
    token = token_in(tmp_path / "token")
    assert token_in(tmp_path / "token") == token
    assert (tmp_path / "token").stat().st_mode & 0o077 == 0
    (tmp_path / "short").write_text("short\n")
    with pytest.raises(InputError, match="holds no token"):
        token_in(tmp_path / "short")
