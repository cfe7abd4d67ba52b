"""factlink beside Splink (DuckDB) and GoldenMatch: time, memory, HR@1 and F1, each end to end in a process of its own.

    python benchmarks/peers.py 100000 congress dbp_fb "wikidata → twitter" [--limit 1800]

A number is so many made-up accounts on either side with a username and a screen name; a word is a set of real networks,
looked for where FACTLINK_DATA points, else in ../shared/data. Every tool is given the same two files of ids and names;
factlink also the real networks as they are, links included, which the others have no use for. The peers are installed
from the package index into build/peers, never beside factlink. Sets named are measured anew, the others keep their
last figures; the table goes into docs/peers.md.

HR@1 is over all left users that truth names; an exact tie at the top is no hit. F1 is over decided links, one for each
left user (the best that the tool itself would link), and links of users whom truth does not name count as wrong.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from machine import DATA, MAKING_UP, ROOT, Row, files, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table
from quality import SETS, factlink

from factlink.data.files import write_network
from factlink.data.pairs import write_pairs
from factlink.synthetic.dials import Dials, LinkDials, Population
from factlink.synthetic.worlds import twins

HERE = Path(__file__).parent
PAGES = ("docs/peers.md",)
ENVIRONMENT = ROOT / "build" / "peers"
PEERS = ("splink", "goldenmatch")
NAMES = {"congress": ("name", "display_name"), "dbp_fb": ("name", "name"), "wikidata → twitter": ("name", "name")}
"""The column of names, left and right, of each real set."""

TOOLS = {
    "factlink": "**factlink**",
    "factlink, links too": "**factlink**, links and all columns",
    "splink": "Splink",
    "goldenmatch": "GoldenMatch, zero-config",
    "goldenmatch, configured": "GoldenMatch, configured by hand",
}


@dataclass(frozen=True, slots=True)
class Used:
    """What a process cost, or that it was stopped."""

    seconds: float
    processor_seconds: float
    memory_gb: float
    ended: str  # done, stopped, failed


def run(command: list[str], limit: float) -> Used:
    """Runs a command to its end or to the limit, in seconds; memory is the most that one of its processes held."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    timer = threading.Timer(limit, process.kill)
    timer.start()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    stopped = not timer.is_alive()
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    ended = "stopped" if stopped else "failed" if process.returncode else "done"
    return Used(round(seconds, 1), round(used.ru_utime + used.ru_stime, 1), round(used.ru_maxrss / 2**20, 2), ended)


def peers_python() -> str:
    """An interpreter that has the peers; made at the first call."""
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PEERS], check=True)
    return str(python)


def peer_versions() -> dict[str, str]:
    """The version of every peer, and of what it computes with."""
    names = [*PEERS, "duckdb", "pyarrow"]
    tell = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
    told = subprocess.run([peers_python(), "-c", tell, *names], check=True, capture_output=True, text=True).stdout
    return dict(zip(names, told.split(), strict=True))


def dials(n: int) -> Dials:
    """n accounts on either side, with names alone."""
    population = Population(people=round(n / 0.8), users=(n, n), predicates=("username", "screen_name"))
    return Dials(population, links=LinkDials(mean=0))


def make_up(n: int, folder: Path) -> None:
    """The accounts and who is who, as files."""
    world = twins(dials(n))
    for network in world.networks:
        write_network(network, folder / network.name)
    write_pairs(world.truth("left", "right"), folder / "truth.parquet", *world.networks)


def copy_names(name: str, folder: Path) -> None:
    """Ids and names of a real set, under one name of column."""
    *sides, truth = SETS[name]
    for side, path, column in zip(("left", "right"), sides, NAMES[name], strict=True):
        users = pl.read_parquet(DATA / path / "users.parquet").select("id", name=column)
        (folder / side).mkdir()
        users.write_parquet(folder / side / "users.parquet")
    pl.read_parquet(DATA / truth).select("left", "right").write_parquet(folder / "truth.parquet")


def command_of(tool: str, left: str, right: str, out: str) -> list[str]:
    """How a tool is called; factlink writes a run, the others a file of pairs."""
    if tool.startswith("factlink"):
        return [sys.executable, "-m", "factlink", "link", left, right, "-o", out]
    peer, *way = tool.split(", ")
    return [peers_python(), str(HERE / f"peer_{peer}.py"), left, right, out, *way]


