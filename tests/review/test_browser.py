"""The review in a real browser, by keyboard alone, through kills and reloads."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import polars as pl
import pytest

from factlink.data.files import write_network
from factlink.data.frames import network_from_frames
from factlink.review.serving import handover_page
from factlink.runs.folder.judgement_file import JUDGEMENTS, create_judgements
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.manifest import Input, Manifest
from factlink.runs.folder.store import save_candidates, save_links, save_manifest
from factlink.types import Candidates, Links, Verdict

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(shutil.which("chromium") is None or shutil.which("chromedriver") is None, reason="no Chromium"),
]
PEOPLE = 14
FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
FLAGS += " --disable-component-update --disable-sync --disable-dev-shm-usage"


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*FLAGS.split(), f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    chrome = webdriver.Chrome(options, Service(str(shutil.which("chromedriver"))))
    yield chrome
    chrome.quit()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    people = [f"Person <b>{n}</b>" for n in range(PEOPLE)]
    networks = [
        network_from_frames(name, pl.DataFrame({"id": [f"{name[0]}{n}" for n in range(PEOPLE)], "name": people}))
        for name in ("chirper", "facepage")
    ]
    run = tmp_path / "run"
    for side, network in zip(("left", "right"), networks, strict=True):
        write_network(network, run / side)
    rows, sure = np.arange(PEOPLE, dtype=np.int32), np.linspace(0.5, 0.99, PEOPLE, dtype=np.float32)
    none = np.full(PEOPLE, -1, np.int32)
    save_candidates(run, Candidates(rows[:, None], sure[:, None]))
    save_links(run, Links(rows, rows, sure, sure, np.zeros(PEOPLE, np.int8), none, sure), *networks)
    side = Input("chirper", "nowhere", PEOPLE, 0, {}, {}), Input("facepage", "nowhere", PEOPLE, 0, {}, {})
    save_manifest(run, Manifest("name", {"seed": 0}, *side, 0, {}, 0, "2026-01-01T00:00:00+00:00"))
    create_judgements(run)
    return run


class Server:
    """`factlink review` as a process of its own."""

    def __init__(self, run: Path) -> None:
        command = [sys.executable, "-m", "factlink", "review", str(run), "--no-browser", "--reviewer", "ann"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()

    def kill(self) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


Serve = Callable[[Path], Server]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers, and ends those that a test leaves running."""
    servers: list[Server] = []

    def start(run: Path) -> Server:
        servers.append(Server(run))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.kill()


def shown_left(driver: Any) -> str:
    from selenium.webdriver.common.by import By

    field = driver.find_element(By.CSS_SELECTOR, "input[name='left.quoted']")
    return str(field.get_attribute("value"))


def press(driver: Any, key: str) -> None:
    """Presses a key and waits for the page that follows."""
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.expected_conditions import staleness_of
    from selenium.webdriver.support.wait import WebDriverWait

    body = driver.find_element(By.TAG_NAME, "body")
    body.send_keys(key)
    WebDriverWait(driver, 30).until(staleness_of(body))
    WebDriverWait(driver, 30).until(lambda page: page.execute_script("return document.readyState") == "complete")


def open_page(driver: Any, url: str) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.wait import WebDriverWait

    driver.get(url)
    WebDriverWait(driver, 30).until(lambda page: page.find_elements(By.ID, "judge"))
    WebDriverWait(driver, 30).until(lambda page: page.execute_script("return document.readyState") == "complete")


