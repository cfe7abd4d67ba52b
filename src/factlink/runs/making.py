"""The main job: two network folders in, a run folder out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from factlink.data.files import read_networks, write_network
from factlink.data.frames import Reading
from factlink.data.pairs import read_pairs
from factlink.linkers.settings import settings_of
from factlink.matching.links import best_links
from factlink.matching.neighbours import best_candidates
from factlink.runs.manifest import Input, Manifest, Stopwatch, checksums, peak_memory_bytes
from factlink.runs.store import check_writable, save_candidates, save_links, save_manifest, unfinished_run
from factlink.types import NO_PAIRS, Linker, Links

DEPTH = 50
"""Candidates kept per left user: enough for HR@30, and past it MRR moves by less than 1/50 of a share."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to link, and where the run goes."""

    left: Path
    right: Path
    out: Path
    known: Path | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    drop_dangling: bool = False
    overwrite: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A run just made, with what a person wants to see of it."""

    order: Order
    manifest: Manifest
    readings: Sequence[Reading]  # left, right
    links: Links


def make_run(order: Order, linker: Linker, on_stage: Callable[[str], None] = lambda stage: None) -> Made:
    """Reads, fits, links and saves; nothing is written before the inputs have proved sound."""
    watch = Stopwatch(on_stage)
    check_writable(order.out, overwrite=order.overwrite)
    with watch.stage("reading"):
        readings = read_networks([order.left, order.right], kinds=order.kinds, drop_dangling=order.drop_dangling)
        left, right = (reading.network for reading in readings)
        known = read_pairs(order.known, left, right) if order.known else NO_PAIRS
    with watch.stage("fitting"):
        scorer = linker.fit(left, right, known)
    with watch.stage("matching"):
        candidates = best_candidates(scorer, DEPTH)
        links = best_links(candidates)
    with unfinished_run(order.out) as folder:
        with watch.stage("saving"):
            write_network(left, folder / "left")
            write_network(right, folder / "right")
            save_candidates(folder, candidates)
            save_links(folder, links, left, right)
        manifest = _manifest(order, linker, readings, len(known), watch)
        save_manifest(folder, manifest)
    return Made(order, manifest, readings, links)


def _manifest(order: Order, linker: Linker, readings: Sequence[Reading], n_known: int, watch: Stopwatch) -> Manifest:
    left, right = (_input(reading, path) for reading, path in zip(readings, (order.left, order.right), strict=True))
    return Manifest(
        linker=linker.name,
        settings=settings_of(linker),
        left=left,
        right=right,
        known_pairs=n_known,
        seconds=watch.seconds,
        peak_memory_bytes=peak_memory_bytes(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _input(reading: Reading, path: Path) -> Input:
    network = reading.network
    kinds = {predicate: attribute.kind.value for predicate, attribute in network.attributes.items()}
    n_links = sum(map(len, network.links.values()))
    return Input(network.name, str(path), len(network), n_links, kinds, checksums(path))
