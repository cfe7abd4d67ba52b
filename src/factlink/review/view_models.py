"""All values that the pages show of a run, for templates and JSON alike."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import polars as pl

from factlink.explanations.explain import as_evidence
from factlink.explanations.friends import AGREEING, LinkedFriends, Yardstick
from factlink.explanations.waterfall import make_waterfall
from factlink.review.accounts import Accounts, Side
from factlink.review.links import EvidenceFile, load_pairings, read_candidates
from factlink.review.name_diff import face_to_face, mark_names
from factlink.review.pictures import find_picture, is_sound, picture_roots
from factlink.review.queue import Decided, Queue
from factlink.runs.folder.identity import Identity
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import load_manifest
from factlink.types import Ints, Judgement, Kind, Verdict

SHOWN_TEXT = 600
SHOWN_OBJECTS = 20
SHOWN_NEIGHBOURS = 12
MOST_COMPARED = 5_000
"""Neighbours of an account whose names are compared: an account with millions must not hold up the page."""
SHOWN_CANDIDATES = 5
PATIENCE = 3.0
"""Seconds for which a page waits for another process that writes judgements."""
Values = dict[str, Any]


class ViewModels:
    """A run laid out for reviewers; loading takes seconds for a million links, every question milliseconds."""

    def __init__(self, run: Path, on_stage: Callable[[str], None] = lambda stage: None) -> None:
        self._stamp = Identity(run)
        self.run, self.manifest = run, load_manifest(run)
        on_stage("reading accounts")
        self.left = Accounts("left", self.manifest.left.name, run / "left")
        self.right = Accounts("right", self.manifest.right.name, run / "right")
        sides = (self.left, self.right)
        self.roots = {
            "left": picture_roots(run / "left", self.manifest.left.path),
            "right": picture_roots(run / "right", self.manifest.right.path),
        }
        on_stage("ordering the links by what an answer settles")
        self.judgements, self.evidence = Judgements(run, PATIENCE), EvidenceFile(run, self.left)
        self.queue = Queue(load_pairings(run, *sides), sides, self.evidence)
        on_stage("reading judgements")
        self.decided = Decided(self.judgements, self.queue, sides)
        on_stage("reading neighbours")
        self._linked = self.queue.pairings.linked(len(self.left))
        self._is_linked = np.isin(np.arange(len(self.right)), self._linked)
        self._degrees = {side.side: side.neighbours.counts() for side in sides}

    def check_current(self) -> None:
        """Raises an error if the run was replaced since it was read: rows would mean other users."""
        self._stamp.check()

    def around(self) -> Values:
        """What every page shows."""
        return {
            "networks": [self.left.name, self.right.name],
            "predicates": list(dict.fromkeys([*self.left.kinds, *self.right.kinds])),
            "pages": [("/queue", "Queue"), ("/progress", "Progress"), ("/agreement", "Agreement")],
        }

    def side(self, side: Side) -> Accounts:
        """The accounts of one side."""
        return self.left if side == "left" else self.right

    def account(self, accounts: Accounts, row: int, *, whole: bool = False) -> Values:
        """One account with all its attributes; long texts are cut unless all is wanted."""
        user = accounts.users[row]
        shown = [
            predicate_values(accounts, predicate, found, whole) for predicate, found in accounts.objects(row).items()
        ]
        return {
            **self.named(accounts, row),
            "network": accounts.name,
            "pictures": [
                {"url": f"/picture?{urlencode({'side': accounts.side, 'user': user, 'n': n})}", "listed": path[-200:]}
                for n, path in enumerate(accounts.pictures(row)[:4])
                if (file := self.picture(accounts, path)) is not None and is_sound(file)
            ],
            "shown": [part for part in shown if part["objects"]],
            "neighbours": int(self._degrees[accounts.side][row]),
        }

    def named(self, accounts: Accounts, row: int) -> Values:
        """A user as a link shows it."""
        return {"side": accounts.side, "user": accounts.users[row], "name": accounts.called(row)[:120]}

    def picture(self, accounts: Accounts, listed: str) -> Path | None:
        """The file of a picture that the network lists, if it may be shown."""
        return find_picture(listed, accounts.folder, self.roots[accounts.side])

    def pair(self, left: int, right: int, reviewer: str, *, blind: bool) -> Values:
        """Two accounts side by side, with all that is known of the pair; a blind reviewer sees only the accounts."""
        sides = {"left": self.account(self.left, left), "right": self.account(self.right, right)}
        mark_names(sides["left"], sides["right"])
        rows = face_to_face(sides["left"].pop("shown"), sides["right"].pop("shown"))
        said = self.judgements.of_pair(sides["left"]["user"], sides["right"]["user"])
        values = {
            **sides,
            "rows": rows,
            "mine": next((_said(each) for each in said if each.reviewer == reviewer), None),
            "namesakes": self._namesakes(left, right),
        }
        if blind:
            return values
        evidence = self.evidence.of(left, sides["right"]["user"])
        return values | {
            "others": [_said(each) for each in said if each.reviewer != reviewer],
            "link": self._link(left, right),
            "shared": self._shared(left, right),
            "evidence": evidence,
            "waterfall": make_waterfall(map(as_evidence, evidence)).values(),
            "has_separate_friends": self._has_separate_friends(evidence, left, right),
            "instead": self._instead(left, right),
        }

    def _has_separate_friends(self, evidence: list[Values], left: int, right: int) -> bool:
        """Whether names or pictures agree as in the best links while no friends are linked to each other."""
        mine, theirs = self._linked[self.left.neighbours.of(left)], self.right.neighbours.of(right)
        shared = int(np.isin(mine[mine >= 0], theirs).sum())
        friends = LinkedFriends(int((mine >= 0).sum()), int(self._is_linked[theirs].sum()), shared)
        agreement = sum(part["weight"] for part in evidence if part.get("kind") in AGREEING)
        return Yardstick.noted(self.manifest.notes).stands_out(agreement, friends)

    def candidates(self, left: int, *, blind: bool) -> list[Values]:
        """The best five right users of a left user; for a blind reviewer in the order of their ids, without scores."""
        found = read_candidates(self.run, left)
        best = [(int(r), float(s)) for r, s in zip(found.rights[0], found.scores[0], strict=True) if r >= 0]
        shown = [{**self.named(self.right, row), "score": _finite(score)} for row, score in best[:SHOWN_CANDIDATES]]
        if not blind:
            return shown
        return sorted(({**each, "score": None} for each in shown), key=lambda each: str(each["user"]))

    def linked_lefts(self, right: int) -> list[Values]:
        """The left users for whom a right user is the link or the runner-up."""
        pairings = self.queue.pairings
        places = np.flatnonzero((pairings.rights == right) | (pairings.runners_up == right))
        return [self.named(self.left, int(row)) for row in pairings.lefts[places[:SHOWN_CANDIDATES]]]

    def judged_links(self) -> dict[str, int]:
        """Of the run's links that were judged, how many are matches and how many are not."""
        said = self.judgements.overall()
        lefts, rights = self.left.rows_of(said["left"]), self.right.rows_of(said["right"])
        verdicts = said["verdict"].filter(pl.Series((lefts >= 0) & (rights >= 0) & (self._linked[lefts] == rights)))
        return {verdict.value: int((verdicts == verdict.value).sum()) for verdict in Verdict}

    def _shared(self, left: int, right: int) -> Values:
        """Neighbours of the left user that are linked to neighbours of the right one, those with few friends first."""
        mine, theirs = self.left.neighbours.of(left), self.right.neighbours.of(right)
        partners = self._linked[mine]
        met = np.isin(partners, theirs) & (partners >= 0)
        return {"count": int(met.sum()), "shown": self._meetings(mine[met], partners[met])}

    def _namesakes(self, left: int, right: int) -> Values:
        """Neighbours of the two who bear the same name, whatever the run makes of it."""
        mine, theirs = self.left.neighbours.of(left)[:MOST_COMPARED], self.right.neighbours.of(right)[:MOST_COMPARED]
        names = self.left.names(mine).join(self.right.names(theirs), on="name", maintain_order="left")
        pairs = names.unique(["row", "row_right"], maintain_order=True)
        return {"count": pairs.height, "shown": self._meetings(pairs["row"].to_numpy(), pairs["row_right"].to_numpy())}

    def _meetings(self, lefts: Ints, rights: Ints) -> list[Values]:
        order = np.argsort(self._degrees["left"][lefts], kind="stable")[:SHOWN_NEIGHBOURS]
        return [
            {"left": self.named(self.left, int(lefts[n])), "right": self.named(self.right, int(rights[n]))}
            for n in order
        ]

    def _link(self, left: int, right: int) -> Values | None:
        """The result of the run for the pair, if it is one of its links."""
        place = self.queue.place_of(left, right)
        if place < 0:
            return None
        pairings = self.queue.pairings
        figures = pairings.figures.row(place, named=True)
        runner_up = int(pairings.runners_up[place])
        return {
            **{name: _finite(figures[name]) for name in ("score", "probability", "margin")},
            "decision": figures["decision"],
            "runner_up": self.named(self.right, runner_up) if runner_up >= 0 else None,
            "dependents": round(float(pairings.dependents[place]), 1),
        }

    def _instead(self, left: int, right: int) -> Values:
        """The rank of the pair among the candidates, and the accounts that the two are linked to instead."""
        found = read_candidates(self.run, left)
        rank = np.flatnonzero(found.rights[0] == right)
        linked, lefts = int(self._linked[left]), np.flatnonzero(self._linked == right)
        return {
            "rank": int(rank[0]) + 1 if len(rank) else None,
            "of": int((found.rights[0] >= 0).sum()),
            "score": _finite(found.scores[0][rank[0]]) if len(rank) else None,
            "best_score": _finite(found.scores[0][0]),
            "left_linked_to": self.named(self.right, linked) if linked >= 0 and linked != right else None,
            "right_linked_to": [self.named(self.left, int(row)) for row in lefts[:3] if row != left],
        }


def predicate_values(accounts: Accounts, predicate: str, objects: list[str], whole: bool) -> Values:
    """What an account shows of a predicate; long texts are cut unless all is wanted."""
    kind = accounts.kinds[predicate]
    shown = [] if kind is Kind.IMAGE else objects if whole else objects[:SHOWN_OBJECTS]
    cut = [(text if whole else text[:SHOWN_TEXT]) for text in shown]
    is_cut = cut != objects and kind is not Kind.IMAGE
    return {"predicate": predicate, "kind": kind.value, "objects": cut, "cut": is_cut}


def _said(judgement: Judgement) -> Values:
    return {
        "reviewer": judgement.reviewer,
        "verdict": judgement.verdict.value,
        "note": judgement.note,
        "at": judgement.at.isoformat(timespec="seconds"),
    }


def _finite(figure: float | None) -> float | None:
    return None if figure is None or not np.isfinite(figure) else round(float(figure), 6)
