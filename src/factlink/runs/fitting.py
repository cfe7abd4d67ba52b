"""How the linker of a run is fitted: at once, resumably, or in stages by workers."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from factlink.decision.calibration import calibrate
from factlink.decision.decisions import DecisionRule
from factlink.decision.platt import PlattScaling
from factlink.errors import SettingError
from factlink.execution.out_of_core import OutOfCoreWorkers
from factlink.execution.stages import KeptStages
from factlink.execution.workers import Workers
from factlink.linkers.settings import settings_of
from factlink.protocols import Distributed, Linker, Scorer, Trainer
from factlink.runs.folder.manifest import installed_versions, network_checksum
from factlink.runs.inputs import Inputs
from factlink.types import Network, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Stages:
    """A linker and its networks, done in parts."""

    linker: Distributed
    left: Network
    right: Network
    workers: Workers

    def fit(self, known: Pairs) -> Scorer:
        """The networks linked, given some known pairs."""
        return self.linker.fit_over(self.workers, self.left, self.right, known)


def fit_linker(linker: Linker, inputs: Inputs, folder: Path, on_stage: Callable[[str], None]) -> Scorer:
    """Fits; a linker that trains for long saves its state beside the run and continues from there."""
    left, right = (reading.network for reading in inputs.readings)
    if isinstance(linker, Trainer):
        return linker.fit_resumably(left, right, inputs.known, folder, on_stage)
    return linker.fit(left, right, inputs.known)


def fit_inputs_of(linker: Linker, inputs: Inputs, checked: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """All that a fit depends on."""
    known = hashlib.sha256(np.stack([inputs.known.lefts, inputs.known.rights]).astype(np.int64).tobytes()).hexdigest()
    kinds = [{predicate: a.kind for predicate, a in r.network.attributes.items()} for r in inputs.readings]
    settings = {"linker": linker.name, "settings": settings_of(linker), "known": known, "kinds": kinds}
    networks = [network_checksum(reading.network) for reading in inputs.readings]
    return settings | {"files": list(checked), "networks": networks, "versions": installed_versions()}


def stages_of(workers: Workers | None, linker: Linker, inputs: Inputs, folder: Path) -> Stages | None:
    """None to do all at once in this process."""
    if workers is None:
        return None
    if not isinstance(linker, Distributed):
        raise SettingError(f"linker '{linker.name}' does not run on a cluster; leave out --cluster, or use another")
    if not isinstance(workers, OutOfCoreWorkers):
        workers = KeptStages(workers, folder)
    left, right = (reading.network for reading in inputs.readings)
    return Stages(linker, left, right, workers)


def calibrate_fit(
    linker: Linker, scorer: Scorer, known: Pairs, rule: DecisionRule, stages: Stages | None
) -> PlattScaling:
    """Platt scaling by known pairs, from a second fit; None if it is not wanted."""
    fit = partial(stages.linker.fit_over, stages.workers) if stages else linker.fit
    return calibrate(fit, scorer, known, one_to_one=rule.one_to_one) if rule.calibrated else PlattScaling()
