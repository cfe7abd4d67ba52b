"""What linking gave: a frame to look at, explanations, charts, a report, and a run folder to keep."""

import os
import shutil
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import finalize

import polars as pl

from factlink.data.foreign import is_frame, polars_frame
from factlink.data.tables import write_table
from factlink.display import rows_html
from factlink.errors import InputError
from factlink.notebook.plots import Plots
from factlink.protocols import Scorer
from factlink.report.page import write_report
from factlink.runs.duplicates import DuplicateScores, evaluate_duplicates
from factlink.runs.explaining import Explained, explain_run
from factlink.runs.finding import resolve_users
from factlink.runs.folder.drafts import unfinished_run
from factlink.runs.folder.judgement_file import JUDGEMENTS
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.listing import list_links
from factlink.runs.folder.manifest import Manifest
from factlink.runs.folder.store import REPORT, check_writable, load_manifest
from factlink.runs.making import LinkResult
from factlink.runs.scoring import Scores, evaluate_run
from factlink.runs.several.gathering import gather_persons
from factlink.types import Decision, Network

SHOWN = 10
Place = str | os.PathLike[str]


class Result:
    """The links of two networks.

    links                   a polars frame: ids, names, probability, decision, runner-up and evidence
    persons                 a polars frame: person, network, user, name, probability
    explain("amy", "tan")   why two users were linked or not; of one user its best candidates
    plot                    charts: probabilities, weights, precision by threshold, one pair, its neighbourhood
    report("out.html")      all of it as one file
    save("run")             a run folder, as factlink link makes it: for factlink review, add, relink, export
    evaluate("truth.csv")   compared with the truth
    """

    def __init__(
        self, run: Path, place: Path | None = None, made: LinkResult | None = None, whole: object | None = None
    ) -> None:
        """`place` is a temporary folder, which goes with the result, or with the `whole` that this is a part of."""
        self.run, self._made, self._whole = run, made, whole
        if place is not None:
            finalize(self, shutil.rmtree, place, ignore_errors=True)
        self.manifest: Manifest = load_manifest(run)

    def __repr__(self) -> str:
        return f"<Result: {self._summary()}>"

    def _repr_html_(self) -> str:
        shown = self.links.filter(pl.col("decision") == Decision.LINK.value).head(SHOWN)
        columns = ["left", "left_name", "right", "right_name", "probability", "evidence"]
        return f"<p>{self._summary()}.</p>{rows_html(columns, shown.select(columns).rows())}"

    @cached_property
    def links(self) -> pl.DataFrame:
        """One row for each left user."""
        return list_links(self.run)

    @property
    def persons(self) -> pl.DataFrame:
        """One row for each account of both networks, by person."""
        return gather_persons(self.run).members

    @property
    def networks(self) -> tuple[Network, Network]:
        """Left and right, as read."""
        if self._made is None:
            raise InputError(f"{self.run} was opened, not linked here; read its networks with fl.read_network")
        left, right = (reading.network for reading in self._made.readings)
        return left, right

    @property
    def scorer(self) -> Scorer:
        """What the linker fitted."""
        if self._made is None or self._made.scorer is None:
            raise InputError(f"{self.run} was opened, not linked here; a run folder keeps no scorer")
        return self._made.scorer

    @property
    def plot(self) -> Plots:
        """Charts, as altair draws them."""
        return Plots(self.run, self.manifest)

    def explain(self, user: str, other: str | None = None) -> Any:
        """Why two users were linked or not; without the second, the best candidates of one. Ids, names or handles."""
        explained = self._explained([user] if other is None else [user, other])
        return explained[0] if other is not None else explained

    def _explained(self, words: list[str]) -> list[Explained]:
        meant = resolve_users(self.run, words)
        if meant.several:
            names = ", ".join(f"{user.user} ({user.name}, {user.network})" for user in meant.several)
            raise InputError(f"{len(meant.several)} users are called '{meant.asked}'; name one by its id: {names}")
        return explain_run(self.run, meant.users, lambda seconds: None)

    def report(self, path: Place, truth: object | None = None) -> Path:
        """Writes the report as one HTML file."""
        with tempfile.TemporaryDirectory(prefix="factlink-") as scratch:
            write_report(self.run, Path(path), None if truth is None else pairs_file(truth, Path(scratch)))
        return Path(path)

    def save(self, folder: Place, *, overwrite: bool = False) -> Path:
        """Makes a run folder; it is there whole or not at all."""
        folder = Path(folder)
        check_writable(folder, overwrite=overwrite)
        with unfinished_run(folder, Judgements(self.run).by_reviewer()) as draft:
            left_out = shutil.ignore_patterns(f"{JUDGEMENTS}*", REPORT)
            shutil.copytree(self.run, draft.run, ignore=left_out, dirs_exist_ok=True)
        return folder

    def evaluate(self, truth: object) -> Scores | DuplicateScores:
        """Hit rates, MRR, coverage, false links and calibration, by a pairs file or a frame with left and right."""
        with tempfile.TemporaryDirectory(prefix="factlink-") as scratch:
            if self.manifest.within:
                return evaluate_duplicates(self.run, pairs_file(truth, Path(scratch)))
            return evaluate_run(self.run, pairs_file(truth, Path(scratch)))

    def _summary(self) -> str:
        counts = {each.value: int((self.links["decision"] == each.value).sum()) for each in Decision}
        left, right = self.manifest.left, self.manifest.right
        if self.manifest.within:
            pairs = f"{counts['link']:,} pairs of the {left.users:,} accounts of {left.name} are held to be one person"
            return f"{pairs}; {counts['unknown']:,} unknown"
        rest = f"{counts['unknown']:,} unknown, {counts['no account']:,} without an account there"
        return f"{counts['link']:,} of {left.users:,} accounts of {left.name} linked to {right.name}; {rest}"


def open_run(path: Place) -> Result:
    """The result in a run folder, made here or by factlink link."""
    return Result(Path(path))


def pairs_file(pairs: object, folder: Path) -> Path:
    """A pairs file as it is, or a frame of pairs as one."""
    if isinstance(pairs, str | os.PathLike):
        return Path(pairs)
    if not is_frame(pairs):
        raise InputError(
            f"expected a pairs file or a DataFrame with columns left and right, got a {type(pairs).__name__}"
        )
    write_table(polars_frame(pairs), folder / "pairs.parquet")
    return folder / "pairs.parquet"
