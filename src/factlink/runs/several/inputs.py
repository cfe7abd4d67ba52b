"""What a run of three networks or more is made from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

from factlink.data.frames import Reading
from factlink.data.protocol import SourceOptions
from factlink.data.several_pairs import read_several_pairs
from factlink.data.sources.networks import read_networks
from factlink.errors import SettingError
from factlink.runs.folder.several import Places, SeveralManifest, pair_folder, place_pair
from factlink.runs.folder.store import load_manifest
from factlink.runs.inputs import Inputs, reread_inputs
from factlink.types import NO_PAIRS, Network, Pairs


@dataclass(frozen=True, slots=True)
class SeveralRequest:
    """What to link, and where the run goes."""

    sources: Sequence[object]  # folders, files, addresses
    out: Path
    pairs: Sequence[str] = ()  # A:B of networks to link with each other; all pairs if there are none
    known: Path | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    drop_dangling: bool = False
    overwrite: bool = False
    half: bool = False  # vectors are kept in float16
    options: Sequence[SourceOptions] | None = None  # by network
    within: Sequence[str] = ()  # networks in which a person may have several accounts


@dataclass(frozen=True, slots=True, eq=False)
class SeveralInputs:
    """The networks, and for every pair of them that is linked what is known and judged."""

    readings: Sequence[Reading]
    pairs: Mapping[Places, Inputs]

    @property
    def networks(self) -> list[Network]:
        """As read."""
        return [reading.network for reading in self.readings]

    @property
    def known(self) -> dict[Places, Pairs]:
        """Known pairs, by those networks that have some."""
        return {pair: inputs.known for pair, inputs in self.pairs.items() if len(inputs.known)}


def read_several(request: SeveralRequest) -> SeveralInputs:
    """The networks and the known pairs that a request names."""
    readings = read_networks(
        request.sources, kinds=request.kinds, drop_dangling=request.drop_dangling, options=request.options
    )
    networks = [reading.network for reading in readings]
    places = choose_places(request.pairs, [network.name for network in networks])
    known = read_several_pairs(request.known, networks) if request.known else {}
    unlinked = [pair for pair in known if pair not in places]
    if unlinked:
        first, second = (networks[place].name for place in unlinked[0])
        raise SettingError(f"{request.known} has pairs of {first} and {second}, which are not linked; see --pairs")
    within = choose_within(request.within, [network.name for network in networks])
    parts = {pair: _part(pair, readings, known) for pair in [*several_left(places, within), *within]}
    return SeveralInputs(readings, parts)


def _part(pair: Places, readings: Sequence[Reading], known: Mapping[Places, Pairs]) -> Inputs:
    """Two networks, with their known pairs, whichever of them those name first."""
    given = known.get(pair, NO_PAIRS)
    if pair[::-1] in known:
        given = Pairs(known[pair[::-1]].rights, known[pair[::-1]].lefts)
    return Inputs((readings[pair[0]], readings[pair[1]]), given)


def several_left(places: Sequence[Places], within: Sequence[Places]) -> list[Places]:
    """The pairs, those of one network with several accounts of a person and one without turned: the former is left.

    Several left users may have one right partner, not the other way round.
    """
    own = {place for place, _ in within}
    return [pair[::-1] if pair[1] in own and pair[0] not in own else pair for pair in places]


def choose_within(within: Sequence[str], names: Sequence[str]) -> list[Places]:
    """Networks that are compared with themselves, as pairs."""
    for name in within:
        if name not in names:
            raise SettingError(f"--within names '{name}', which is not linked; there are: {', '.join(names)}")
    return [(place, place) for place, name in enumerate(names) if name in within]


def choose_places(pairs: Sequence[str], names: Sequence[str]) -> list[Places]:
    """The pairs of networks to link, the earlier network left; every network has to be in one."""
    if not pairs:
        return list(combinations(range(len(names)), 2))
    found = [place_pair(pair, names) for pair in pairs]
    places = sorted({(min(pair), max(pair)) for pair in found})
    missing = [name for place, name in enumerate(names) if not any(place in pair for pair in places)]
    if missing:
        raise SettingError(f"--pairs links {', '.join(missing)} with no other network; add a pair, or leave it out")
    return places


def reread_several(run: Path, manifest: SeveralManifest) -> SeveralInputs:
    """What a finished run was made from, as it keeps it."""
    folders = {pair: pair_folder(run, pair) for pair in manifest.pairs}
    parts = {pair: reread_inputs(folder, load_manifest(folder)) for pair, folder in folders.items()}
    readings = {
        place: reading for pair, part in parts.items() for place, reading in zip(pair, part.readings, strict=True)
    }
    ordered = [readings[place] for place in range(len(manifest.networks))]
    return SeveralInputs(
        ordered, {(a, b): replace(part, readings=(ordered[a], ordered[b])) for (a, b), part in parts.items()}
    )
