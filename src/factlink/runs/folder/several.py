"""A run of three networks or more: one folder whose parts are ordinary runs of two networks.

RUN/manifest.json   what made it, all networks, and checksums of the manifests of its parts
RUN/pairs/1-2/      the run of the first and the second network, as `store.py` describes it; and so on
RUN/persons.*, RUN/splits.parquet, RUN/history.parquet    the persons of all networks (`persons.py`)
RUN/encoded/        vectors of names, texts and pictures

All of it is written in one draft and takes its place in one step.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from factlink.errors import RunError, SettingError
from factlink.runs.folder.manifest import (
    CHECKSUM,
    FORMAT,
    MANIFEST,
    Input,
    checksum_of,
    find_changed,
    installed_versions,
    sha256,
)
from factlink.runs.folder.persons import HISTORY, LISTED, PERSONS, SPLITS, Compared
from factlink.runs.folder.store import check_run, load_manifest

PAIRS = "pairs"
Places = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SeveralManifest:
    """A run's own account of itself, where it has three networks or more."""

    linker: str
    settings: Mapping[str, Any]
    networks: Sequence[Input]
    pairs: Sequence[Places]  # places of the networks that were linked with each other
    seconds: Mapping[str, float]  # by stage
    peak_memory_bytes: int
    created: str
    notes: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=installed_versions)
    files: Mapping[str, str] = field(default_factory=dict)  # SHA-256 by path
    format: int = FORMAT

    @property
    def names(self) -> list[str]:
        """Of the networks."""
        return [network.name for network in self.networks]


def pair_folder(run: Path, pair: Places) -> Path:
    """Where the run of two of the networks is."""
    return run / PAIRS / f"{pair[0] + 1}-{pair[1] + 1}"


def compared_networks(run: Path, names: Sequence[str], pairs: Sequence[Places], *, single: bool) -> Compared:
    """The networks and links of the parts of a run, for its persons."""
    homes = {place: pair_folder(run, pair) / side for pair in pairs for place, side in zip(pair, _SIDES, strict=True)}
    folders = [homes[place] for place in range(len(names))]
    return Compared(names, folders, {pair: pair_folder(run, pair) for pair in pairs}, single)


_SIDES = ("left", "right")


def is_several(run: Path) -> bool:
    """Whether a folder is a run of three networks or more."""
    return (run / MANIFEST).is_file() and (run / PAIRS).is_dir()


def is_part(run: Path) -> bool:
    """Whether a folder is a part of such a run."""
    return run.parent.name == PAIRS and is_several(run.parent.parent)


def refuse_several(out: Path) -> None:
    """Refuses to put a run of two networks in the place of one of more, whose judgements would have no place."""
    if is_several(out):
        names = ", ".join(load_several(out).names)
        raise RunError(f"{out} links {names}; name another folder, so that its judgements stay")


def save_several(run: Path, manifest: SeveralManifest) -> None:
    """The manifest, which makes the folder a run; to be written last."""
    files = [run / name for name in (PERSONS, LISTED, SPLITS, HISTORY)]
    files += [pair_folder(run, pair) / MANIFEST for pair in manifest.pairs]
    checked = {file.relative_to(run).as_posix(): sha256(file) for file in files if file.exists()}
    fields = json.loads(json.dumps(asdict(replace(manifest, files=checked))))
    text = json.dumps(fields | {CHECKSUM: checksum_of(fields)}, indent=2, ensure_ascii=False)
    (run / MANIFEST).write_text(text + "\n", encoding="utf-8")


def load_several(run: Path) -> SeveralManifest:
    """What made a finished run of three networks or more, whose files are as they were written."""
    check_run(run)
    try:
        fields = json.loads((run / MANIFEST).read_text(encoding="utf-8"))
        if fields.pop(CHECKSUM) != checksum_of(fields):
            raise RunError(
                f"{run / MANIFEST} is damaged (its checksum differs); put it back from a copy, or link again"
            )
        networks = [Input(**network) for network in fields.pop("networks")]
        pairs = [(int(first), int(second)) for first, second in fields.pop("pairs")]
        manifest = SeveralManifest(networks=networks, pairs=pairs, **fields)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunError(f"{run / MANIFEST} is not a manifest of a run ({error}); link again into a new folder") from None
    lost = [name for name in manifest.files if not (run / name).is_file()]
    wrong = lost or find_changed(run, manifest.files)
    if wrong:
        raise RunError(f"run {run}: {', '.join(wrong)} is not what was written; put it back, or link again")
    for pair in manifest.pairs:
        load_manifest(pair_folder(run, pair))
    return manifest


def check_whole(run: Path) -> None:
    """Refuses a run, of however many networks, whose files are not as they were written."""
    if is_several(run):
        load_several(run)
    else:
        load_manifest(run)


def choose_pair(run: Path, pair: str) -> Path:
    """The run of two networks that `A:B` names; the run itself where it has two networks."""
    if not is_several(run):
        if pair:
            made = load_manifest(run)
            place_pair(pair, [made.left.name, made.right.name])
        return run
    manifest = load_several(run)
    if not pair:
        raise RunError(_which(run, manifest))
    wanted = _within_pair(pair, manifest) or place_pair(pair, manifest.names)
    for each in (wanted, wanted[::-1]):
        if each in manifest.pairs:
            return pair_folder(run, each)
    raise SettingError(f"{run} did not link {pair}; it linked {', '.join(_described(manifest))}")


def place_pair(pair: str, names: Sequence[str]) -> Places:
    """The places of two networks given as A:B; names may hold colons themselves."""
    parts = pair.split(":")
    cuts = [(":".join(parts[:at]), ":".join(parts[at:])) for at in range(1, len(parts))]
    for first, second in cuts:
        if first in names and second in names and first != second:
            return names.index(first), names.index(second)
    raise SettingError(f"a pair is two different networks as A:B, found '{pair}'; there are: {', '.join(names)}")


def _within_pair(pair: str, manifest: SeveralManifest) -> Places | None:
    """A:A where a network was compared with itself."""
    own = [each for each in manifest.pairs if each[0] == each[1]]
    return next((each for each in own if pair == ":".join([manifest.names[each[0]]] * 2)), None)


def _which(run: Path, manifest: SeveralManifest) -> str:
    return f"{run} links {len(manifest.networks)} networks; choose two with --pair: {', '.join(_described(manifest))}"


def _described(manifest: SeveralManifest) -> list[str]:
    return [f"{manifest.names[first]}:{manifest.names[second]}" for first, second in manifest.pairs]
