"""Explanations of a run: from the evidence it keeps, or for other pairs by fitting its linker again."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from factlink.errors import InputError, RunError
from factlink.explanations.explain import Explanation, as_explanation, explain_pairs
from factlink.explanations.explanation_html import explanation_html
from factlink.explanations.friends import LinkedFriends, Yardstick
from factlink.explanations.user_names import best_name
from factlink.linkers.settings import remake_linker
from factlink.protocols import Scorer
from factlink.runs.folder.friends import linked_friends
from factlink.runs.folder.several import is_part
from factlink.runs.folder.store import CANDIDATES, EVIDENCE, LINKS, load_manifest, reused_vectors
from factlink.runs.inputs import reread_inputs
from factlink.runs.keeping import BEST
from factlink.runs.several.again import fit_part_again
from factlink.types import Decision, Ints, Kind, Network


@dataclass(frozen=True, slots=True)
class Explained:
    """A pair of a run, with what became of it."""

    explanation: Explanation
    names: tuple[str, str]  # the names of the two, or the id where there is none
    decision: Decision | None  # None if the run did not pair the two
    probability: float | None
    rank: int | None  # among the candidates of the left user
    in_log_odds: bool  # whether a part of 1 makes the pair e times likelier

    def __repr__(self) -> str:
        return f"<Explained: {self.title()}>"

    def _repr_html_(self) -> str:
        return explanation_html(self.title(), self.explanation.parts)

    def title(self) -> str:
        """Both users, and what became of the pair."""
        users = zip(self.names, (self.explanation.left, self.explanation.right), strict=True)
        called = " – ".join(name if name == user else f"{name} ({user})" for name, user in users)
        facts = [str(self.decision) if self.decision else "not linked by the run"]
        figures = {"probability": self.probability, "score": self.explanation.score}
        facts += [f"{name} {figure:z.3f}" for name, figure in figures.items() if figure is not None]
        return f"{called}: {', '.join(facts)}{f', candidate {self.rank}' if self.rank else ''}"


def explain_run(run: Path, users: Sequence[str], on_refit: Callable[[float], None]) -> list[Explained]:
    """The pair of two users, or the best candidates of one.

    Where the run does not keep the evidence it is fitted again; `on_refit` gets the seconds that the fit took.
    """
    manifest = load_manifest(run)
    sides = _Sides(run, manifest.left.name, manifest.right.name)
    asked = sides.pairs(users)
    if manifest.within:
        asked = sides.as_listed(asked)
    kept = sides.kept(asked)
    if kept is None:
        on_refit(manifest.seconds.get("fitting", 0.0))
        kept = _fitted_evidence(run, asked)
    friends = linked_friends(run, sides.ids(asked))
    return [sides.explained(pair, kept, manifest.notes, each) for pair, each in zip(asked, friends, strict=True)]


class _Sides:
    """The users, links and candidates of a run, for questions about a few pairs."""

    def __init__(self, run: Path, left: str, right: str) -> None:
        self.run = run
        self.left, self.right = (
            Network(name, pl.read_parquet(run / side / "users.parquet", columns=["id"])["id"], {}, {})
            for side, name in (("left", left), ("right", right))
        )

    def pairs(self, users: Sequence[str]) -> list[tuple[int, int]]:
        """Rows of the pair, or of one user with its best candidates."""
        here = [(int(self.left.rows_of([user])[0]), int(self.right.rows_of([user])[0])) for user in users]
        for user, (left, right) in zip(users, here, strict=True):
            if left < 0 and right < 0:
                raise InputError(
                    f"no user is called '{user}' in network '{self.left.name}' or '{self.right.name}'; "
                    "ids are matched exactly"
                )
        if len(users) == 1:
            return self._best_pairs(users[0], *here[0])
        for left, right in ((here[0][0], here[1][1]), (here[1][0], here[0][1])):
            if left >= 0 and right >= 0:
                return [(left, right)]
        raise InputError(f"'{users[0]}' and '{users[1]}' are users of one network; name one of either")

    def as_listed(self, asked: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Pairs within one network as the run lists them, which is once, in one of the two orders."""
        if any(left == right for left, right in asked):
            raise InputError("a user is not compared with itself; name two different users")
        listed = pl.scan_parquet(self.run / LINKS).select("left", "right").collect()
        rows = self.left.rows_of(listed["left"]), self.left.rows_of(listed["right"])
        known = set(zip(rows[0].tolist(), rows[1].tolist(), strict=True))
        return [(right, left) if (right, left) in known else (left, right) for left, right in asked]

    def _best_pairs(self, user: str, left: int, right: int) -> list[tuple[int, int]]:
        if left >= 0:
            rights, _ = self.candidates(left)
            pairs = [(left, int(row)) for row in rights[:BEST]]
        else:
            scan = pl.scan_parquet(self.run / CANDIDATES).with_row_index("left")
            listed = scan.explode("rights", "scores").filter(pl.col("rights") == right)
            best = listed.sort("scores", descending=True, maintain_order=True).head(BEST).collect()
            pairs = [(int(row), right) for row in best["left"]]
        if not pairs:
            raise RunError(f"'{user}' has no candidate in {self.run}; name a second user to compare with")
        return pairs

    def candidates(self, left: int) -> tuple[Ints, np.ndarray[tuple[int], np.dtype[np.float32]]]:
        """Right rows and scores of one left user, best first."""
        frame = pl.scan_parquet(self.run / CANDIDATES).slice(left, 1).collect()
        rights, scores = frame["rights"].to_numpy()[0], frame["scores"].to_numpy()[0]
        return rights[rights >= 0], scores[rights >= 0]

    def kept(self, asked: list[tuple[int, int]]) -> pl.DataFrame | None:
        """The evidence that the run keeps for some pairs; None if one of them is missing."""
        if not (self.run / EVIDENCE).exists():
            return None
        ids = self.ids(asked)
        found = pl.scan_parquet(self.run / EVIDENCE).filter(pl.col("left").is_in(ids["left"].unique().implode()))
        evidence = found.collect().join(ids, on=["left", "right"], how="semi", maintain_order="left")
        return evidence if evidence.select("left", "right").n_unique() == ids.n_unique() else None

    def ids(self, asked: list[tuple[int, int]]) -> pl.DataFrame:
        """Columns left and right."""
        lefts, rights = (list(rows) for rows in zip(*asked, strict=True))
        return pl.DataFrame({"left": self.left.users.gather(lefts), "right": self.right.users.gather(rights)})

    def explained(
        self, pair: tuple[int, int], evidence: pl.DataFrame, notes: Mapping[str, Any], friends: LinkedFriends
    ) -> Explained:
        """One pair with its explanation, decision, probability and rank."""
        left, right = self.left.users[pair[0]], self.right.users[pair[1]]
        rights, scores = self.candidates(pair[0])
        rank = np.flatnonzero(rights == pair[1])
        linked = pl.scan_parquet(self.run / LINKS).filter(pl.col("left") == left, pl.col("right") == right).collect()
        link = linked.row(0, named=True) if linked.height else None
        score = float(scores[rank[0]]) if len(rank) else link["score"] if link else None
        mine = evidence.filter(pl.col("left") == left, pl.col("right") == right)
        return Explained(
            as_explanation((left, right), score, mine, Yardstick.noted(notes), friends),
            (_called(self.run / "left", left), _called(self.run / "right", right)),
            Decision(link["decision"]) if link else None,
            link["probability"] if link else None,
            int(rank[0]) + 1 if len(rank) else None,
            notes.get("in_log_odds", False),
        )


def _called(folder: Path, user: str) -> str:
    """The most informative name, of several words if there is one; or the id."""
    kinds = json.loads((folder / "kinds.json").read_text("utf-8"))
    columns = [predicate for predicate, kind in kinds.items() if kind == Kind.NAME]
    shown = pl.scan_parquet(folder / "users.parquet").filter(pl.col("id") == user).select(columns).collect()
    names = [name for found in shown.row(0) if found for name in ([found] if isinstance(found, str) else found)]
    return best_name(names, user)


def _fitted_evidence(run: Path, asked: list[tuple[int, int]]) -> pl.DataFrame:
    lefts, rights = (np.array(rows) for rows in zip(*asked, strict=True))
    return explain_pairs(_fit_again(run), lefts, rights, most_parts=1_000)


def _fit_again(run: Path) -> Scorer:
    if is_part(run):
        return fit_part_again(run)
    manifest = load_manifest(run)
    inputs = reread_inputs(run, manifest)
    left, right = (reading.network for reading in inputs.readings)
    with reused_vectors(run):
        return remake_linker(manifest.linker, manifest.settings, within=manifest.within).fit(left, right, inputs.known)
