"""Makes the pictures of docs/review.md and docs/report.md: python docs/make_screenshots.py.

Needs chromium, chromedriver and selenium.
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.linkers.settings import make_linker
from factlink.report.page import write_report
from factlink.runs.demo import NETWORKS
from factlink.runs.folder.judgements import Judgements
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.synthetic.dials import Dials, Population
from factlink.synthetic.worlds import twins
from factlink.types import Verdict

FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars"
)
COLOURS = 64
SHOTS = {  # name: (width, height, colour scheme, page)
    "queue": (1280, 900, "light", "/queue"),
    "queue-dark": (1280, 900, "dark", "/queue"),
    "queue-narrow": (390, 844, "light", "/queue"),
    "user": (1280, 700, "light", "USER"),
    "agreement": (1280, 320, "light", "/agreement"),
}
REPORT_SHOTS = {"report": (1280, 1500, "light"), "report-narrow": (390, 1600, "dark")}


def main(folder: Path) -> None:
    """Writes one PNG for each shot."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        run = make_demo_with_pictures(Path(place))
        with served(run) as url, browser(Path(place)) as driver:
            driver.get(url)
            driver.get(url)  # the cookie is set; the token has done its work
            WebDriverWait(driver, 30).until(lambda page: page.find_elements(By.ID, "judge"))
            user = driver.find_element(By.CSS_SELECTOR, ".who-is a").get_attribute("href") or ""
            home = driver.current_url.partition("/queue")[0]
            for name, (width, height, scheme, page) in SHOTS.items():
                look(driver, width, height, scheme)
                driver.get(user if page == "USER" else home + page)
                save(driver.get_screenshot_as_png(), folder / f"{name}.png")
            page = Path(place) / "report.html"
            write_report(run, page, Path(place) / "truth.csv")
            for name, (width, height, scheme) in REPORT_SHOTS.items():
                look(driver, width, height, scheme)
                driver.get(page.as_uri())
                save(driver.get_screenshot_as_png(), folder / f"{name}.png")


def make_demo_with_pictures(place: Path) -> Path:
    """The networks of `factlink demo`, with pictures, linked and judged a little by two people."""
    world = twins(Dials(Population(people=300, networks=NETWORKS), seed=0), pictures=place)
    for network in world.networks:
        write_network(network, place / network.name)
    order = LinkRequest(place / NETWORKS[0], place / NETWORKS[1], place / "run")
    made = make_run(order, make_linker("factoid", {}))
    left, right = world.networks
    write_pairs(world.truth(*NETWORKS), place / "truth.csv", left, right)
    judge = Judgements(order.out).add
    verdicts = list(Verdict)
    for n in (made.links.rights >= 0).nonzero()[0][:40].tolist():
        pair = left.users[int(made.links.lefts[n])], right.users[int(made.links.rights[n])]
        judge(*pair, verdicts[n % 5 // 2], "ann")
        judge(*pair, verdicts[n % 7 // 3 if n % 4 == 0 else n % 5 // 2], "bob")
    return order.out


@contextmanager
def served(run: Path) -> Iterator[str]:
    """The address of a review of the run."""
    command = [sys.executable, "-m", "factlink", "review", str(run), "--no-browser", "--reviewer", "ann"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@contextmanager
def browser(place: Path) -> Iterator[webdriver.Chrome]:
    """A headless Chromium with a profile of its own."""
    options = Options()
    for flag in (*FLAGS.split(), f"--user-data-dir={place / 'profile'}"):
        options.add_argument(flag)
    options.binary_location = "/usr/bin/chromium"
    driver = webdriver.Chrome(options, Service("/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


def look(driver: webdriver.Chrome, width: int, height: int, scheme: str) -> None:
    """Sets the size of the page and whether it is light or dark."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def save(png: bytes, path: Path) -> None:
    """A small PNG: pages have few colours."""
    Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "screenshots")
