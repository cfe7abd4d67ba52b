"""What a run is made from: the request, the two networks and the pairs that are known or judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from factlink.canonical.orders import Orders
from factlink.data.frames import Reading
from factlink.data.pairs import read_known
from factlink.data.protocol import SourceOptions
from factlink.data.sizes import is_measurable
from factlink.data.sources.networks import NO_OPTIONS, read_networks
from factlink.decision.overrides import EarlierLinks, Overrides
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import KNOWN
from factlink.types import NO_PAIRS, Pairs


@dataclass(frozen=True, slots=True)
class LinkRequest:
    """What to link, and where the run goes."""

    left: object  # a source: a folder, a file, an address
    right: object
    out: Path
    known: Path | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    drop_dangling: bool = False
    overwrite: bool = False
    half: bool = False  # vectors are kept in float16
    options: tuple[SourceOptions, SourceOptions] = (NO_OPTIONS, NO_OPTIONS)  # left, right


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What a run is made from."""

    readings: Sequence[Reading]  # left, right
    known: Pairs = NO_PAIRS  # judged matches are among them
    matches: Pairs = NO_PAIRS  # judged: linked whatever their scores
    refused: Pairs = NO_PAIRS  # judged: never linked
    earlier: EarlierLinks | None = None  # of the run that is linked again
    judgements: pl.DataFrame | None = None  # to be kept with the run

    @property
    def within(self) -> bool:
        """Whether pairs within one network are asked for: left and right are the same reading."""
        return self.readings[0] is self.readings[1]

    def overrides(self, orders: Orders) -> Overrides:
        """What overrules the linker, in rows in canonical order."""
        earlier = None if self.earlier is None else _in_order(self.earlier, orders)
        return Overrides(orders.pairs(self.known), orders.pairs(self.matches), orders.pairs(self.refused), earlier)


def _in_order(earlier: EarlierLinks, orders: Orders) -> EarlierLinks:
    lefts, rights = orders.left.places[earlier.pairs.lefts], orders.right.places[earlier.pairs.rights]
    return EarlierLinks(Pairs(lefts, rights), earlier.probabilities)


def read_inputs(request: LinkRequest) -> Inputs:
    """The two networks and the known pairs that a request names."""
    sources, kinds = (request.left, request.right), request.kinds
    readings = read_networks(sources, kinds=kinds, drop_dangling=request.drop_dangling, options=request.options)
    left, right = (reading.network for reading in readings)
    return Inputs(readings, read_known(request.known, left, right) if request.known else NO_PAIRS)


def read_early(request: LinkRequest) -> Inputs | None:
    """The inputs, if their sizes are not known without reading them; then they are not read a second time."""
    measurable = all(map(is_measurable, (request.left, request.right)))
    return None if measurable and not any(said.says_anything for said in request.options) else read_inputs(request)


def reread_inputs(run: Path, manifest: Manifest) -> Inputs:
    """What a finished run was made from, as it keeps it: networks under the names they were first read by."""
    sides = (manifest.left, manifest.right)
    readings = [
        replace(reading, network=replace(reading.network, name=side.name))
        for reading, side in zip(read_networks([run / "left", run / "right"]), sides, strict=True)
    ]
    if manifest.within:
        readings = [readings[0], readings[0]]
    left, right = (reading.network for reading in readings)
    return Inputs(readings, read_known(run / KNOWN, left, right) if (run / KNOWN).exists() else NO_PAIRS)
