"""A run with a million links, reviewed and reported: python benchmarks/review.py [LINKS].

The run is written by hand, with names, bios, five links per user, fifty candidates, and the evidence that a run of this
size keeps. Seconds are wall clock; processor seconds stand beside them, for other work on the machine.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl
from machine import Row, made_by, made_up, peak_memory_gb, write_result
from pages import Block, fill_pages, read_result
from starlette.testclient import TestClient

from factlink.data.files import write_network
from factlink.explanations.explain import EVIDENCE, MOST_PAIRS, PARTS_KEPT
from factlink.report.page import write_report
from factlink.review.answers import ReviewSettings
from factlink.review.app import make_app
from factlink.review.security import Door
from factlink.review.view_models import ViewModels
from factlink.runs.folder.manifest import Input, Manifest
from factlink.runs.folder.store import save_candidates, save_evidence, save_links, save_manifest, save_vectors
from factlink.types import Attribute, Candidates, Follows, Kind, Links, Network

HOME = "http://127.0.0.1:8000"
K = 50
T = TypeVar("T")


def network(name: str, n: int, seed: int) -> Network:
    """Users with a name and a bio, each linked to five others."""
    random = np.random.default_rng(seed)
    rows, numbers = np.arange(n), pl.Series(np.arange(n).astype(str))
    names = "Person " + numbers
    bios = "Likes thing " + pl.Series((np.arange(n) % 997).astype(str)) + " and lives in town " + numbers
    ends = random.integers(0, n, (2, 5 * n)).astype(np.int32)
    ends = ends[:, ends[0] != ends[1]]
    attributes = {"name": Attribute(Kind.NAME, rows, names), "bio": Attribute(Kind.TEXT, rows, bios)}
    follows = Follows(ends[0], ends[1], np.ones(ends.shape[1], np.float32))
    return Network(name, f"{name[0]}" + numbers, attributes, {"follows": follows})


def make_run(folder: Path, n: int) -> None:
    """A run of n links."""
    random = np.random.default_rng(0)
    left, right = network("left", n, 1), network("right", n, 2)
    for side in (left, right):
        write_network(side, folder / side.name)
    rights = random.integers(0, n, (n, K)).astype(np.int32)
    rights[:, 0] = np.arange(n)
    scores = np.sort(random.random((n, K), np.float32), axis=1)[:, ::-1].copy()
    save_candidates(folder, Candidates(rights, scores))
    probabilities = random.beta(3, 1, n).astype(np.float32)
    decisions = np.where(probabilities > 0.6, 0, 1)
    margins = scores[:, 0] - scores[:, 1]
    links = Links(np.arange(n), rights[:, 0], scores[:, 0], probabilities, decisions, rights[:, 1], margins)
    save_links(folder, links, left, right)
    save_evidence(folder, evidence(left, right, random))
    save_vectors(folder, np.arange(500), *(random.standard_normal((500, 256)).astype(np.float32) for _ in range(2)))
    inputs = [
        Input(s.name, str(folder), n, len(s.links["follows"]), {"name": "name", "bio": "text"}, {})
        for s in (left, right)
    ]
    kept = {"pairs": MOST_PAIRS, "of": n, "agreement": 1.0, "friends": 1.0}
    notes = {"decision_rule": {"precision": 0.9, "one_to_one": True}, "channel_weights": [], "evidence": kept}
    save_manifest(folder, Manifest("factoid", {}, *inputs, 0, {"fitting": 1.0}, 1, "2026-01-01T00:00:00+00:00", notes))


def evidence(left: Network, right: Network, random: np.random.Generator) -> pl.DataFrame:
    """As much as a run keeps."""
    rows = np.repeat(np.arange(min(MOST_PAIRS, len(left))), PARTS_KEPT)
    frame = pl.DataFrame(
        {
            "left": left.users.gather(rows),
            "right": right.users.gather(rows),
            "kind": pl.Series(["name", "friends"]).gather(np.arange(len(rows)) % 2),
            "left_object": left.users.gather(rows),
            "right_object": right.users.gather(rows),
            "weight": random.standard_normal(len(rows)),
        }
    )
    told = frame.with_columns(predicate=pl.col("kind"), note=pl.lit("3 and 4 neighbours"))
    return told.select(pl.col(name).cast(dtype) for name, dtype in EVIDENCE.items())


def timed(what: str, work: Callable[[], T], rows: list[dict[str, object]]) -> T:
    """Runs something and adds how long it took."""
    wall, processor = time.perf_counter(), time.process_time()
    made = work()
    row = {"what": what, "seconds": time.perf_counter() - wall, "processor_seconds": time.process_time() - processor}
    rows.append({key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()})
    print(rows[-1], flush=True)
    return made


def review(folder: Path, rows: list[dict[str, object]]) -> None:
    """Loading, the first page, and the next pair after each of twenty judgements."""
    views = timed("load the run for review", lambda: ViewModels(folder), rows)
    door = Door(8000, "token")
    client = TestClient(make_app(views, ReviewSettings(), door), base_url=door.home)
    client.get("/queue?token=token")
    timed("first page", lambda: client.get("/queue"), rows)
    times, processor = [], []
    for _ in range(20):
        pair = client.get("/queue.json").json()["pair"]
        users = {"left": pair["left"]["user"], "right": pair["right"]["user"], "verdict": "match", "page": "queue"}
        start, busy = time.perf_counter(), time.process_time()
        answer = client.post("/judge", data=users, headers={"Origin": HOME})
        times.append(time.perf_counter() - start)
        processor.append(time.process_time() - busy)
        assert answer.status_code == 200, answer.text
    for what, of in (("median", np.median), ("slowest", np.max)):
        figures = {"seconds": round(float(of(times)), 3), "processor_seconds": round(float(of(processor)), 3)}
        rows.append({"what": f"judge and show the next pair, {what} of 20", **figures})


def main() -> None:
    """Measures and writes benchmarks/results/review.json."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make_run(folder, n)
        review(folder, rows)
        page = folder / "report.html"
        timed("report", lambda: write_report(folder, page, None), rows)
        rows.append({"what": "size of the report", "megabytes": round(page.stat().st_size / 1e6, 2)})
    rows.append({"what": "peak memory", "gigabytes": round(peak_memory_gb(), 2), "links": n})
    made = made_by(["factlink.report.page", "factlink.review.app"], made_up(f"{n} links, seeds 0, 1 and 2"))
    stamped = [{**row, "made": made} for row in rows]
    write_result("review", stamped, ["factlink", "polars", "starlette", "altair", "vl-convert-python"])
    fill_pages(blocks())


def blocks() -> list[Block]:
    """What a report of a large run costs, as a sentence."""
    result = read_result("review")
    rows = {row["what"]: row for row in result.rows}
    text = (
        f"A report of a run with {rows['peak memory']['links']:,} links takes "
        f"{rows['report']['processor_seconds']:.0f} processor seconds and is "
        f"{rows['size of the report']['megabytes']} MB large\n(`python benchmarks/review.py`). {result.note()}"
    )
    return [Block("docs/report.md", "large: benchmarks/review.py", text)]


if __name__ == "__main__":
    main()
