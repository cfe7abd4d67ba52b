"""The report: its figures by hand, its JSON twin, and a page that stays whole whatever the data holds."""

import json
import re
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from selenium.webdriver.support.wait import WebDriverWait

from factlink.cli.app import main
from factlink.report.gathering import gather_report
from factlink.report.page import as_json_island, render_page, write_report
from factlink.runs.demo import make_demo

SCRIPT = "<script>alert('owned')</script><img src=x onerror=alert(1)>"
HOSTILE = {
    "left": [
        ("../../etc/passwd", f"{SCRIPT} Amy Tan", SCRIPT),
        ("</script>", "مرحبا \u202eevil", "b" * 100_000),
        ("{{ 7*7 }}", "👩‍👩‍👧‍👦 Family {% raw %}", "' OR 1=1 --"),
        ("&lt;x", "Desmond & Sons \u2028", "\x1b[31mred"),
        ("plain", "Joey Lim", "runner"),
    ],
    "right": [
        ("r1", f"{SCRIPT} amy tan", SCRIPT),
        ("r2]]>", "مرحبا \u202eevil", "c" * 100_000),
        ("r3", "👩‍👩‍👧‍👦 family", ""),
        ("r4", "desmond & sons", ""),
        ("r5", "joey.lim", "runs"),
    ],
}


class Reader(HTMLParser):
    """Collects tags and attributes; void elements need no end."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts, self.handlers, self.images, self.open = 0, 0, 0, []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self.images += tag == "img"
        self.handlers += sum(name.startswith("on") for name, _ in attrs)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]
        if tag not in ("meta", "input", "br", "img", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "demo"
    make_demo(folder, 150, 3, lambda stage: None)
    return folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    for side, rows in HOSTILE.items():
        (folder / side).mkdir()
        frame = pl.DataFrame(rows, schema=["id", "name", "bio"], orient="row")
        frame.write_parquet(folder / side / "users.parquet")
    arguments = sys.argv
    sys.argv = [
        "factlink",
        "link",
        f"{folder}/left",
        f"{folder}/right",
        "-o",
        f"{folder}/run",
        "--linker",
        "name",
        "--json",
    ]
    try:
        with pytest.raises(SystemExit) as stop:
            main()
    finally:
        sys.argv = arguments
    assert not stop.value.code
    return folder / "run"


def test_its_figures(demo: Path) -> None:
    values = gather_report(demo / "run", demo / "truth.csv")
    links = pl.read_parquet(demo / "run" / "links.parquet")
    assert sum(values["outcomes"].values()) == links.height
    assert sum(row["pairs"] for row in values["probabilities"]) == links.height
    assert values["thresholds"]["links"][0] == links["right"].count()
    assert values["thresholds"]["links"] == sorted(values["thresholds"]["links"], reverse=True)
    assert sum(row["pairs"] for row in values["strata"]["rows"]) == values["strata"]["of"]
    surest, doubtful = ([link["probability"] for link in values[key]] for key in ("surest", "most_doubtful"))
    assert min(surest) >= max(doubtful)
    assert values["truth"]["hits"]["HR@1"] > 0.8
    assert (
        sum(part["pairs"] for part in values["truth"]["calibration"])
        == values["truth"]["n"] + values["truth"]["absent"]
    )
    for link in values["surest"]:
        assert link["evidence"][0]["weight"] != 0


def test_the_json_twin_says_what_the_page_shows(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    capfd.readouterr()
    for line in (f"report {demo}/run --truth {demo}/truth.csv --json", f"report {demo}/run --truth {demo}/truth.csv"):
        monkeypatch.setattr(sys, "argv", ["factlink", *line.split()])
        with pytest.raises(SystemExit) as stop:
            main()
        assert not stop.value.code
    out = capfd.readouterr().out
    values = json.loads(out[: out.rindex("}") + 1])
    page = (demo / "run" / "report.html").read_text("utf-8")
    assert f"{values['outcomes']['link']:,}" in page
    assert f"{values['truth']['mrr']:.3f}" in page
    assert values["surest"][0]["left"]["name"] in page
    assert "report.html" in out[out.rindex("}") :]


def test_the_page_needs_no_other_file_and_no_network(demo: Path, tmp_path: Path) -> None:
    write_report(demo / "run", tmp_path / "report.html", None)
    page = (tmp_path / "report.html").read_text("utf-8")
    reader = read(page)
    assert (reader.scripts, reader.handlers, reader.images) == (3, 0, 0)
    assert [address for address in reader.addresses if not address.startswith("#")] == []
    assert not re.search(r"url\((?!#)|@import", page)
    assert "#0102" not in page  # every stand-in has become a colour of the page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert list(tmp_path.iterdir()) == [tmp_path / "report.html"]


def test_hostile_data_stays_text(hostile: Path, tmp_path: Path) -> None:
    write_report(hostile, tmp_path / "report.html", None)
    page = (tmp_path / "report.html").read_text("utf-8")
    reader = read(page)
    assert (reader.scripts, reader.handlers, reader.images) == (3, 0, 0)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "{{ 7*7 }}" in page
    assert "b" * 200 not in page
    assert len(page) < 1_000_000


def test_json_inside_a_script_cannot_end_it() -> None:
    assert "<" not in as_json_island({"a": "</script>\u2028"})
    assert json.loads(as_json_island({"a": "</script>\u2028"})) == {"a": "</script>\u2028"}


def test_a_run_without_evidence_or_vectors_has_a_report(demo: Path, tmp_path: Path) -> None:
    values = gather_report(demo / "run")
    bare = values | {"map": None, "channel_weights": [], "separate_friends": [], "probabilities": []}
    for link in bare["surest"]:
        link["evidence"] = []
    page = render_page(bare)
    assert "The run keeps no evidence for this link" in page
    assert "A map of" not in page
    read(page)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("report nowhere", "there is not a run folder nowhere"),
        ("report {run} --truth nothing.csv", "nothing.csv"),
        ("report {run} -o nowhere/report.html", "nowhere"),
    ],
)
def test_a_mistake_is_one_sentence(
    demo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["factlink", *line.format(run=demo / "run").split()])
    with pytest.raises(SystemExit) as stop:
        main()
    out, err = capsys.readouterr()
    assert (stop.value.code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.browser
@pytest.mark.skipif(shutil.which("chromium") is None or shutil.which("chromedriver") is None, reason="no Chromium")
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_browser(driver: Any, hostile: Path, demo: Path, tmp_path: Path, width: int, scheme: str) -> None:
    for run in (demo / "run", hostile):
        file = tmp_path / "report.html"
        write_report(run, file, None)
        preference = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(file.as_uri())
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        assert driver.execute_script("return document.querySelectorAll('section').length") >= 5
        slide = "const s = document.getElementById('threshold'); s.value = 99; s.dispatchEvent(new Event('input'));"
        driver.execute_script(slide)
        assert "At 0.99 or above" in driver.execute_script("return document.getElementById('at-threshold').textContent")
        driver.execute_script("const s = document.getElementById('search'); s.value = 'joey'; s.focus();")
        WebDriverWait(driver, 20).until(lambda page: "rows" in page.find_element("id", "found").text)
        driver.execute_script("document.getElementById('search').dispatchEvent(new Event('input'));")
        listed = driver.execute_script(
            "return [...document.querySelectorAll('#rows tbody tr')].map((r) => r.innerText)"
        )
        assert all("joey" in row.lower() for row in listed)
        assert len(listed) == (1 if run == hostile else len(listed))
        assert driver.execute_script("return document.getElementById('download').href").startswith("blob:")
