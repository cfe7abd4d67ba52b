"""Measures carried out: on the release, and on the data of an attacker who knows of them."""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from factlink.audits.measures.proposals import FEWEST_ALIKE, LEARNABLE, WORDS_KEPT, Action, Measure
from factlink.audits.release import Release, in_id_order
from factlink.types import Attribute, Follows, Kind, Network

OTHER = "other"


def take_measures(release: Release, measures: Sequence[Measure], seed: int, *, attacker_knows: bool) -> Release:
    """The release after some measures; an attacker who knows of them treats the own columns alike."""
    left, right = release.left, release.right
    for measure in measures:
        if attacker_knows and measure.action in LEARNABLE:
            right = _treat_right(measure, left, right)
        left = _treat_left(measure, left, seed)
    taken = replace(release, left=left, right=right)
    gone = [user for measure in measures for user in measure.users]
    return taken.keep(~np.isin(left.users.to_numpy(), gone)) if gone else taken


def _treat_left(measure: Measure, network: Network, seed: int) -> Network:
    name = measure.predicate
    if measure.action is Action.LEAVE_OUT:
        return network
    if measure.action is Action.DROP:
        return _without(network, name, of_links=measure.kind is None)
    if measure.action in (Action.REMOVE_LINKS, Action.SWAP_LINKS):
        return replace(network, links={**network.links, name: _change_links(measure, network, seed)})
    return _with_column(network, name, _changed(measure, network.attributes[name], seed))


def _changed(measure: Measure, attribute: Attribute, seed: int) -> pl.Series:
    if measure.action is Action.PSEUDONYMS:
        return _pseudonyms(attribute.objects, seed)
    if measure.action is Action.MERGE:
        return _merge_rare(attribute.objects, _frequent(attribute.objects))
    return coarser(attribute)


def _without(network: Network, name: str, *, of_links: bool) -> Network:
    if of_links:
        return replace(network, links={key: links for key, links in network.links.items() if key != name})
    return replace(network, attributes={key: column for key, column in network.attributes.items() if key != name})


def _treat_right(measure: Measure, left: Network, right: Network) -> Network:
    """The columns of the same name, or else of the same kind, become as coarse as the column of the release."""
    same = [name for name in right.attributes if name == measure.predicate]
    alike = same or [name for name, attribute in right.attributes.items() if attribute.kind is measure.kind]
    for name in alike:
        attribute = right.attributes[name]
        if measure.action is Action.MERGE:
            objects = _merge_rare(attribute.objects, _frequent(left.attributes[measure.predicate].objects))
        else:
            objects = coarser(attribute)
        right = _with_column(right, name, objects)
    return right


def coarser(attribute: Attribute) -> pl.Series:
    """Values that say less: initials, years, one digit, the last part of a place, the first words of a text."""
    values = attribute.objects
    match attribute.kind:
        case Kind.TEXT:
            return values.str.extract(rf"^\s*((?:\S+\s*){{0,{WORDS_KEPT}}})", 1).str.strip_chars()
        case Kind.DATE:
            return values.str.extract(r"((?:1[5-9]|20)\d{2})", 1)
        case Kind.NUMBER:
            return _one_digit(values)
        case Kind.LOCATION:
            return values.str.split(",").list.last().str.strip_chars()
        case _:
            return _initials(values)


def _one_digit(values: pl.Series) -> pl.Series:
    numbers = values.str.strip_chars().cast(pl.Float64, strict=False)
    return numbers.round_sig_figs(1).cast(pl.String)


def _initials(values: pl.Series) -> pl.Series:
    """'Amy Mei Tan' → 'Amy M. T.'"""
    words = pl.col("v").str.split(" ").list.eval(pl.element().filter(pl.element() != ""))
    rest = words.list.slice(1).list.eval(pl.element().str.slice(0, 1) + ".")
    frame = pl.DataFrame({"v": values}).select(pl.concat_list(words.list.slice(0, 1), rest).list.join(" "))
    return frame.to_series().alias(values.name)


def _frequent(values: pl.Series) -> pl.Series:
    counts = values.value_counts()
    return counts.filter(pl.col("count") >= FEWEST_ALIKE)[:, 0]


def _merge_rare(values: pl.Series, frequent: pl.Series) -> pl.Series:
    kept = values.is_in(frequent.implode())
    return pl.select(pl.when(kept).then(values).otherwise(pl.lit(OTHER))).to_series()


def _pseudonyms(values: pl.Series, seed: int) -> pl.Series:
    """The same word for the same value, and none can be made without the key."""
    key = hashlib.sha256(f"audit {seed}".encode()).digest()
    distinct = values.unique().sort()
    words = [f"u{hmac.new(key, value.encode(), 'sha256').hexdigest()[:12]}" for value in distinct]
    return values.replace_strict(distinct, pl.Series(words, dtype=pl.String), return_dtype=pl.String)


def _with_column(network: Network, name: str, objects: pl.Series) -> Network:
    """The network with other values in a column; empty ones go."""
    attribute = network.attributes[name]
    there = (objects.is_not_null() & (objects != "")).fill_null(False)
    changed = Attribute(attribute.kind, attribute.rows[there.to_numpy()], objects.filter(there))
    return replace(network, attributes={**network.attributes, name: changed})


def _change_links(measure: Measure, network: Network, seed: int) -> Follows:
    """Without a share of the links, or with the followees of that share dealt out anew; no one follows oneself."""
    follows = network.links[measure.predicate]
    ranks = np.empty(len(network), np.int64)
    ranks[in_id_order(network)] = np.arange(len(network))
    rng = np.random.default_rng([seed, len(follows)])
    order = rng.permutation(np.lexsort((ranks[follows.followees], ranks[follows.followers])))
    chosen = order[: round(measure.share * len(follows))]
    kept, followees = np.ones(len(follows), np.bool_), follows.followees.copy()
    if measure.action is Action.REMOVE_LINKS:
        kept[chosen] = False
    else:
        followees[chosen] = followees[rng.permutation(chosen)]
        kept = follows.followers != followees
    return Follows(follows.followers[kept], followees[kept], follows.weights[kept])
