"""The parts of a score as steps that begin where the one before ended; the last one ends at the score."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from factlink.evidence import REST, RIVALS, Evidence

SHOWN = 12
"""Steps of evidence; smaller parts are added up."""


@dataclass(frozen=True, slots=True)
class Step:
    """One part of a score: from `start` to `end`, whose difference is its weight."""

    predicate: str
    left: str
    right: str
    note: str
    kind: str
    weight: float
    start: float = 0.0
    end: float = 0.0


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Steps in order, and the range that they cover; 0 lies inside."""

    steps: tuple[Step, ...]
    total: float
    low: float
    high: float

    def share(self, value: float) -> float:
        """Where a value lies in the range, from 0 to 100."""
        return round(100 * (value - self.low) / ((self.high - self.low) or 1.0), 2)

    def bar(self, step: Step | None = None) -> dict[str, float]:
        """x and width of a step, or of the total, and the place of 0; in hundredths of the range."""
        start, end = (step.start, step.end) if step else (0.0, self.total)
        x = self.share(min(start, end))
        return {"x": x, "width": max(0.4, round(self.share(max(start, end)) - x, 2)), "zero": self.share(0.0)}

    def values(self) -> dict[str, Any]:
        """Steps with the places of their bars, for a page."""
        steps = [{**asdict(step), "bar": self.bar(step)} for step in self.steps]
        return {"steps": steps, "total": self.total, "bar": self.bar()}


def make_waterfall(parts: Iterable[Evidence], shown: int = SHOWN) -> Waterfall:
    """What speaks for the pair, strongest first; what speaks against it; then competing candidates and the rest."""
    parts = list(parts)
    evidence = sorted((p for p in parts if p.kind not in (RIVALS, REST)), key=lambda p: -abs(p.weight))
    others = [part for part in parts if part.kind in (RIVALS, REST)]
    steps = [_step(part) for part in sorted(evidence[:shown], key=lambda part: -part.weight)]
    if small := evidence[shown:]:
        name = f"{len(small)} smaller part{'s' if len(small) > 1 else ''}"
        steps.append(Step(name, "", "", "", "", sum(part.weight for part in small)))
    return _placed([*steps, *map(_step, others)])


def _step(part: Evidence) -> Step:
    return Step(part.predicate, part.left, part.right, part.note, part.kind, part.weight)


def _placed(steps: Sequence[Step]) -> Waterfall:
    at, placed = 0.0, []
    for step in steps:
        placed.append(replace(step, start=at, end=at + step.weight))
        at += step.weight
    ends = [0.0, *(step.end for step in placed)]
    return Waterfall(tuple(placed), at, min(ends), max(ends))
