"""Candidates → links: the best candidate of every left user."""

import numpy as np

from factlink.types import DECISIONS, Candidates, Decision, Links


def best_links(candidates: Candidates) -> Links:
    """The best candidate of each left row, without a probability: a tie is unknown, no candidate is no account."""
    n, k = candidates.rights.shape
    second = min(1, k - 1)
    rights, runners_up = candidates.rights[:, 0], candidates.rights[:, second] if k > 1 else np.full(n, -1, np.int32)
    margins = np.where(runners_up >= 0, candidates.scores[:, 0] - candidates.scores[:, second], np.inf)
    tied = margins == 0
    decisions = np.where(rights < 0, _place(Decision.NO_ACCOUNT), np.where(tied, _place(Decision.UNKNOWN), 0))
    probabilities = np.full(n, np.nan, np.float32)
    return Links(np.arange(n), rights, candidates.scores[:, 0], probabilities, decisions, runners_up, margins)


def _place(decision: Decision) -> int:
    return DECISIONS.index(decision)