def measure(tool: str, folder: Path, name: str, limit: float) -> Row:
    """One tool on one set."""
    sides = [str(folder / side) for side in ("left", "right")]
    if tool == "factlink, links too":
        sides = [str(DATA / side) for side in SETS[name][:2]]
    with tempfile.TemporaryDirectory() as place:
        used = run(command_of(tool, *sides, f"{place}/out"), limit)
        scores = scores_of(Path(place) / "out", folder / "truth.parquet") if used.ended == "done" else {}
    figures = {name: getattr(used, name) for name in Used.__slots__}
    return {"set": name, "tool": tool, **figures, "limit": limit, **scores, "made": provenance_of(tool, name)}


def provenance_of(tool: str, name: str) -> dict[str, object]:
    """What makes a tool's figures on a set: its code or its settings, and the data."""
    own = tool.startswith("factlink")
    entries = list(linking("factoid")) if own else [f"benchmarks/peer_{tool.split(', ', maxsplit=1)[0]}.py"]
    if name.isdigit():
        return made_by([*entries, MAKING_UP], made_up(dials(int(name))))
    return made_by(entries, files(*SETS[name]))


def scores_of(out: Path, place: Path) -> dict[str, object]:
    """HR@1, and precision, recall and F1 of the decided links; `place` is the truth's."""
    truth = pl.read_parquet(place)
    n_users = truth["left"].n_unique()
    if out.is_dir():
        hits = float(str(factlink("evaluate", str(out), str(place))["hr@1"]))
        linked = pl.read_parquet(out / "links.parquet").filter(pl.col("decision") == "link")
    else:
        ranked = pl.read_parquet(out)
        hits = first_hits(ranked, truth) / n_users
        linked = ranked.filter("linked").sort("score", "right", descending=True).unique("left", keep="first")
    right = len(linked.join(truth, on=["left", "right"], how="semi"))
    precision, recall = right / max(len(linked), 1), right / n_users
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return {
        "hr@1": round(hits, 4),
        "f1": round(f1, 4),
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "links": len(linked),
    }


def first_hits(ranked: pl.DataFrame, truth: pl.DataFrame) -> int:
    """How many left users have a true right user alone at the top."""
    best = ranked.filter(pl.col("score") == pl.col("score").max().over("left"))
    alone = best.filter(pl.len().over("left") == 1)
    return len(alone.join(truth, on=["left", "right"], how="semi"))


def blocks() -> list[Block]:
    """Every tool on every set, made-up ones first."""
    result = read_result("peers")
    order = {tool: place for place, tool in enumerate(TOOLS)}
    rows = sorted(result.rows, key=lambda row: (not row["set"].isdigit(), row["set"].zfill(9), order[row["tool"]]))
    lines = [
        "| " + " | ".join([_title(row["set"]), result.label(TOOLS[row["tool"]], row), *_cells(row)]) + " |"
        for row in rows
    ]
    text = table(["set", "tool", "HR@1", "F1", "seconds", "processor seconds", "memory, GB"], lines, result.note())
    return [Block(page, "peers: benchmarks/peers.py", text) for page in PAGES]


def _cells(row: Row) -> list[str]:
    """Scores and costs; no scores where the tool did not end."""
    scores = [f"{row[key]:.3f}" if key in row else "–" for key in ("hr@1", "f1")]
    busy = row["processor_seconds"] < row["seconds"] / 2  # it waited for other work most of the time
    seconds = {
        "done": "busy machine" if busy else f"{row['seconds']}",
        "stopped": f"stopped at {row['limit']:.0f}",
        "failed": "failed",
    }
    return [*scores, seconds[row["ended"]], str(row["processor_seconds"]), str(row["memory_gb"])]


def _title(name: str) -> str:
    return f"{int(name):,} + {int(name):,} made-up names" if name.isdigit() else f"{name}, names"


def main() -> None:
    """Measures the sets named and writes the result and the tables."""
    words = argparse.ArgumentParser()
    words.add_argument("sets", nargs="*")
    words.add_argument("--limit", type=float, default=1800, help="seconds that a tool is given")
    words.add_argument("--tools", default=";".join(TOOLS), help="separated by ;")
    asked = words.parse_args()
    for name in asked.sets:
        with tempfile.TemporaryDirectory() as place:
            make_up(int(name), Path(place)) if name.isdigit() else copy_names(name, Path(place))
            for tool in asked.tools.split(";"):
                if tool == "factlink, links too" and name.isdigit():
                    continue
                kept = [row for row in read_result("peers").rows if (row["set"], row["tool"]) != (name, tool)]
                found = measure(tool, Path(place), name, asked.limit)
                print({key: value for key, value in found.items() if key != "made"}, flush=True)
                write_result("peers", [*kept, found], ["factlink", "numpy", "numba", "polars"], peer_versions())
    fill_pages(blocks())


if __name__ == "__main__":
    main()
