"""Charts of a run for notebooks, from the same figures as the report."""

from pathlib import Path
from typing import Any

from factlink.errors import InputError, require_extra
from factlink.explanations.waterfall import make_waterfall
from factlink.notebook.neighbourhood import gather_neighbourhood
from factlink.report import drawings
from factlink.report.gathering import false_by_threshold, probability_histogram, weigh_evidence
from factlink.runs.explaining import explain_run
from factlink.runs.finding import resolve_users
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import read_links
from factlink.types import LinkSource


class Plots:
    """probabilities(), weights(), precision_by_threshold(), waterfall(a, b), neighbourhood(a, b): altair charts."""

    def __init__(self, run: Path, manifest: Manifest) -> None:
        require_extra("a chart", "report", "altair")
        self._run, self._manifest = run, manifest

    def __repr__(self) -> str:
        return f"<Plots: {type(self).__doc__}>"

    def probabilities(self) -> Any:
        """How many best pairs of each outcome have which probability."""
        return drawings.for_notebooks(drawings.probabilities(probability_histogram(read_links(self._run))))

    def weights(self) -> Any:
        """The weight of each kind of evidence."""
        weights = weigh_evidence(self._manifest)
        if not weights:
            raise InputError(
                f"linker '{self._manifest.linker}' learns no weights; draw a waterfall of one pair instead"
            )
        return drawings.for_notebooks(drawings.weights(weights))

    def precision_by_threshold(self) -> Any:
        """The expected precision of the links from each probability on."""
        found = read_links(self._run).filter(source=LinkSource.FOUND.value)
        return drawings.for_notebooks(drawings.precision_by_threshold(false_by_threshold(found)))

    def waterfall(self, left: str, right: str) -> Any:
        """The parts of the score of one pair, by ids, names or handles."""
        explained = explain_run(self._run, self._pair(left, right), lambda seconds: None)[0]
        return drawings.for_notebooks(drawings.waterfall(make_waterfall(explained.explanation.parts)))

    def neighbourhood(self, left: str, right: str) -> Any:
        """One pair with its neighbours in both networks, and the links between them."""
        nodes, edges = gather_neighbourhood(self._run, self._manifest, *self._pair(left, right))
        return drawings.for_notebooks(drawings.neighbourhood(nodes, edges))

    def _pair(self, left: str, right: str) -> tuple[str, ...]:
        meant = resolve_users(self._run, [left, right])
        if meant.several:
            names = ", ".join(f"{user.user} ({user.name}, {user.network})" for user in meant.several)
            raise InputError(f"{len(meant.several)} users are called '{meant.asked}'; name one by its id: {names}")
        return meant.users
