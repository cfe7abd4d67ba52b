"""New users in the tables of a run: their links, their candidates, and the earlier links they call into doubt."""

import numpy as np
import polars as pl

from factlink.candidates.pairs import CandidatePairs, best_of_pairs, gather_pairs
from factlink.decision.decisions import DecisionRule
from factlink.decision.incremental import Arrival, IncrementalAssignment, Standing
from factlink.runs.folder.store import Run, link_frame
from factlink.types import DECISIONS, Candidates, Decision, Floats, Ints, Links, LinkSource, Network

_LINK = DECISIONS.index(Decision.LINK)


def standing_of(run: Run, side: int) -> Standing:
    """The links that the users of a side have, 0 being the left one."""
    is_link = (run.links["decision"] == Decision.LINK.value).to_numpy()
    is_found = is_link & (run.links["source"] == LinkSource.FOUND.value).fill_null(value=False).to_numpy()
    probabilities = run.links["probability"].fill_null(1.0).to_numpy()
    rule = DecisionRule(**run.manifest.notes["decision_rule"])
    threshold = max(rule.min_probability, float(probabilities[is_found].min(initial=2.0)))
    if side == 0:
        return Standing(is_link, probabilities, threshold, rule.precision, rule.one_to_one)
    rows = run.right.rows_of(run.links["right"].filter(pl.Series(is_link)))
    linked, held = np.zeros(len(run.right), np.bool_), np.zeros(len(run.right), np.float32)
    linked[rows], held[rows] = True, probabilities[is_link]
    return Standing(linked, held, threshold, rule.precision, rule.one_to_one)


def list_outcomes(users: pl.Series, others: pl.Series, links: Links) -> pl.DataFrame:
    """user, partner, probability, decision of every new account, in their order."""
    network, other = (Network("", ids, {}, {}) for ids in (users, others))
    frame = link_frame(links, network, other)
    return frame.select(user="left", partner="right", probability="probability", decision="decision")


def list_doubts(run: Run, side: int, users: pl.Series, arrival: Arrival) -> pl.DataFrame:
    """left, right, probability, rival, rival_probability: each earlier link that a new account beats."""
    linked = run.links.filter(pl.col("decision") == Decision.LINK.value)
    end, others = ("right", run.right) if side == 0 else ("left", run.left)
    doubts = pl.DataFrame(
        {
            end: others.users.gather(arrival.doubted),
            "probability": pl.Series(arrival.before, dtype=pl.Float32),
            "rival": users.gather(arrival.rivals),
            "rival_probability": pl.Series(arrival.after, dtype=pl.Float32),
        }
    )
    both = doubts.join(linked.select("left", "right"), on=end, maintain_order="left")
    return both.select("left", "right", "probability", "rival", "rival_probability")


def add_lefts(
    run: Run, users: pl.Series, assigned: IncrementalAssignment, arrival: Arrival
) -> tuple[Candidates, pl.DataFrame]:
    """One more row for each new left user; nothing else changes."""
    old = run.candidates
    new = best_of_pairs(assigned.pairs, assigned.likelihoods.scores, old.rights.shape[1])
    frame = link_frame(arrival.links, Network("", users, {}, {}), run.right)
    rights, scores = np.concatenate([old.rights, new.rights]), np.concatenate([old.scores, new.scores])
    return Candidates(rights, scores), pl.concat([run.links, frame])


def add_rights(
    run: Run, users: pl.Series, assigned: IncrementalAssignment, arrival: Arrival
) -> tuple[Candidates, pl.DataFrame]:
    """New right users among the candidates of left ones, and in the rows of those who had no link."""
    whole = Network(run.right.name, pl.concat([run.right.users, users]), {}, {})
    rows = np.unique(assigned.pairs.rights)
    pairs, scores = _merged(run, assigned, rows)
    best = best_of_pairs(pairs, scores, run.candidates.rights.shape[1])
    old = run.candidates
    candidates = Candidates(old.rights.copy(), old.scores.copy())
    candidates.rights[rows], candidates.scores[rows] = best.rights, best.scores
    changed = link_frame(_gained(run, assigned, arrival, candidates), run.left, whole)
    return candidates, run.links.update(changed, on="left", include_nulls=True, maintain_order="left")


def _merged(run: Run, assigned: IncrementalAssignment, rows: Ints) -> tuple[CandidatePairs, Floats]:
    """Candidates of some left users: old ones with probabilities under the new competition, and new ones."""
    rights, scores = run.candidates.rights[rows], run.candidates.scores[rows]
    places, columns = np.nonzero(rights >= 0)
    mine = np.searchsorted(rows, assigned.pairs.rights)
    parts: list[tuple[Ints, Ints]] = [(places, rights[places, columns]), (mine, len(run.right) + assigned.pairs.lefts)]
    pairs = gather_pairs(len(rows), len(run.right) + assigned.pairs.n_left, parts)
    values = np.empty(len(pairs), np.float32)
    values[pairs.places(*parts[0])] = scores[places, columns] + assigned.shifts[rows[places]]
    values[pairs.places(*parts[1])] = assigned.likelihoods.scores
    return pairs, values


def _gained(run: Run, assigned: IncrementalAssignment, arrival: Arrival, candidates: Candidates) -> Links:
    """The rows of left users without a link who got a new right user, or one likelier than their best so far."""
    links = arrival.links
    doubted = np.zeros(len(links), np.bool_)
    standing = standing_of(run, 0)
    new = np.flatnonzero(links.rights >= 0)
    lefts = links.rights[new]
    doubted[new] = standing.linked[lefts]
    had = (standing.probabilities * np.exp(assigned.shifts))[lefts]
    better = ~doubted[new] & ((links.decisions[new] == _LINK) | (links.probabilities[new] > had))
    new, lefts = new[better], lefts[better]
    rights = (len(run.right) + new).astype(np.int64)
    other = np.where(candidates.rights[lefts, 0] == rights, 1, 0)
    width = candidates.rights.shape[1]
    runners_up = np.where(other < width, candidates.rights[lefts, np.minimum(other, width - 1)], -1)
    seconds = np.where(runners_up < 0, -np.inf, candidates.scores[lefts, np.minimum(other, width - 1)])
    margins = (links.scores[new] - seconds).astype(np.float32)
    return Links(lefts, rights, links.scores[new], links.probabilities[new], links.decisions[new], runners_up, margins)
