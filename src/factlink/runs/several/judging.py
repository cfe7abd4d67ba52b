"""Judgements of persons: splitting and merging them are judgements of the pairs of accounts concerned.

They are kept in the parts of the run, as those of single pairs are, and `factlink relink` obeys them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from factlink.errors import InputError
from factlink.runs.folder.judgements import TOGETHER, Judgements
from factlink.runs.folder.several import Places, SeveralManifest, pair_folder
from factlink.types import Judgement, Verdict

Account = tuple[str, str]
"""Network and user."""


@dataclass(frozen=True, slots=True)
class Tie:
    """Two accounts whose networks were compared, in the order of the part that compared them."""

    pair: Places
    left: str
    right: str


class PersonJudgements:
    """The judgements of all parts of a run; what is said together is taken back together."""

    def __init__(self, run: Path, manifest: SeveralManifest, patience: float) -> None:
        self._places = {name: place for place, name in enumerate(manifest.names)}
        self.parts: Mapping[Places, Judgements] = {
            pair: Judgements(pair_folder(run, pair), patience) for pair in manifest.pairs
        }

    def tie(self, first: Account, second: Account) -> Tie | None:
        """Two accounts as a part knows them; None if their networks were not compared."""
        here, there = (self._places[network] for network, _ in (first, second))
        if (here, there) in self.parts:
            return Tie((here, there), first[1], second[1])
        return Tie((there, here), second[1], first[1]) if (there, here) in self.parts else None

    def ties(self, accounts: Iterable[Account], others: Iterable[Account]) -> list[Tie]:
        """Every account of some with every one of others, as far as they were compared."""
        theirs = list(others)
        found = (self.tie(first, second) for first in accounts for second in theirs)
        return [tie for tie in found if tie is not None]

    def of_tie(self, tie: Tie) -> list[Judgement]:
        """What each reviewer says of two accounts."""
        return self.parts[tie.pair].of_pair(tie.left, tie.right)

    def judge(self, ties: Sequence[Tie], verdict: Verdict, reviewer: str, why: str = "") -> int:
        """How many pairs are judged anew; several of one part are judged at once, or none of them."""
        if not ties:
            raise InputError("the networks of these accounts were not compared, so nothing can be judged about them")
        note = f"{TOGETHER}{why}, {datetime.now(UTC).isoformat(timespec='milliseconds')}" if why else ""
        by_part: dict[Places, list[tuple[str, str, Verdict, str, str]]] = {}
        for tie in ties:
            by_part.setdefault(tie.pair, []).append((tie.left, tie.right, verdict, reviewer, note))
        return sum(self.parts[pair].add_all(rows) for pair, rows in by_part.items())

    def withdraw_last(self, reviewer: str) -> int:
        """Takes back what a reviewer said last, with all that was said together with it; how many pairs."""
        latest = {pair: found for pair, part in self.parts.items() if (found := _latest(part, reviewer))}
        if not latest:
            return 0
        last = max(latest, key=lambda pair: latest[pair][0])
        note = latest[last][1]
        if not note.startswith(TOGETHER):
            return len(self.parts[last].withdraw_last(reviewer))
        withdrawn = 0
        for pair in latest:
            while (found := _latest(self.parts[pair], reviewer)) and found[1] == note:
                withdrawn += len(self.parts[pair].withdraw_last(reviewer))
        return withdrawn

    def count(self) -> int:
        """Pairs that anybody has judged."""
        return sum(part.overall().height for part in self.parts.values())

    def judged(self) -> pl.DataFrame:
        """Columns network, user: accounts in a pair that anybody has judged."""
        names = list(self._places)
        frames = [pl.DataFrame(schema={"network": pl.String, "user": pl.String})]
        for pair, part in self.parts.items():
            said = part.overall()
            for place, side in zip(pair, ("left", "right"), strict=True):
                frames.append(said.select(network=pl.lit(names[place]), user=pl.col(side)))
        return pl.concat(frames).unique(maintain_order=True)

    def pairs(self) -> pl.DataFrame:
        """Columns network, user, other_network, other_user: pairs that anybody has judged, either way round."""
        names, keys = list(self._places), ("network", "user", "other_network", "other_user")
        frames = [pl.DataFrame(schema=dict.fromkeys(keys, pl.String))]
        for (left, right), part in self.parts.items():
            for here, there, ends in ((left, right, ("left", "right")), (right, left, ("right", "left"))):
                columns = pl.lit(names[here]), pl.col(ends[0]), pl.lit(names[there]), pl.col(ends[1])
                frames.append(
                    part.overall().select(column.alias(key) for column, key in zip(columns, keys, strict=True))
                )
        return pl.concat(frames)


def _latest(part: Judgements, reviewer: str) -> tuple[str, str] | None:
    """When a reviewer said something last, and the note."""
    said = part.by_reviewer().filter(reviewer=reviewer).sort("at").tail(1)
    return (said["at"][0], said["note"][0]) if said.height else None
