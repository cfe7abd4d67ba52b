"""Counts and durations of requests, shared by all workers, in the text that Prometheus reads.

Each worker adds to its own row of one small file, which all of them map; whoever is asked adds the rows up.
"""

from pathlib import Path

import numpy as np

ROUTES = ("lookup", "accounts", "persons", "health", "metrics", "openapi", "reconcile", "other")
STATUSES = (200, 400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429, 500, 503)
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds."""

_COUNTS = len(ROUTES) * len(STATUSES)
_WIDTH = _COUNTS + len(ROUTES) * (len(BOUNDS) + 2)


class Measures:
    """The measures of one worker, and the sum of all."""

    def __init__(self, path: Path | None = None, workers: int = 1, worker: int = 0) -> None:
        if path is None:
            self._all = np.zeros((1, _WIDTH))
        else:
            self._all = np.memmap(path, np.float64, "r+" if path.exists() else "w+", shape=(workers, _WIDTH))
        self._mine = self._all[worker]

    def add(self, route: str, status: int, seconds: float) -> None:
        """Counts one answer."""
        place = ROUTES.index(route)
        known = status if status in STATUSES else 200 if status < 400 else 400 if status < 500 else 500
        self._mine[place * len(STATUSES) + STATUSES.index(known)] += 1
        start = _COUNTS + place * (len(BOUNDS) + 2)
        self._mine[start + int(np.searchsorted(BOUNDS, seconds))] += 1
        self._mine[start + len(BOUNDS) + 1] += seconds

    def text(self, facts: dict[str, float]) -> str:
        """All measures, and further figures by name."""
        total = self._all.sum(axis=0)
        lines = [
            "# HELP factlink_requests_total Answers by route and status.",
            "# TYPE factlink_requests_total counter",
        ]
        for at, route in enumerate(ROUTES):
            for place, status in enumerate(STATUSES):
                if count := int(total[at * len(STATUSES) + place]):
                    lines.append(f'factlink_requests_total{{route="{route}",status="{status}"}} {count}')
        lines += ["# HELP factlink_request_seconds Time until an answer.", "# TYPE factlink_request_seconds histogram"]
        for at, route in enumerate(ROUTES):
            lines += _histogram(route, total[_COUNTS + at * (len(BOUNDS) + 2) :][: len(BOUNDS) + 2])
        for name, value in facts.items():
            lines += [f"# TYPE factlink_{name} gauge", f"factlink_{name} {value:g}"]
        return "\n".join(lines) + "\n"


def _histogram(route: str, figures: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> list[str]:
    counts = figures[:-1].cumsum().astype(int)
    if not counts[-1]:
        return []
    bounds = [*(f"{bound:g}" for bound in BOUNDS), "+Inf"]
    name = "factlink_request_seconds"
    lines = [f'{name}_bucket{{route="{route}",le="{le}"}} {n}' for le, n in zip(bounds, counts, strict=True)]
    return [*lines, f'{name}_sum{{route="{route}"}} {figures[-1]:.6f}', f'{name}_count{{route="{route}"}} {counts[-1]}']
