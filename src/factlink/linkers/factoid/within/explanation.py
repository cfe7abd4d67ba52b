"""The score of a pair within one network as a sum: names, shared friends, links between the two, attributes."""

import numpy as np
import polars as pl

from factlink.decision.pair_model import Doubles
from factlink.evidence import FRIENDS as FRIENDS_KIND
from factlink.evidence import RIVALS
from factlink.explanations.frames import Met, join_parts, meet_objects, part_frame
from factlink.explanations.user_names import best_names, user_names
from factlink.linkers.factoid.explanation.pairs import said
from factlink.linkers.factoid.within.evidence import FRIENDS, GAP, LINKED, NAMES, NOT_LINKED, Columns, Sources
from factlink.linkers.factoid.within.friends import FriendRows
from factlink.linkers.factoid.within.learning import Learned
from factlink.types import Ints, Kind, Network

MOST_FRIENDS = 8
"""Shared friends that are listed one by one, the rarest first."""

Asked = tuple[Ints, Ints, Ints]
"""Lefts, rights, and places among the pairs; −1 for a pair that nothing proposed, which has no parts."""


def explain_within(network: Network, sources: Sources, found: Learned, columns: Columns, asked: Asked) -> pl.DataFrame:
    """Columns PARTS: all of the score of each pair."""
    scored = np.flatnonzero(asked[2] >= 0)
    lefts, rights, places = (rows[scored] for rows in asked)
    line = found.calibration
    mine = Columns({title: values[places] for title, values in columns.values.items()})
    weights = {title: line.slope * part for title, part in found.model.parts(mine).items()}
    prior = np.full(len(scored), line.intercept + line.slope * found.model.base)
    parts = [part_frame(scored, prior, RIVALS, "prior: no match")]
    if NAMES in weights:
        met = Met(best_names(network, lefts), best_names(network, rights))
        parts.append(part_frame(scored, weights[NAMES], Kind.NAME, "names", met))
        parts += _gap_part(scored, weights, NAMES, "other users with such names")
    if sources.friends is not None:
        parts += _friend_parts(network, sources.friends, (lefts, rights, scored), weights[FRIENDS])
        parts += _gap_part(scored, weights, FRIENDS, "other users with these friends")
    if LINKED in weights:
        between = weights[LINKED] + weights[NOT_LINKED]
        parts.append(part_frame(scored, between, FRIENDS_KIND, "link between the two", Met(note=_linked(mine))))
    for predicate in sources.attributes:
        if predicate in weights:
            attribute = network.attributes[predicate]
            met = meet_objects(said(attribute, lefts), said(attribute, rights))
            parts.append(part_frame(scored, weights[predicate], attribute.kind.value, predicate, met))
    return join_parts(parts)


def _gap_part(scored: Ints, weights: dict[str, Doubles], title: str, predicate: str) -> list[pl.DataFrame]:
    """How far the pair stands out."""
    return [part_frame(scored, weights[GAP + title], RIVALS, predicate)] if GAP + title in weights else []


def _linked(columns: Columns) -> pl.Series:
    strengths = columns.values[LINKED]
    words = np.where(strengths > 0.75, 2, np.where(strengths > 0.25, 1, 0))
    return pl.Series(["neither follows the other", "one follows the other", "both follow each other"]).gather(words)


def _friend_parts(network: Network, friends: FriendRows, asked: Asked, weights: Doubles) -> list[pl.DataFrame]:
    """The weight of all shared friends, dealt out by how rare each is; of many the rarest, and the rest as one."""
    lefts, rights, scored = asked
    both = friends.rows[lefts].multiply(friends.rows[rights]).tocoo()
    table = pl.DataFrame({"place": both.row, "friend": both.col % friends.n_users, "share": both.data})
    table = table.cast({"place": pl.Int64, "friend": pl.Int64, "share": pl.Float64})
    table = (
        table.group_by("place", "friend")
        .agg(pl.col("share").sum())
        .sort("place", "share", "friend", descending=[False, True, False])
    )
    table = table.with_columns(
        pl.col("share") / pl.col("share").sum().over("place"), rank=pl.int_range(pl.len()).over("place")
    )
    shown = table.filter(pl.col("rank") < MOST_FRIENDS)
    rest = (
        table.filter(pl.col("rank") >= MOST_FRIENDS)
        .group_by("place", maintain_order=True)
        .agg(pl.col("share").sum(), n=pl.len())
    )
    names = user_names(network, shown["friend"].to_numpy())
    n_friends = np.diff(friends.rows.indptr)[shown["friend"].to_numpy()]
    note = pl.DataFrame({"n": n_friends}).select(note=pl.format("{} links", "n"))["note"]
    places, others = shown["place"].to_numpy(), rest["place"].to_numpy()
    return [
        part_frame(
            scored[places],
            weights[places] * shown["share"].to_numpy(),
            FRIENDS_KIND,
            "shared friend",
            Met(names, names, note),
        ),
        part_frame(
            scored[others], weights[others] * rest["share"].to_numpy(), FRIENDS_KIND, "shared friends, the rest"
        ),
    ]
