"""Which links are exported."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from factlink.errors import RunError, SettingError
from factlink.runs.folder.listing import list_links
from factlink.runs.folder.store import load_manifest
from factlink.types import Decision


@dataclass(frozen=True, slots=True)
class Selection:
    """Links of one decision, or all; and of a probability."""

    decision: str = ""  # empty for all
    min_probability: float = 0.0

    def __post_init__(self) -> None:
        if self.decision and self.decision not in list(Decision):
            raise SettingError(f"no decision is called '{self.decision}'; there are: {', '.join(Decision)}")
        if not 0 <= self.min_probability <= 1:
            raise SettingError(f"min_probability is {self.min_probability}; use a number from 0 to 1, such as 0.9")

    def of(self, run: Path) -> pl.DataFrame:
        """The rows of links.csv that are wanted; an error if there are none."""
        load_manifest(run)
        listed = list_links(run)
        wanted = pl.lit(value=True) if not self.decision else pl.col("decision") == self.decision
        if self.min_probability > 0:
            wanted &= pl.col("probability").fill_null(0.0) >= self.min_probability
        chosen = listed.filter(wanted)
        if not chosen.height:
            raise RunError(f"none of the {listed.height:,} rows of {run} {self._words()}; ask for less")
        return chosen

    def of_links(self, run: Path) -> pl.DataFrame:
        """The same among rows with a right user; *link* unless another decision is wanted."""
        wanted = self if self.decision else Selection(Decision.LINK.value, self.min_probability)
        return wanted.of(run).filter(pl.col("right").is_not_null())

    def _words(self) -> str:
        decided = [f"has the decision '{self.decision}'"] if self.decision else []
        likely = [f"has a probability of {self.min_probability:g} or more"] if self.min_probability else []
        return " and ".join(decided + likely) or "can be exported"
