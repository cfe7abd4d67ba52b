"""The tables of a run without an account: rows that are about it go, and what others have of it is blanked."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from factlink.runs.forgetting.accounts import Account
from factlink.types import Candidates, Decision, Ints

Users = tuple[pl.Series, pl.Series]
"""Ids of left and right users."""

FORGOTTEN = "forgotten account"
"""What stands in another pair's evidence where the account stood."""


def network_without(table: pl.DataFrame, user: str) -> pl.DataFrame:
    """Users, or links between users, without a user."""
    ends = [name for name in ("id", "source", "target") if name in table.columns]
    return table.filter(pl.all_horizontal(pl.col(ends) != user))


def rows_without(table: pl.DataFrame, account: Account) -> pl.DataFrame:
    """A table without the rows that name an account: with its network beside it, or else in any column of text."""
    pairs = [(f"{other}network", f"{other}user") for other in ("", "other_") if f"{other}network" in table.columns]
    if pairs:
        named = [pl.col(network).eq(account.network) & pl.col(user).eq(account.user) for network, user in pairs]
        return table.filter(~pl.any_horizontal(each.fill_null(value=False) for each in named))
    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    return table.filter(~pl.any_horizontal(pl.col(texts).eq_missing(account.user))) if texts else table


def candidates_without(candidates: Candidates, account: Account) -> Candidates:
    """Candidates in the rows of the networks without an account; the next best move up."""
    rights, scores = candidates.rights.copy(), candidates.scores.copy()
    if account.side == "left":
        return Candidates(np.delete(rights, account.row, 0), np.delete(scores, account.row, 0))
    gone = rights == account.row
    rights[gone], scores[gone] = -1, -np.inf
    order = np.argsort(gone, axis=1, kind="stable")
    rights, scores = np.take_along_axis(rights, order, 1), np.take_along_axis(scores, order, 1)
    return Candidates(np.where(rights > account.row, rights - 1, rights), scores)


def links_without(links: pl.DataFrame, account: Account, candidates: Candidates, users: Users) -> pl.DataFrame:
    """Links without an account. Whose link it was has no account there; whose runner-up, the next candidate.

    Candidates and users are those who are left.
    """
    if account.takes_rows:
        links = links.filter(pl.col(account.side).ne_missing(account.user))
    if account.side == "left":
        return links
    is_gone = pl.col("right").eq_missing(account.user)
    changes = {
        "score": pl.lit(-np.inf, pl.Float32),
        "probability": pl.lit(0.0, pl.Float32),
        "decision": pl.lit(Decision.NO_ACCOUNT.value),
        "margin": pl.lit(np.inf, pl.Float32),
        "source": pl.lit(None, pl.String),
        "right": pl.lit(None, pl.String),
    }
    changed = links.with_columns(
        pl.when(is_gone).then(new).otherwise(pl.col(name)).alias(name) for name, new in changes.items()
    )
    return _next_runners_up(changed, account.user, candidates, users)


def _next_runners_up(links: pl.DataFrame, user: str, candidates: Candidates, users: Users) -> pl.DataFrame:
    places = (links["runner_up"] == user).fill_null(value=False).arg_true().to_numpy()
    runners_up, margins = links["runner_up"].to_list(), links["margin"].to_numpy().copy()
    for place in places.tolist():
        row = int((users[0] == links["left"][place]).arg_true()[0])
        runners_up[place], score = _next_best(candidates, row, links["right"][place], users[1])
        margins[place] = links["score"][place] - score if links["right"][place] is not None else np.inf
    return links.with_columns(
        runner_up=pl.Series(runners_up, dtype=pl.String), margin=pl.Series(margins, dtype=pl.Float32)
    )


def _next_best(candidates: Candidates, row: int, linked: str | None, rights: pl.Series) -> tuple[str | None, float]:
    """The best candidate of a left row beside the one it is linked with, and its score."""
    for place, score in zip(candidates.rights[row].tolist(), candidates.scores[row].tolist(), strict=True):
        if place >= 0 and rights[place] != linked:
            return rights[place], score
    return None, -np.inf


def evidence_without(evidence: pl.DataFrame, account: Account, values: Sequence[str]) -> pl.DataFrame:
    """Evidence of other pairs; where the account or one of its own values was shown, FORGOTTEN stands."""
    kept = evidence.filter(pl.col(account.side) != account.user)
    named = [f"({account.user})", *values]
    blanked = []
    for column in ("left_object", "right_object", "note"):
        shown = pl.col(column)
        is_named = (shown == account.user) | pl.any_horizontal(shown.str.contains(each, literal=True) for each in named)
        blanked.append(pl.when(is_named).then(pl.lit(FORGOTTEN)).otherwise(shown).alias(column))
    return kept.with_columns(blanked)


def places_without(places: Ints, links: pl.DataFrame, account: Account) -> tuple[Ints, Ints]:
    """Which of some places among the links stay, and where they are among the links that are left."""
    is_gone = links[account.side].eq_missing(account.user).to_numpy()
    kept = np.flatnonzero(~is_gone[places])
    left_behind = places[kept]
    moved = left_behind - (np.cumsum(is_gone)[left_behind] if account.takes_rows else 0)
    return kept, moved
