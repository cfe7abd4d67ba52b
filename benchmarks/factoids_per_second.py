"""Speed of factoid embedding, and how it grows: python benchmarks/factoids_per_second.py [--json]."""

import json
import resource
import sys
import time
from dataclasses import asdict, dataclass

import numpy as np
import polars as pl

from factlink.embedding.settings import Fakes, Links, Settings, Training
from factlink.embedding.sgd import embed_factoids
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
    passes: int = 2


PAPER = Job(users=37_383, links=390_168, attributes=3, dim=256, count=1, pool=64)
JOBS = [
    Job(),
    Job(pool=64),
    Job(users=80_000),
    Job(links=400_000),
    Job(dim=256),
    Job(count=10),
    PAPER,
]


def made_up(job: Job) -> tuple[FactoidTable, dict[str, np.ndarray]]:
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


def measure(job: Job) -> dict[str, float]:
    """Wall and CPU seconds, factoids per second, peak memory so far."""
    table, vectors = made_up(job)
    training = Training(dim=job.dim, passes=job.passes, warm_passes=0)
    settings = Settings(training, fakes=Fakes(job.count, job.pool), links=Links(weight=1.0))
    wall, cpu = time.perf_counter(), time.process_time()
    embed_factoids(table, vectors, settings)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    factoids = job.passes * (2 * job.links + job.attributes * job.users)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return {"seconds": wall, "cpu_seconds": cpu, "factoids_per_second": factoids / wall, "peak_gb": peak}


def main() -> None:
    """Prints one line per job."""
    measure(Job(users=2_000, links=5_000))
    measure(Job(users=2_000, links=5_000, pool=64))
    for job in JOBS:
        found = measure(job)
        if "--json" in sys.argv:
            print(json.dumps(asdict(job) | found))
        else:
            print(
                f"{job}: {found['factoids_per_second']:,.0f} factoids/s, {found['seconds']:.1f} s "
                f"({found['cpu_seconds']:.1f} CPU s), {found['peak_gb']:.2f} GB"
            )


if __name__ == "__main__":
    main()
