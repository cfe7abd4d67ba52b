"""How fast `factlink serve` answers, over loopback, and whether it answers as `factlink add` does.

    python benchmarks/serve.py --people 20000 --seconds 20

Makes up two networks, links them without the last `--new` left users, starts the service and asks about those, one
after another from each of `--clients` clients. Writes `results/serve.json`, one row for each size. `--run FOLDER` keeps
the networks and the run there for another time.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
import polars as pl
import psutil
from add_users import dials, make_homes
from machine import MAKING_UP, RESULTS, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result

from factlink.linkers.factoid.linker import FactoidLinker
from factlink.runs.adding import AddRequest, add_users
from factlink.runs.inputs import LinkRequest
from factlink.runs.making import make_run
from factlink.serve.accounts import MOST_LINKS, question_of, tables_of

COMPARED = 20


def main() -> None:
    """Measures one size and writes its row."""
    options = parse_options()
    place = options.run or Path(tempfile.mkdtemp())
    if not (place / "run").exists():
        make_homes(place, options.people, options.new)
        make_run(LinkRequest(place / "left-old", place / "right", place / "run"), FactoidLinker(), print)
    accounts = read_accounts(place / "left-new")
    started = time.perf_counter()
    command = [sys.executable, "-m", "factlink", "serve", str(place / "run"), "--json"]
    with (place / "log").open("w") as log:
        server = subprocess.Popen(
            [*command, "--workers", str(options.workers), "--rate", "1e9"], stdout=subprocess.PIPE, stderr=log
        )
        try:
            assert server.stdout is not None
            shown = json.loads(server.stdout.readline())
            while (place / "log").read_text().count('"ready": true') < options.workers:
                time.sleep(0.2)
            ready = time.perf_counter() - started
            row = measure(shown, server.pid, accounts, options)
            together = ask(shown, {"accounts": accounts[:COMPARED], "together": True})[1]["answers"]
        finally:
            server.terminate()
            server.wait(60)
    row |= {"people": options.people, "workers": options.workers, "clients": options.clients}
    row |= {"ready_seconds": round(ready, 1), "other_answers_than_add": other_answers(place, accounts, together)}
    entries = [*linking("factoid"), "factlink.runs.placing", "factlink.serve.app", MAKING_UP]
    row["made"] = made_by(entries, made_up(dials(options.people)))
    old = json.loads((RESULTS / "serve.json").read_text("utf-8"))["rows"] if (RESULTS / "serve.json").exists() else []
    key = (row["people"], row["workers"])
    kept = [each for each in old if (each["people"], each["workers"]) != key]
    write_result("serve", [*kept, row], ["numpy", "faiss-cpu", "polars", "starlette", "uvicorn"])
    print(row)
    fill_pages(blocks())


def blocks() -> list[Block]:
    """What a lookup costs, as a table."""
    result = read_result("serve")
    lines = [
        "| people | workers | p50 | p95 | lookups per second and core | memory | answers unlike `factlink add` |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in result.rows:
        label = result.label(f"{row['people']:,}", row)
        times = f"{row['p50_ms']:.0f} ms | {row['p95_ms']:.0f} ms | {row['lookups_per_core_second']:.1f}"
        unlike = f"{row['other_answers_than_add']} of {COMPARED}"
        lines.append(f"| {label} | {row['workers']} | {times} | {row['memory_gb']:.1f} GB | {unlike} |")
    lines.append(f"\nMeasured on a machine that others used too, which p50 and p95 show.\n{result.note()}")
    return [Block("docs/serve.md", "serving: benchmarks/serve.py", "\n".join(lines).rstrip())]


def parse_options() -> argparse.Namespace:
    """The size to measure, and how."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--people", type=int, default=20_000)
    parser.add_argument("--new", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--run", type=Path)
    return parser.parse_args()


def read_accounts(folder: Path) -> list[dict[str, Any]]:
    """New users with their links to users of the run, as they are asked about."""
    users, links = pl.read_parquet(folder / "users.parquet"), pl.read_parquet(folder / "links.parquet")
    new = set(users["id"])
    followees = links.filter(pl.col("source").is_in(new), ~pl.col("target").is_in(new))
    followers = links.filter(pl.col("target").is_in(new), ~pl.col("source").is_in(new))
    accounts = []
    for user in users.to_dicts():
        mine = [{"followee": other} for other in followees.filter(pl.col("source") == user["id"])["target"]]
        mine += [{"follower": other} for other in followers.filter(pl.col("target") == user["id"])["source"]]
        attributes = {name: held for name, held in user.items() if name != "id" and held is not None}
        accounts.append({"id": user["id"], "attributes": attributes, "links": mine[:MOST_LINKS]})
    return accounts


def ask(shown: dict[str, str], body: object) -> tuple[float, Any]:
    """Seconds until the answer, and the answer."""
    headers = {"Authorization": f"Bearer {shown['token']}", "Content-Type": "application/json"}
    start = time.perf_counter()
    with urlopen(Request(f"{shown['url']}/v1/lookup", json.dumps(body).encode(), headers), timeout=120) as answer:
        found = json.load(answer)
    return time.perf_counter() - start, found


def measure(
    shown: dict[str, str], pid: int, accounts: list[dict[str, Any]], options: argparse.Namespace
) -> dict[str, Any]:
    """Latencies, rates, processor time and memory of the service under load."""
    seconds: list[float] = []
    end = time.monotonic() + options.seconds

    def load(first: int) -> None:
        at = first
        while time.monotonic() < end:
            seconds.append(ask(shown, {"account": accounts[at % len(accounts)]})[0])
            at += options.clients

    before, start = processor_seconds(pid), time.perf_counter()
    threads = [threading.Thread(target=load, args=(first,)) for first in range(options.clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wall, used = time.perf_counter() - start, processor_seconds(pid) - before
    quantiles = {f"p{q}_ms": round(1_000 * float(np.quantile(seconds, q / 100)), 1) for q in (50, 95, 99)}
    return {
        "lookups": len(seconds),
        **quantiles,
        "lookups_per_second": round(len(seconds) / wall, 1),
        "processor_ms_per_lookup": round(1_000 * used / len(seconds), 1),
        "lookups_per_core_second": round(len(seconds) / used, 1),
        "memory_gb": round(memory_gb(pid), 2),
    }


def family(pid: int) -> list[psutil.Process]:
    """The service and its workers."""
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def processor_seconds(pid: int) -> float:
    """What all processes of the service have used."""
    return float(sum(each.cpu_times().user + each.cpu_times().system for each in family(pid)))


def memory_gb(pid: int) -> float:
    """What all processes hold together, shared pages counted once for each of their users' shares."""
    return float(sum(each.memory_full_info().pss for each in family(pid)) / 2**30)


def other_answers(place: Path, accounts: list[dict[str, Any]], together: list[dict[str, Any]]) -> int:
    """In how many of some accounts the answer differs from what `factlink add` does with them."""
    for name in ("grown", "asked"):
        shutil.rmtree(place / name, ignore_errors=True)
    shutil.copytree(place / "run", place / "grown")
    (place / "asked").mkdir()
    tables = tables_of(question_of({"accounts": accounts[:COMPARED]}).accounts)
    tables.users.write_parquet(place / "asked" / "users.parquet")
    if tables.links is not None:
        tables.links.write_parquet(place / "asked" / "links.parquet")
    outcomes = add_users(AddRequest(place / "grown", place / "asked"), lambda stage: None).outcomes.to_dicts()
    pairs = zip(together, outcomes, strict=True)
    return sum((mine["partner"], mine["decision"]) != (theirs["partner"], theirs["decision"]) for mine, theirs in pairs)


if __name__ == "__main__":
    main()
