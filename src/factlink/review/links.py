"""The links of a run as rows, each pair with its doubt, in the order in which answers settle most."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from factlink.review.accounts import Accounts, Neighbours
from factlink.runs.folder.store import CANDIDATES, EVIDENCE, LINKS
from factlink.types import Candidates, Decision, Floats, Ints

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Pairings:
    """Links as columns over places; without a link the best candidate is used, −1 if there is none."""

    lefts: Ints
    rights: Ints
    runners_up: Ints
    figures: pl.DataFrame  # score, probability, margin, decision
    order: Ints  # places with a right user, the one whose answer settles most first
    dependents: Floats  # by place: the doubt of the left user's neighbours, added up

    def __len__(self) -> int:
        return len(self.lefts)

    def linked(self, n_left: int) -> Ints:
        """(n_left,) the right row that each left user is linked to, −1 for none."""
        rights = np.full(n_left, -1, np.int32)
        is_link = (self.figures["decision"] == Decision.LINK.value).to_numpy()
        rights[self.lefts[is_link]] = self.rights[is_link]
        return rights


def load_pairings(run: Path, left: Accounts, right: Accounts) -> Pairings:
    """All links of a run, ordered."""
    links = pl.read_parquet(run / LINKS)
    lefts, rights = left.rows_of(links["left"]), right.rows_of(links["right"])
    if (rights < 0).any():
        rights = np.where(rights < 0, _best_candidates(run)[lefts], rights)
    figures = links.select("score", "probability", "margin", "decision")
    doubt = doubts(figures)
    dependents = _doubt_around(left.neighbours, lefts, doubt)
    return Pairings(
        lefts, rights, right.rows_of(links["runner_up"]), figures, _order(doubt, dependents, rights), dependents
    )


def doubts(figures: pl.DataFrame) -> Floats:
    """1 for an open question, 0 for a sure thing: by probability, or where there is none by margin."""
    probabilities = figures["probability"].cast(pl.Float32).fill_null(np.nan).to_numpy()
    margins = np.maximum(figures["margin"].cast(pl.Float32).fill_null(0.0).to_numpy(), 0.0)
    ordinary = margins[np.isfinite(margins) & (margins > 0)]
    typical = np.median(ordinary) if len(ordinary) else np.float32(1.0)
    by_margin = 1.0 / (1.0 + margins / typical)
    return np.where(np.isnan(probabilities), by_margin, 1.0 - np.abs(2.0 * probabilities - 1.0)).astype(np.float32)


def read_candidates(run: Path, row: int) -> Candidates:
    """The candidates of one left user, without reading the others'."""
    frame = pl.scan_parquet(run / CANDIDATES).slice(row, 1).collect()
    return Candidates(frame["rights"].to_numpy(), frame["scores"].to_numpy())


class EvidenceFile:
    """The evidence for the links, if the run has it; rows of one left user are consecutive."""

    def __init__(self, run: Path, left: Accounts) -> None:
        self.path = run / EVIDENCE
        self._places: tuple[Ints, Ints] | None = None
        if self.path.exists():
            rows = left.rows_of(pl.read_parquet(self.path, columns=["left"])["left"])
            order = np.argsort(rows, kind="stable")
            self._places = rows[order], order

    def of(self, row: int, right: str) -> list[dict[str, Any]]:
        """The evidence of one pair, strongest first."""
        if self._places is None:
            return []
        rows, order = self._places
        mine = order[np.searchsorted(rows, row) : np.searchsorted(rows, row, "right")]
        if not len(mine):
            return []
        first, last = int(mine.min()), int(mine.max())
        frame = pl.scan_parquet(self.path).slice(first, last - first + 1).collect()
        frame = frame[(mine - first).tolist()].filter(pl.col("right") == right)
        found = frame.filter(pl.col("weight").is_finite()).select(
            "predicate", "left_object", "right_object", "weight", *(c for c in ("kind", "note") if c in frame.columns)
        )
        parts: list[dict[str, Any]] = found.sort(pl.col("weight").abs(), descending=True).to_dicts()
        return parts

    def lefts_with(self, predicate: str, n_left: int) -> Bools | None:
        """(n_left,) whose evidence has a predicate; None if the run has no evidence."""
        if self._places is None:
            return None
        rows, order = self._places
        has = (pl.read_parquet(self.path, columns=["predicate"])["predicate"] == predicate).to_numpy()
        marked = np.zeros(n_left, np.bool_)
        marked[rows[has[order]]] = True
        return marked


def _best_candidates(run: Path) -> Ints:
    return pl.scan_parquet(run / CANDIDATES).select(pl.col("rights").arr.get(0)).collect()["rights"].to_numpy()


def _doubt_around(neighbours: Neighbours, lefts: Ints, doubt: Floats) -> Floats:
    """By place: the added doubt of the neighbours of its left user, which is what an answer there can lessen."""
    of_user = np.zeros(len(neighbours.starts) - 1)
    of_user[lefts] = doubt
    sums = np.r_[0.0, np.cumsum(of_user[neighbours.users])]
    around: Floats = (sums[neighbours.starts[1:]] - sums[neighbours.starts[:-1]]).astype(np.float32)
    return around[lefts]


def _order(doubt: Floats, dependents: Floats, rights: Ints) -> Ints:
    gain = doubt * (1.0 + dependents)
    order = np.argsort(-gain, kind="stable")
    return order[rights[order] >= 0].astype(np.int32)
