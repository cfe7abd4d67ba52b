"""Linking a run again with its judgements: matches become known pairs, non-matches are never linked."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from factlink.decision.decisions import DecisionRule
from factlink.decision.overrides import EarlierLinks
from factlink.errors import RunError
from factlink.linkers.settings import remake_linker
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.store import LINKS, keeps_half, load_manifest, read_links
from factlink.runs.inputs import Inputs, LinkRequest, reread_inputs
from factlink.runs.making import LinkResult, make_run
from factlink.types import Decision, LinkSource, Network, Pairs, Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Relinked:
    """The new run, and what is different in it."""

    result: LinkResult
    matches: int
    refused: int
    changes: pl.DataFrame  # left, old, new, reason; null means no link


def relink(run: Path, out: Path, overwrite: bool, on_stage: Callable[[str], None]) -> Relinked:
    """Links the networks of a run again, by the same linker, obeying its judgements."""
    manifest, judgements = load_manifest(run), Judgements(run)
    if manifest.within:
        raise RunError(f"{run} holds pairs within one network, which cannot be linked again yet; make a new run of it")
    if out.resolve() == run.resolve():
        raise RunError(f"{out} is the run itself; name another folder, so that the two can be compared")
    if not judgements.overall().height:
        raise RunError(f"nobody has judged a pair of {run}; judge some with: factlink review {run}")
    request = LinkRequest(run / "left", run / "right", out, overwrite=overwrite, half=keeps_half(manifest))
    linker = remake_linker(manifest.linker, manifest.settings)
    rule = DecisionRule(**manifest.notes["decision_rule"])
    result = make_run(
        request,
        linker,
        on_stage,
        lambda _: judged_inputs(run, reread_inputs(run, manifest), judgements),
        rule,
        reuse=run,
    )
    changes = _changes(run, out, judgements, result.readings[0].network)
    matches, refused = (judgements.pairs(verdict).height for verdict in (Verdict.MATCH, Verdict.NON_MATCH))
    return Relinked(result, matches, refused, changes)


def judged_inputs(run: Path, given: Inputs, judgements: Judgements) -> Inputs:
    """What a run was made from, with what people judged since."""
    left, right = (reading.network for reading in given.readings)
    matches = _rows(judgements.pairs(Verdict.MATCH), left, right)
    refused = _rows(judgements.pairs(Verdict.NON_MATCH), left, right)
    links = read_links(run)
    given_known = _apart(given.known, _rows(links.filter(source=LinkSource.JUDGED.value), left, right))
    known = _joined(given_known, matches, refused)
    earlier = _earlier(links, left, right)
    return Inputs(given.readings, known, matches, refused, earlier, judgements.by_reviewer())


def _earlier(links: pl.DataFrame, left: Network, right: Network) -> EarlierLinks:
    """Links that the linker found: one that was known or judged has no other standing than that."""
    found = links.filter(decision=Decision.LINK.value, source=LinkSource.FOUND.value)
    found = found.filter(left.rows_of(found["left"]) >= 0, right.rows_of(found["right"]) >= 0)
    return EarlierLinks(_rows(found, left, right), found["probability"].fill_null(1.0).to_numpy().astype(np.float32))


def _rows(pairs: pl.DataFrame, left: Network, right: Network) -> Pairs:
    """Judged pairs as rows; users who no longer exist are left out."""
    lefts, rights = left.rows_of(pairs["left"]), right.rows_of(pairs["right"])
    here = (lefts >= 0) & (rights >= 0)
    return Pairs(lefts[here], rights[here])


def _joined(given: Pairs, matches: Pairs, refused: Pairs) -> Pairs:
    """Known pairs and judged matches, each once, without what was judged not to match."""
    both = pl.concat([_frame(given), _frame(matches)]).unique().sort("left", "right")
    return _apart(Pairs(both["left"].to_numpy(), both["right"].to_numpy()), refused)


def _apart(pairs: Pairs, others: Pairs) -> Pairs:
    """The pairs that are not among others: a judged pair is known only while its judgement is valid."""
    apart = _frame(pairs).join(_frame(others), on=["left", "right"], how="anti", maintain_order="left")
    return Pairs(apart["left"].to_numpy(), apart["right"].to_numpy())


def _frame(pairs: Pairs) -> pl.DataFrame:
    return pl.DataFrame({"left": pairs.lefts, "right": pairs.rights}, schema={"left": pl.Int64, "right": pl.Int64})


def _changes(old: Path, new: Path, judgements: Judgements, left: Network) -> pl.DataFrame:
    """Left users whose link is another now, with the likeliest reason."""
    before, after = _links(old), _links(new)
    both = before.join(after, on="left", suffix="_new", maintain_order="left").rename(
        {"right": "old", "right_new": "new"}
    )
    changed = both.filter(pl.col("old").ne_missing(pl.col("new")))
    matches, refused = (judgements.pairs(verdict) for verdict in (Verdict.MATCH, Verdict.NON_MATCH))
    taken = matches.rename({"left": "taker", "right": "old"}).unique("old", keep="last")
    friends = pl.DataFrame({"left": left.users, "friends": _judged_friends(left, matches["left"])})
    changed = changed.join(_marked(matches, "new", "is_match"), on=["left", "new"], how="left", maintain_order="left")
    changed = changed.join(_marked(refused, "old", "is_refused"), on=["left", "old"], how="left", maintain_order="left")
    changed = changed.join(taken, on="old", how="left", maintain_order="left")
    changed = changed.join(friends, on="left", how="left", maintain_order="left")
    return changed.select("left", "old", "new", reason=_reason())


def _reason() -> pl.Expr:
    friends = pl.col("friends")
    return (
        pl.when(pl.col("is_match"))
        .then(pl.lit("judged a match"))
        .when(pl.col("is_refused"))
        .then(pl.lit("the old pair was judged a non-match"))
        .when(pl.col("taker").is_not_null())
        .then(pl.format("the old account was judged to be {}'s", "taker"))
        .when(friends > 0)
        .then(pl.format("neighbours that were judged: {}", friends))
        .otherwise(pl.lit("score changed after your judgements"))
    )


def _links(run: Path) -> pl.DataFrame:
    frame = pl.read_parquet(run / LINKS, columns=["left", "right", "decision"])
    linked = pl.when(pl.col("decision") == Decision.LINK.value).then("right")
    return frame.select("left", right=linked)


def _marked(pairs: pl.DataFrame, column: str, mark: str) -> pl.DataFrame:
    return pairs.rename({"right": column}).with_columns(pl.lit(value=True).alias(mark))


def _judged_friends(network: Network, judged: pl.Series) -> pl.Series:
    """How many neighbours of each user were judged, each link counted."""
    is_judged = np.zeros(len(network), np.bool_)
    rows = network.rows_of(judged)
    is_judged[rows[rows >= 0]] = True
    counts = np.zeros(len(network), np.int64)
    for follows in network.links.values():
        for mine, others in ((follows.followers, follows.followees), (follows.followees, follows.followers)):
            counts += np.bincount(mine[is_judged[others]], minlength=len(network))
    return pl.Series(counts)
