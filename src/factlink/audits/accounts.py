"""One account: how linkable it is, the three things that give it away, and the smallest change that hides it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from factlink.audits.attacks import Attack, Attacker
from factlink.audits.reasons import release_parts
from factlink.audits.release import Release
from factlink.audits.risks import HEADLINE
from factlink.explanations.explain import explain_pairs
from factlink.types import Attribute, Floats, Follows, Ints, Network

NAMED = 3
"""Things that are named."""

Removed = Mapping[str, Ints]  # by column or link predicate, the rows that lose it


@dataclass(frozen=True, slots=True)
class Thing:
    """A column's values or the links of an account, and how linkable it is when this and the things before are gone."""

    predicate: str
    shown: str  # the values, or how many links
    probability: float  # after the removal


@dataclass(frozen=True, slots=True)
class Exposed:
    """How linkable one account is."""

    user: str
    partner: str | None  # the account of the attacker: the true one by a truth, else the one found
    probability: float  # that the attacker gives to this pair
    linked: bool  # at the level of the headline
    correct: bool | None  # by the truth; None without
    things: tuple[Thing, ...]  # what gives it away, in the order to remove them
    smallest: tuple[str, ...] | None  # what to remove to hide it; none where it is hidden; None where nothing does
    evidence: tuple[str, ...]  # the strongest agreements, as the linker explains them


def expose(attacker: Attacker, attack: Attack, rows: Ints) -> list[Exposed]:
    """Takes things away from accounts, one after the other, and links again each time; all accounts at once.

    Nothing is taken from accounts that are not linked.
    """
    release, partners = attack.release, _partners(attack, rows)
    base = _probabilities(attack, rows, partners)
    owned = [own if p >= HEADLINE else [] for own, p in zip(_owned(release.left, rows), base, strict=True)]
    gone: list[list[str]] = [[] for _ in rows]
    after: list[list[float]] = [[] for _ in rows]
    smallest: list[tuple[str, ...] | None] = [() if p < HEADLINE else None for p in base]
    for _ in range(NAMED if (base >= HEADLINE).any() else 0):
        tried = _try_each(attacker, release, rows, partners, list(zip(gone, owned, strict=True)))
        for place, found in enumerate(tried):
            if not found:
                continue
            best = min(sorted(found), key=found.__getitem__)
            gone[place].append(best)
            after[place].append(found[best])
            if smallest[place] is None and found[best] < HEADLINE:
                smallest[place] = tuple(gone[place])
    return [
        Exposed(
            str(release.left.users[int(row)]),
            str(release.right.users[int(partner)]) if partner >= 0 else None,
            float(p),
            bool(p >= HEADLINE),
            None if release.truth is None else bool(release.are_true(np.array([row]), attack.rights[[row]])[0]),
            tuple(Thing(g, _shown(release.left, g, int(row)), a) for g, a in zip(names, levels, strict=True)),
            least,
            _evidence(attack, int(row), int(partner)),
        )
        for row, partner, p, names, levels, least in zip(rows, partners, base, gone, after, smallest, strict=True)
    ]


def without_things(network: Network, removed: Removed) -> Network:
    """The network in which some users lose their values of some columns, or all their links of some predicates."""
    attributes = {name: _less(attribute, removed.get(name)) for name, attribute in network.attributes.items()}
    links = {name: _fewer(follows, removed.get(name)) for name, follows in network.links.items()}
    return replace(network, attributes=attributes, links=links)


def _try_each(
    attacker: Attacker, release: Release, rows: Ints, partners: Ints, state: Sequence[tuple[list[str], list[str]]]
) -> list[dict[str, float]]:
    """Of each account, the probability after one more of its things is gone."""
    left = [sorted(set(owned) - set(gone)) for gone, owned in state]
    tried: list[dict[str, float]] = [{} for _ in rows]
    for turn in range(max(map(len, left), default=0)):
        removed: dict[str, list[int]] = {}
        for place, (gone, _) in enumerate(state):
            for name in [*gone, *left[place][turn : turn + 1]]:
                removed.setdefault(name, []).append(int(rows[place]))
        changed = release.publish(without_things(release.left, {name: np.array(r) for name, r in removed.items()}))
        probabilities = _probabilities(attacker.attack(changed), rows, partners)
        for place, names in enumerate(left):
            if turn < len(names):
                tried[place][names[turn]] = float(probabilities[place])
    return tried


def _partners(attack: Attack, rows: Ints) -> Ints:
    """The true right account if the truth names one, else the attacker's best candidate; −1 for nobody."""
    best = np.full(len(rows), -1) if attack.found is None else attack.found.best_of(rows)
    partners = np.where(attack.rights[rows] >= 0, attack.rights[rows], best).astype(np.int64)
    if attack.release.truth is not None:
        true = np.full(len(attack.release.left), -1)
        true[attack.release.truth.pairs.lefts] = attack.release.truth.pairs.rights
        partners = np.where(true[rows] >= 0, true[rows], partners)
    return partners


def _probabilities(attack: Attack, rows: Ints, partners: Ints) -> Floats:
    """That the attacker gives to each pair, or to the link that is made of it."""
    there = partners >= 0
    if attack.found is None or not there.any():
        return np.zeros(len(rows), np.float32)
    pairs = attack.found.probabilities_of(rows, np.where(there, partners, 0))
    return np.where(there, pairs, 0).astype(np.float32)


def _owned(network: Network, rows: Ints) -> list[list[str]]:
    """Of each account, the columns and link predicates in which it has something."""
    owned: list[list[str]] = [[] for _ in rows]
    for name in release_parts(network):
        has = np.zeros(len(network), np.bool_)
        if name in network.attributes:
            has[network.attributes[name].rows] = True
        if name in network.links:
            has[network.links[name].followers] = has[network.links[name].followees] = True
        for place in np.flatnonzero(has[rows]):
            owned[place].append(name)
    return owned


def _shown(network: Network, name: str, row: int) -> str:
    shown = []
    if name in network.attributes:
        attribute = network.attributes[name]
        shown += attribute.objects.filter(attribute.rows == row).to_list()
    if name in network.links:
        follows = network.links[name]
        count = int(((follows.followers == row) | (follows.followees == row)).sum())
        shown.append(f"{count:,} link{'' if count == 1 else 's'}")
    return "; ".join(shown)


def _less(attribute: Attribute, rows: Ints | None) -> Attribute:
    if rows is None:
        return attribute
    kept = ~np.isin(attribute.rows, rows)
    return Attribute(attribute.kind, attribute.rows[kept], attribute.objects.filter(kept))


def _fewer(follows: Follows, rows: Ints | None) -> Follows:
    if rows is None:
        return follows
    kept = ~(np.isin(follows.followers, rows) | np.isin(follows.followees, rows))
    return Follows(follows.followers[kept], follows.followees[kept], follows.weights[kept])


def _evidence(attack: Attack, row: int, partner: int) -> tuple[str, ...]:
    """The strongest parts that speak for the pair."""
    if attack.found is None or partner < 0:
        return ()
    parts = explain_pairs(attack.found.scorer, np.array([row]), np.array([partner])).to_dicts()
    met = [part for part in parts if part["weight"] > 0 and part["left_object"] and part["right_object"]]
    return tuple(f"{part['predicate']}: {part['left_object']} – {part['right_object']}" for part in met[:NAMED])
