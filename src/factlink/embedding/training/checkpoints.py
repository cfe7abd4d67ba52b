"""Training that survives being killed: the state in one file, replaced in one go."""

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from factlink.embedding.objectives import Objective
from factlink.embedding.projections import Phi
from factlink.embedding.settings import Settings
from factlink.embedding.state import State
from factlink.errors import RunError
from factlink.storage.arrays import DAMAGED, read_arrays, write_arrays
from factlink.storage.durable import replaced_file

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(slots=True, eq=False)
class Checkpoints:
    """Saves to `path` at most once in this many seconds; an existing file is continued."""

    path: Path
    seconds: float = 30.0
    fingerprint: str = ""
    saved_at: float = field(default_factory=time.monotonic)

    def resume(self, state: State, objectives: list[Objective], settings: Settings) -> None:
        """Brings the state to where the file left off; refuses a file of other factoids or settings."""
        self.fingerprint = fingerprint(objectives, settings)
        if not self.path.exists():
            return
        arrays = _load(self.path)
        if str(arrays["fingerprint"]) != self.fingerprint:
            raise RunError(f"{self.path} belongs to other networks or settings; remove it or save elsewhere")
        restore(state, arrays)

    def save(self, state: State, now: bool = False) -> None:
        """Writes the state if it is time to, or now."""
        if not now and time.monotonic() - self.saved_at < self.seconds:
            return
        with replaced_file(self.path) as part:
            write_arrays(part, {"fingerprint": np.array(self.fingerprint), **collect(state)})
        self.saved_at = time.monotonic()


def fingerprint(objectives: list[Objective], settings: Settings) -> str:
    """The same text for the same factoids, object vectors and settings."""
    digest = hashlib.blake2b(json.dumps(asdict(settings), sort_keys=True).encode(), digest_size=16)
    for objective in objectives:
        digest.update(objective.predicate.encode())
        for part in (objective.users, objective.objects, objective.weights, objective.vectors):
            if part is not None:
                digest.update(np.ascontiguousarray(part).data)
    return digest.hexdigest()


def collect(state: State) -> Arrays:
    """The state as named arrays."""
    trail, dim = state.trail, state.vectors.shape[1]
    arrays: Arrays = {
        "iteration": np.array(state.iteration),
        "vectors": state.vectors,
        "followees": state.followees,
        "link_steps": state.link_steps,
        "qualities": state.qualities,
        "sums": state.sums,
        "losses": np.array(state.losses).reshape(-1, len(state.sums)),
        "trail_rows": np.asarray(trail.rows),
        "trail_iterations": np.array(trail.iterations, np.int64),
        "trail_snapshots": np.array(trail.snapshots, np.float32).reshape(len(trail.snapshots), len(trail.rows), dim),
    }
    for place, phi in enumerate(state.phis):
        arrays |= {f"{name}_{place}": array for name, array in _parts(phi)}
        arrays[f"users_moved_{place}"] = trail.users_moved[place]
        arrays[f"objects_moved_{place}"] = trail.objects_moved[place]
    return arrays


def restore(state: State, arrays: Arrays) -> None:
    """The state as it was when these arrays were collected."""
    trail = state.trail
    if not np.array_equal(trail.rows, arrays["trail_rows"]):
        raise RunError("the checkpoint watches other users; remove it or watch the same ones")
    state.iteration = int(arrays["iteration"].item())
    for name in ("vectors", "followees", "link_steps", "qualities", "sums"):
        getattr(state, name)[...] = arrays[name]
    state.losses[:] = list(arrays["losses"])
    trail.iterations[:] = [int(i) for i in arrays["trail_iterations"].tolist()]
    trail.snapshots[:] = list(arrays["trail_snapshots"])
    for place, phi in enumerate(state.phis):
        for name, array in _parts(phi):
            array[...] = arrays[f"{name}_{place}"]
        trail.users_moved[place][...] = arrays[f"users_moved_{place}"]
        trail.objects_moved[place][...] = arrays[f"objects_moved_{place}"]


def _load(path: Path) -> Arrays:
    try:
        return read_arrays(path)
    except DAMAGED as error:
        raise RunError(f"{path} is damaged ({error}); remove it to train from the start") from None


def _parts(phi: Phi) -> Iterator[tuple[str, npt.NDArray[np.float32]]]:
    yield "matrix", phi.matrix
    yield "bias", phi.bias
    yield "contexts", phi.contexts
