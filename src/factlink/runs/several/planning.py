"""What linking three networks or more will cost: the pairs of networks, and what hearing each other adds."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from factlink.data.sizes import is_measurable, measure_size, size_of
from factlink.runs.planning import BYTES, Plan, plan_sizes, probe_pace
from factlink.runs.several.inputs import SeveralRequest, choose_places, read_several

HEARING = 1.3
"""How much longer a pair takes with what other networks say: its probabilities are learned twice."""


@dataclass(frozen=True, slots=True)
class SeveralPlan:
    """What to expect of `factlink link` of three networks or more."""

    pairs: Sequence[Plan]

    @property
    def seconds(self) -> float:
        """One pair after the other."""
        return HEARING * sum(plan.seconds for plan in self.pairs)

    @property
    def memory_bytes(self) -> int:
        """All fits are kept until they have heard each other."""
        return round(BYTES.start + sum(plan.memory_bytes - BYTES.start for plan in self.pairs))

    @property
    def disk_bytes(self) -> int:
        """Every pair keeps its two networks."""
        return sum(plan.disk_bytes for plan in self.pairs)

    def as_json(self) -> dict[str, Any]:
        """Figures under the names that scripts use."""
        total = {"seconds": self.seconds, "memory_bytes": self.memory_bytes, "disk_bytes": self.disk_bytes}
        return total | {"pairs": [asdict(plan) for plan in self.pairs]}


def plan_several(request: SeveralRequest, pace: float | None = None) -> SeveralPlan:
    """What a request will cost; a probe of about a second gives the pace."""
    said = any(options.says_anything for options in request.options or ())
    if all(map(is_measurable, request.sources)) and not said:
        sizes = [measure_size(Path(str(source)), request.kinds) for source in request.sources]
    else:
        sizes = [size_of(network) for network in read_several(request).networks]
    pace = probe_pace() if pace is None else pace
    places = choose_places(request.pairs, [size.name for size in sizes])
    return SeveralPlan([plan_sizes((sizes[a], sizes[b]), pace) for a, b in places])
