"""What linking three networks or more gave: persons, and a result for any two of the networks."""

import shutil
import tempfile
from functools import cached_property
from pathlib import Path
from weakref import finalize

import polars as pl

from factlink.display import rows_html
from factlink.errors import InputError
from factlink.notebook.result import Place, Result, pairs_file
from factlink.runs.folder.drafts import unfinished_parts
from factlink.runs.folder.judgement_file import JUDGEMENTS
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.several import choose_pair, load_several, pair_folder
from factlink.runs.folder.store import REPORT, check_writable
from factlink.runs.several.gathering import GatheredPersons, gather_persons
from factlink.runs.several.making import SeveralResult
from factlink.runs.several.scoring import SeveralScores, evaluate_several
from factlink.types import Network

SHOWN = 10


class JointResult:
    """The persons of three networks or more.

    persons                     a polars frame: person, network, user, name, probability
    splits, disagreements       links that join no person, and links that disagree, the weakest first
    pair("twitter", "flickr")   the result of two of the networks: links, explain, plot, report
    save("run")                 a run folder, as factlink link makes it
    evaluate("truth.csv")       compared with the truth, given as pairs of any two networks or as persons
    """

    def __init__(self, run: Path, place: Path | None = None, made: SeveralResult | None = None) -> None:
        """`place` is a temporary folder, which goes with the result."""
        self.run, self._made = run, made
        if place is not None:
            finalize(self, shutil.rmtree, place, ignore_errors=True)
        self.manifest = load_several(run)

    def __repr__(self) -> str:
        return f"<JointResult: {self._summary()}>"

    def _repr_html_(self) -> str:
        shown = self.persons.filter(pl.len().over("person") > 1).head(SHOWN)
        return f"<p>{self._summary()}.</p>{rows_html(shown.columns, shown.rows())}"

    @cached_property
    def _gathered(self) -> GatheredPersons:
        return gather_persons(self.run)

    @property
    def persons(self) -> pl.DataFrame:
        """One row for each account, by person."""
        return self._gathered.members

    @property
    def splits(self) -> pl.DataFrame:
        """Links that join no person, with the reason."""
        return self._gathered.splits

    @property
    def disagreements(self) -> pl.DataFrame:
        """Triangles of links that do not close, the weakest link first."""
        return self._gathered.disagreements

    @property
    def networks(self) -> tuple[Network, ...]:
        """As read."""
        if self._made is None:
            raise InputError(f"{self.run} was opened, not linked here; read its networks with fl.read_network")
        return tuple(reading.network for reading in self._made.readings)

    def pair(self, left: str, right: str) -> Result:
        """The result of two of the networks, by name."""
        folder = choose_pair(self.run, f"{left}:{right}")
        parts = {pair_folder(self.run, pair): part for pair, part in self._made.parts.items()} if self._made else {}
        return Result(folder, made=parts.get(folder), whole=self)

    def save(self, folder: Place, *, overwrite: bool = False) -> Path:
        """Makes a run folder; it is there whole or not at all."""
        folder = Path(folder)
        check_writable(folder, overwrite=overwrite)
        parts = [pair_folder(self.run, pair) for pair in self.manifest.pairs]
        judged = {part.relative_to(self.run).as_posix(): Judgements(part).by_reviewer() for part in parts}
        with unfinished_parts(folder, judged) as draft:
            left_out = shutil.ignore_patterns(f"{JUDGEMENTS}*", REPORT)
            shutil.copytree(self.run, draft.run, ignore=left_out, dirs_exist_ok=True)
        return folder

    def evaluate(self, *truths: object) -> SeveralScores:
        """Hit rates of pairs of networks, and how good persons are, by files or frames."""
        with tempfile.TemporaryDirectory(prefix="factlink-") as scratch:
            folders = [Path(scratch) / str(place) for place in range(len(truths))]
            for each in folders:
                each.mkdir()
            return evaluate_several(self.run, [pairs_file(*each) for each in zip(truths, folders, strict=True)])

    def _summary(self) -> str:
        sizes = ", ".join(f"{persons:,} with {accounts}" for accounts, persons in self._gathered.sizes())
        return f"persons of {', '.join(self.manifest.names)} by number of accounts: {sizes}"
