"""What linking two networks will cost, before anything heavy runs: sizes, measured rates, a probe of this machine."""

import re
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from factlink.data.kinds import NO_KINDS
from factlink.data.sizes import Size, measure_size, size_of
from factlink.errors import SettingError
from factlink.execution.memory import check_address_space, free_memory
from factlink.execution.out_of_core import OutOfCoreWorkers
from factlink.execution.workers import Workers
from factlink.linkers.factoid.name_steps import EXACT_PAIRS
from factlink.runs.inputs import Inputs, LinkRequest, read_early
from factlink.types import Kind

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_WORDS = (Kind.TEXT, Kind.LOCATION, Kind.CATEGORY, Kind.DATE, Kind.NUMBER)


@dataclass(frozen=True, slots=True)
class Rates:
    """What the default linker took where it was measured, in all and per unit of work."""

    start: float
    user: float
    name: float
    text: float  # or another object that is not a name
    link: float

    def of(self, sizes: tuple[Size, Size]) -> float:
        """What networks of these sizes take."""
        users, links = sum(size.users for size in sizes), sum(size.links for size in sizes)
        names, texts = _values(sizes, (Kind.NAME,)), _values(sizes, _WORDS)
        return self.start + self.user * users + self.name * names + self.text * texts + self.link * links


SECONDS = Rates(start=5.0, user=3.2e-4, name=7e-5, text=4e-5, link=7e-6)  # see benchmarks/results/growth.json
BYTES = Rates(start=1.2e9, user=12_000, name=2000, text=900, link=140)
LEAST_BYTES = Rates(start=8e8, user=13_500, name=2000, text=100, link=140)  # in small parts, matrices on disk
LARGE = 8_000_000_000
"""Bytes from which matrices are on disk even if memory would suffice."""

_SMALL_PARTS = 32  # into which work out of core is cut


@dataclass(frozen=True, slots=True)
class Plan:
    """What to expect of `factlink link` with default settings."""

    left: Size
    right: Size
    search: str  # how candidates will be found
    seconds: float
    memory_bytes: int
    least_memory_bytes: int  # done in small parts, see --memory
    disk_bytes: int
    pace: float  # how many times slower this machine is now than the one the rates were measured on

    def as_json(self) -> dict[str, Any]:
        """Figures under the names that scripts use."""
        return asdict(self)


def plan_request(request: LinkRequest, inputs: Inputs | None = None, pace: float | None = None) -> Plan:
    """What a request will cost; its inputs, if they were read already."""
    inputs = inputs or read_early(request)
    if inputs is None:
        return plan_link(Path(str(request.left)), Path(str(request.right)), request.kinds, pace)
    left, right = (size_of(reading.network) for reading in inputs.readings)
    return plan_sizes((left, right), pace)


def plan_link(left: Path, right: Path, kinds: Mapping[str, str] = NO_KINDS, pace: float | None = None) -> Plan:
    """Expected time, peak memory and disk of linking two folders; a probe of about a second gives the pace."""
    return plan_sizes((measure_size(left, kinds), measure_size(right, kinds)), pace)


def plan_sizes(sizes: tuple[Size, Size], pace: float | None = None) -> Plan:
    """The same of networks of these sizes."""
    pace = probe_pace() if pace is None else pace
    return Plan(
        *sizes,
        "every pair" if sizes[0].users * sizes[1].users <= EXACT_PAIRS else "rare n-grams",
        SECONDS.of(sizes) * pace,
        round(BYTES.of(sizes)),
        round(LEAST_BYTES.of(sizes)),
        round(1.4 * sum(size.file_bytes for size in sizes) + 300 * sizes[0].users),
        pace,
    )


def workers_within(request: LinkRequest, limit: str = "", inputs: Inputs | None = None) -> Workers | None:
    """Who links in the memory given, or else in what is free: None where that is plenty, out of core where it is not.

    Refuses, before anything heavy runs, what would not fit either way.
    """
    most = parse_bytes(limit) if limit else free_memory()
    plan = plan_request(request, inputs, pace=1.0)
    check_address_space(plan.least_memory_bytes)
    if plan.memory_bytes <= min(most, LARGE):
        return None
    if plan.least_memory_bytes <= most:
        return OutOfCoreWorkers(_SMALL_PARTS, request.out.parent)
    raise SettingError(
        f"linking {plan.left.users:,} + {plan.right.users:,} users needs at least about "
        f"{plan.least_memory_bytes / 1e9:.1f} GB of memory, more than the {most / 1e9:.1f} GB "
        f"{'given' if limit else 'free'}; raise --memory, leave columns out (--kind COLUMN=ignore) or link parts of "
        "the networks"
    )


def probe_pace() -> float:
    """Seconds that a fixed piece of work takes now over those where the rates were measured, at best of three."""
    return min(_probe_seconds() for _ in range(3)) / PROBE_SECONDS


PROBE_SECONDS = 0.027
"""What the probe took on two cores where the rates were measured, with nothing else running."""


def _probe_seconds() -> float:
    rng = np.random.default_rng(0)
    numbers, matrix = rng.random(1_000_000), rng.random((500, 500))
    start = time.perf_counter()
    request = np.argsort(numbers)
    numbers[request].cumsum()
    for _ in range(4):
        matrix = matrix @ matrix.T / 500
    return time.perf_counter() - start


def _values(sizes: tuple[Size, Size], kinds: tuple[Kind, ...]) -> int:
    return sum(size.values.get(kind, 0) for size in sizes for kind in kinds)


def parse_bytes(text: str) -> int:
    """A number of bytes: 8GB, 500 MB, 1.5G or a plain number."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if not found or float(found[1]) == 0:
        raise SettingError(f"--memory takes a size such as 8GB or 500MB, found '{text}'")
    return round(float(found[1]) * _UNITS[found[2].upper()])
