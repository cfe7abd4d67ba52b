"""What is answered about accounts: candidates with probability, decision and the evidence for each."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from factlink.evidence import ChannelWeight, EvidenceSource
from factlink.explanations.user_names import best_name
from factlink.runs.placing import Placed
from factlink.serve.accounts import Account, Question
from factlink.serve.warm.run import WarmRun
from factlink.types import DECISIONS, Decision, Kind

FRIENDS_SHOWN = 5

Answer = dict[str, Any]


def answer(run: WarmRun, question: Question) -> list[Answer]:
    """One answer for each account, in order; each account by itself unless all are asked about together."""
    if question.together:
        return _answers(run, question, list(question.accounts))
    return [one for account in question.accounts for one in _answers(run, question, [account])]


def _answers(run: WarmRun, question: Question, accounts: list[Account]) -> list[Answer]:
    placed = run.place(question.side, accounts)
    return [_Shown(run, question, placed, account, place).answer() for place, account in enumerate(accounts)]


class _Shown:
    """One account of those that were placed."""

    def __init__(self, run: WarmRun, question: Question, placed: Placed, account: Account, place: int) -> None:
        self.run, self.question, self.placed, self.account, self.place = run, question, placed, account, place
        self.others = run.sides[1 - question.side]
        self.voters = self._voters_of(placed.placement.new_users.neighbours, place, question.side)

    def answer(self) -> Answer:
        placed, links = self.placed, self.placed.arrival.links
        partner, decision = int(links.rights[self.place]), DECISIONS[int(links.decisions[self.place])]
        pairs = placed.near.pairs
        first, last = pairs.left_starts[self.place], pairs.left_starts[self.place + 1]
        order = np.lexsort((pairs.rights[first:last], -placed.probabilities[first:last])) + first
        likely = float(links.probabilities[self.place])
        return {
            "id": self.account.id,
            "decision": str(decision),
            "partner": self._user(partner) if partner >= 0 else None,
            "probability": likely if np.isfinite(likely) else None,
            "candidates": [self._candidate(int(pair), partner, decision) for pair in order[: self.question.candidates]],
        }

    def _user(self, place: int) -> str:
        return str(self.placed.others.users[place])

    def _candidate(self, pair: int, partner: int, decision: Decision) -> Answer:
        place = int(self.placed.near.pairs.rights[pair])
        row = int(self.placed.near.rows[place])
        name = self.others.shown_name(row)
        parts = [self._part(weighting, float(values[pair]), row, name) for weighting, values in self.placed.parts]
        return {
            "user": self._user(place),
            "name": name,
            "probability": float(self.placed.probabilities[pair]),
            "decision": str(decision) if place == partner else None,
            "score": float(self.placed.assigned.scores[pair]),
            "evidence": sorted(parts, key=lambda part: -abs(part["weight"])),
        }

    def _part(self, weighting: ChannelWeight, weight: float, row: int, name: str) -> Answer:
        part: Answer = {"source": str(weighting.source), "weight": weight}
        if weighting.source is EvidenceSource.NAMES:
            mine = self.run.sides[self.question.side].kinds
            return part | {"mine": _name(self.account.objects, mine), "theirs": name}
        if weighting.source is EvidenceSource.ATTRIBUTE:
            predicates = weighting.left, weighting.right
            own, other = predicates[self.question.side], predicates[1 - self.question.side]
            theirs = self.others.texts(other, row)
            return part | {"predicate": own, "mine": list(self.account.objects.get(own, ())), "theirs": theirs}
        if weighting.source is EvidenceSource.VOTES:
            return part | {"friends": self._friends(row)}
        return part

    def _friends(self, row: int) -> list[Answer]:
        """Linked pairs of which one user is linked to the account and the other to the candidate."""
        links = self.run.space.state.links
        if links is None or not self.voters:
            return []
        theirs = self._voters_of(links.neighbours[1 - self.question.side], row, 1 - self.question.side)
        met = np.array(sorted(self.voters & theirs)[:FRIENDS_SHOWN], np.int64)
        if not len(met):
            return []
        linked = links.voters.linked
        users = [self.run.sides[place].ids(ends[met]) for place, ends in enumerate((linked.lefts, linked.rights))]
        return [{"left": left, "right": right} for left, right in zip(*users, strict=True)]

    def _voters_of(self, neighbours: csr_matrix, row: int, side: int) -> set[int]:
        """The linked pairs that neighbours of a user are in."""
        if self.run.space.voters is None:
            return set()
        near = neighbours.indices[neighbours.indptr[row] : neighbours.indptr[row + 1]]
        return set(self.run.space.voters.pairs_of(near, side).tolist())


def _name(objects: Mapping[str, tuple[str, ...]], kinds: Mapping[str, Kind]) -> str:
    return best_name(
        [name for predicate, held in objects.items() if kinds.get(predicate) is Kind.NAME for name in held], ""
    )
