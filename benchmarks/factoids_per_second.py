"""Speed of factoid embedding, and how it grows: python benchmarks/factoids_per_second.py.

Compilation is done before the clock starts. On a busy machine run one thread (NUMBA_NUM_THREADS=1) and read processor
seconds: threads that wait for each other count as busy.
"""

import os
import time
from dataclasses import asdict, dataclass, replace

import numba
import numpy as np
import polars as pl
from machine import Row, made_by, made_up, peak_memory_gb, write_result
from pages import Block, fill_pages, read_result

from factlink.embedding.settings import LinkSettings, NegativeSampling, Settings, Training
from factlink.embedding.training.sgd import embed_factoids
from factlink.types import FactoidTable, Follows, Has, Kind, Objects


@dataclass(frozen=True)
class Job:
    """One measurement."""

    users: int = 40_000
    links: int = 200_000
    attributes: int = 1
    dim: int = 128
    count: int = 5
    pool: int = 0
    passes: int = 1


RUNS = 3
USUAL = Job()
PAPER = Job(users=37_383, links=390_168, attributes=3, dim=256, count=1, pool=64)
JOBS = [
    USUAL,
    *(replace(USUAL, users=users) for users in (80_000, 160_000)),
    *(replace(USUAL, links=links) for links in (400_000, 800_000)),
    *(replace(USUAL, dim=dim) for dim in (64, 256)),
    *(replace(USUAL, count=count) for count in (10, 20)),
    replace(USUAL, pool=64),
    PAPER,
]


def random_factoids(job: Job) -> tuple[FactoidTable, dict[str, np.ndarray]]:
    """Random factoids of the wanted sizes."""
    random = np.random.default_rng(0)
    rows = np.arange(job.users, dtype=np.int32)
    names = [f"attribute {i}" for i in range(job.attributes)]
    values = pl.Series([str(row) for row in rows])
    ends = random.integers(0, job.users, (2, job.links), np.int32)
    table = FactoidTable(
        job.users,
        {"left": rows[: job.users // 2], "right": rows[job.users // 2 :]},
        {name: Objects(Kind.NAME, values) for name in names},
        {name: Has(rows, rows) for name in names},
        {"follows": Follows(ends[0], ends[1], np.ones(job.links, np.float32))},
    )
    return table, {name: random.standard_normal((job.users, job.dim), np.float32) for name in names}


def _seconds(table: FactoidTable, vectors: dict[str, np.ndarray], settings: Settings) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    embed_factoids(table, vectors, settings)
    return time.perf_counter() - wall, time.process_time() - cpu


def measure(job: Job) -> Row:
    """Wall and CPU seconds of the fastest of three runs, factoids per second, peak memory so far."""
    table, vectors = random_factoids(job)
    training = Training(dim=job.dim, passes=job.passes, warm_passes=0)
    settings = Settings(training, negatives=NegativeSampling(job.count, job.pool), links=LinkSettings(weight=1.0))
    wall, cpu = min(_seconds(table, vectors, settings) for _ in range(RUNS))
    factoids = job.passes * (2 * job.links + job.attributes * job.users)
    return {
        "seconds": round(wall, 2),
        "cpu_seconds": round(cpu, 2),
        "factoids": factoids,
        "factoids_per_second": round(factoids / wall),
        "factoids_per_cpu_second": round(factoids / cpu),
        "peak_gb_so_far": round(peak_memory_gb(), 2),
        "threads": numba.get_num_threads(),
        "load": round(os.getloadavg()[0], 1),
        "made": made_by(["factlink.embedding.training.sgd"], made_up(f"{job}, seed 0")),
    }


def main() -> None:
    """Prints a line per job and keeps them all."""
    measure(Job(users=2_000, links=5_000))
    measure(Job(users=2_000, links=5_000, pool=64))
    rows: list[Row] = []
    for job in JOBS:
        rows.append(asdict(job) | measure(job))
        print(rows[-1], flush=True)
    write_result("factoids_per_second", rows, ["factlink", "numba", "numpy"])
    fill_pages(blocks())


def blocks() -> list[Block]:
    """Speed and cost of the usual job, a larger one, and one of the paper's size, as sentences."""
    result = read_result("factoids_per_second")
    usual, large, paper = (_row_of(job, result.rows) for job in (USUAL, replace(USUAL, users=160_000), PAPER))
    text = (
        f"Speed (`python benchmarks/factoids_per_second.py`), two cores: {usual['factoids_per_second']:,} factoids "
        f"per second\nat dim {usual['dim']}, K = {usual['count']}, and {large['factoids_per_second']:,} with "
        f"{large['users']:,} users instead of {usual['users']:,}, where vectors\nno longer fit into the cache. "
        f"A pass over a job of the paper's size ({paper['users']:,} users, {paper['links']:,} links\n"
        f"in both directions, three attributes, dim {paper['dim']}) takes {paper['seconds']} seconds and "
        f"{paper['peak_gb_so_far']} GB.\n"
        f"{result.note([usual, large, paper])}"
    )
    return [Block("docs/factoid-embedding.md", "speed: benchmarks/factoids_per_second.py", text)]


def _row_of(job: Job, rows: list[Row]) -> Row:
    return next(row for row in rows if asdict(job).items() <= row.items())


if __name__ == "__main__":
    main()
