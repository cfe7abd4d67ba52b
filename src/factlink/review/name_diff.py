"""Two names side by side: which parts of them differ."""

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from typing import Any

from factlink.types import Kind

Values = dict[str, Any]

LONGEST = 120
"""Characters of a name that are shown and compared: matching is quadratic, and a name may be anything."""
MOST = 12
"""Names of one account that are compared."""

_JOINERS = ("\u200d", "\ufe0f", "\ufe0e")
_TAGS_AND_TONES = (range(0x1F3FB, 0x1F400), range(0xE0020, 0xE0080))


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a name, and whether the nearest name of the other account has it too."""

    text: str
    same: bool


UNRELATED = 0.5
"""Two names that have a smaller share of their characters in common are not compared character by character."""


def marked_names(mine: Sequence[str], others: Sequence[str]) -> list[list[Part]]:
    """Each of my names in parts, marked against the most similar of the other names; one part if none is similar."""
    counterparts = [_clusters(name) for name in others[:MOST]]
    return [_marked(_clusters(name), counterparts) for name in mine]


def _marked(name: list[str], others: Sequence[list[str]]) -> list[Part]:
    folded = [cluster.casefold() for cluster in name]
    best = max((_matcher(folded, other) for other in others), key=lambda m: m.ratio(), default=None)
    if best is None:
        return [Part("".join(name), same=True)]
    if best.ratio() < UNRELATED:
        return [Part("".join(name), same=False)]
    parts = []
    for tag, start, end, _, _ in best.get_opcodes():
        if start < end:
            parts.append(Part("".join(name[start:end]), same=tag == "equal"))
    return parts


def _matcher(folded: list[str], other: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, folded, [cluster.casefold() for cluster in other], autojunk=False)


def _clusters(text: str) -> list[str]:
    """What a reader sees as single characters: accents, vowel signs and joined emoji stay with their base."""
    clusters: list[str] = []
    shown = unicodedata.normalize("NFC", text)
    for char in shown[:LONGEST] + ("…" if len(shown) > LONGEST else ""):
        if clusters and (_continues(char) or clusters[-1][-1] == "\u200d"):
            clusters[-1] += char
        else:
            clusters.append(char)
    return clusters


def _continues(char: str) -> bool:
    return (
        unicodedata.category(char).startswith("M") or char in _JOINERS or any(ord(char) in r for r in _TAGS_AND_TONES)
    )


def mark_names(left: Values, right: Values) -> None:
    """Splits the names of two accounts, as a page shows them, into parts that are the same and parts that differ."""
    names = {
        side["side"]: [text for part in side["shown"] if part["kind"] == Kind.NAME for text in part["objects"]]
        for side in (left, right)
    }
    for side, other in ((left, "right"), (right, "left")):
        for part in side["shown"]:
            if part["kind"] == Kind.NAME:
                part["marked"] = [[asdict(p) for p in parts] for parts in marked_names(part["objects"], names[other])]


def face_to_face(left: list[Values], right: list[Values]) -> list[Values]:
    """What the two accounts show, predicate by predicate, so that the same things face each other."""
    mine, theirs = ({part["predicate"]: part for part in side} for side in (left, right))
    return [
        {"predicate": predicate, "left": mine.get(predicate), "right": theirs.get(predicate)}
        for predicate in dict.fromkeys([*mine, *theirs])
    ]