def test_ten_pairs_by_keyboard_through_undo_reload_and_a_kill(
    driver: Any, run: Path, serve: Serve, tmp_path: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    server = serve(run)
    open_page(driver, server.url)
    assert "token" not in driver.current_url
    judged = {}
    for key in ("m", "n", "u", Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_DOWN, "m", "m", "n", "m"):
        judged[shown_left(driver)] = key
        press(driver, key)
    assert list(judged) == [f"c{n}" for n in range(10)]
    press(driver, "z")
    assert shown_left(driver) == "c9"
    assert "was undone" in driver.page_source
    press(driver, "s")
    driver.refresh()
    assert shown_left(driver) == "c9"
    press(driver, "n")
    server.kill()

    server = serve(run)
    open_page(driver, server.url)
    assert shown_left(driver) == "c10"
    server.kill()
    store = Judgements(run)
    assert store.pairs(Verdict.MATCH)["left"].to_list() == ["c0", "c3", "c6", "c7"]
    assert store.pairs(Verdict.NON_MATCH)["left"].to_list() == ["c1", "c4", "c8", "c9"]
    assert store.pairs(Verdict.UNKNOWN)["left"].to_list() == ["c2", "c5"]
    command = [sys.executable, "-m", "factlink", "judgements", str(run), "--export", str(tmp_path / "known.csv")]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "known.csv").read_text() == "left,right\nc0,f0\nc3,f3\nc6,f6\nc7,f7\n"


def test_a_note_is_typed_and_keys_do_not_judge_meanwhile(driver: Any, run: Path, serve: Serve) -> None:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    server = serve(run)
    open_page(driver, server.url)
    driver.find_element(By.TAG_NAME, "body").send_keys("t")
    driver.switch_to.active_element.send_keys("mmm, nzu", Keys.ESCAPE)
    press(driver, "m")
    assert [said.note for said in Judgements(run).of_pair("c0", "f0")] == ["mmm, nzu"]


def test_a_judgement_that_was_not_kept_is_shown_and_tried_again_by_key(driver: Any, run: Path, serve: Serve) -> None:
    server = serve(run)
    open_page(driver, server.url)
    Judgements(run).by_reviewer()
    with closing(sqlite3.connect(run / JUDGEMENTS, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        press(driver, "m")
        assert "Your judgement was NOT kept." in driver.page_source
        assert driver.execute_script("return document.activeElement.textContent") == "Try again r"
        other.execute("ROLLBACK")
    press(driver, "r")
    assert shown_left(driver) == "c1"
    assert [said.verdict for said in Judgements(run).of_pair("c0", "f0")] == [Verdict.MATCH]


def test_the_page_handed_to_a_browser_leads_to_the_review(driver: Any, run: Path, serve: Serve) -> None:
    server = serve(run)
    with handover_page(server.url) as page:
        open_page(driver, page.as_uri())
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/queue", driver.current_url)
    assert shown_left(driver) == "c0"


def test_another_port_of_this_machine_is_not_sent_the_cookie(driver: Any, run: Path, serve: Serve) -> None:
    server = serve(run)
    open_page(driver, server.url)
    assert [cookie["path"] for cookie in driver.get_cookies()] == [f"/{driver.current_url.split('/')[3]}"]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answering = Thread(target=answer_once, args=(listener, asked := list[bytes]()))
        answering.start()
        driver.get(f"http://127.0.0.1:{listener.getsockname()[1]}/queue")
        answering.join(30)
    assert asked[0].startswith(b"GET /queue")
    assert b"factlink" not in asked[0]


def answer_once(listener: socket.socket, asked: list[bytes]) -> None:
    """Keeps what a browser sends, and answers it."""
    connection, _ = listener.accept()
    with connection:
        asked.append(connection.recv(65_536))
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_page_and_nothing_is_blocked(
    driver: Any, run: Path, serve: Serve, width: int
) -> None:
    driver.get_log("browser")  # what earlier tests left there
    metrics = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    server = serve(run)
    open_page(driver, server.url)
    home = driver.current_url.rpartition("/")[0]
    for page in ("/queue", "/user?side=left&user=c1", "/search?q=person", "/progress", "/agreement"):
        driver.get(home + page)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width, page
        is_styled = "return getComputedStyle(document.body).margin"
        assert driver.execute_script(is_styled) == "0px"
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
