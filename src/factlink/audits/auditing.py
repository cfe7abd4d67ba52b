"""The whole audit: risk, why, what would help, and one account."""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from factlink.audits.accounts import Exposed, expose
from factlink.audits.attacks import Attack, Attacker
from factlink.audits.groups import Group, check_columns, risk_by_group
from factlink.audits.measures.proposals import Measure, propose_measures
from factlink.audits.measures.search import Advice, Search, Tried, try_measures
from factlink.audits.reasons import Reasons, find_reasons
from factlink.audits.release import Release, in_id_order
from factlink.audits.risks import HEADLINE, Risk, measure_risks
from factlink.audits.sampling import sample_release
from factlink.audits.writing import audit_folder, write_audit
from factlink.display import pairs_html
from factlink.errors import SettingError
from factlink.explanations.user_names import best_names
from factlink.protocols import Linker
from factlink.types import Network

LISTED = 50
"""Most exposed people that are listed."""


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """What is asked of an audit."""

    target: float = 0.05  # the risk that measures should bring about
    groups: tuple[str, ...] = ()  # columns of the release to group people by
    user: str | None = None  # one account of the release to look at
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.target < 1:
            raise SettingError(f"target is {self.target}; use a share from 0 to below 1, such as 0.05")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two networks."""

    name: str
    users: int
    links: int
    kinds: Mapping[str, str]  # by column

    @classmethod
    def of(cls, network: Network) -> "Side":
        """In numbers."""
        kinds = {name: attribute.kind.value for name, attribute in network.attributes.items()}
        return cls(network.name, len(network), sum(map(len, network.links.values())), kinds)


@dataclass(frozen=True, slots=True)
class ExposedPerson:
    """A person of the release whom the attacker links."""

    user: str
    name: str | None
    partner: str
    probability: float
    correct: bool | None  # by the truth; None without


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found."""

    left: Side
    right: Side
    linker: str
    by_truth: bool  # or from the probabilities of the linker
    known_pairs: int
    people: int  # whose risk is measured
    risks: tuple[Risk, ...]
    groups: tuple[Group, ...]
    exposed: tuple[ExposedPerson, ...]
    tried_on: int  # people on whom reasons and measures were tried
    reasons: Reasons
    advice: Advice
    verified: Tried | None  # the measures chosen, on the whole release; None where they were tried on it
    account: Exposed | None
    attacks: int

    @property
    def risk(self) -> float:
        """The share of people whom an attacker links correctly and holds more likely right than wrong."""
        return self.risks[0].correct.value

    @property
    def after(self) -> Tried:
        """The measures chosen and the risk after them, on the whole release."""
        return self.verified or self.advice.chosen

    @property
    def reached(self) -> bool:
        """Whether the measures bring the risk under the target."""
        return self.after.risk.value <= self.advice.target

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON can hold it; measures are in words too."""
        values: dict[str, Any] = _in_words(self)
        return values | {"risk": self.risk, "reached": self.reached}

    def save(self, folder: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Writes the page, its JSON twin and the list of exposed people to a folder."""
        with audit_folder(Path(folder), overwrite=overwrite) as new:
            write_audit(self.as_dict(), new)
        return Path(os.path.realpath(folder))

    def __repr__(self) -> str:
        return f"<Audit of {self.left.name}: risk {self.risk:.3f}, {self.after.risk.value:.3f} after {self._plan()}>"

    def _repr_html_(self) -> str:
        risks = {f"risk at {risk.level:.0%} certainty": f"{risk.correct.value:.1%}" for risk in self.risks}
        after = {"measures": self._plan(), "risk after them": f"{self.after.risk.value:.1%}"}
        return pairs_html(f"Audit of {self.left.name}", risks | after)

    def _plan(self) -> str:
        return "; ".join(measure.words for measure in self.after.measures) or "no measures"


def run_audit(
    release: Release, linker: Linker, asked: AuditSettings, on_stage: Callable[[str], None] = lambda stage: None
) -> Audit:
    """Attacks the release as it is, in parts, and after measures."""
    check_columns(release.left, asked.groups)
    wanted = None if asked.user is None else np.array([release.left.row_of(asked.user)])
    attacker = Attacker(linker, asked.seed, on_stage)
    attack = attacker.attack(release, may_be_empty=False)
    part = attack
    if (sample := sample_release(attack, asked.seed, wanted)) is not release:
        attacker.task = "linking a part of the release"
        part = attacker.attack(sample)
    attacker.task = "trying columns and links"
    reasons = find_reasons(attacker, sample, part.risk(HEADLINE), asked.seed)
    attacker.task = "trying measures"
    advice = Search(attacker, part, asked.target, asked.seed).run()
    verified = None
    if sample is not release and advice.chosen.measures:
        attacker.task = "verifying the measures on the whole release"
        verified = try_measures(attacker, release, _on_whole(advice, attack), asked.seed)
    attacker.task = "looking at one account"
    account = None if asked.user is None else expose(attacker, part, part.release.left.rows_of([asked.user]))[0]
    return Audit(
        Side.of(release.left),
        Side.of(release.right),
        linker.name,
        release.truth is not None,
        len(release.known),
        int(release.counted.sum()),
        tuple(measure_risks(attack)),
        tuple(risk_by_group(attack, asked.groups)),
        tuple(_most_exposed(attack)),
        len(sample.left),
        reasons,
        advice,
        verified,
        account,
        attacker.fits,
    )


def _on_whole(advice: Advice, attack: Attack) -> list[Measure]:
    """The measures chosen on a part, for the whole release: the same share of its own most exposed people."""

    whole = {(m.action, m.predicate, m.share): m for m in propose_measures(attack)}
    return [whole[m.action, m.predicate, m.share] for m in advice.chosen.measures]


def _most_exposed(attack: Attack) -> list[ExposedPerson]:
    """Those whom the attacker links, the most certain first; known pairs aside."""
    release, by_id = attack.release, in_id_order(attack.release.left)
    linked = by_id[(attack.claimed(HEADLINE) & release.counted)[by_id]]
    rows = linked[np.argsort(-attack.probabilities[linked], kind="stable")][:LISTED]
    rights = attack.rights[rows]
    true = release.are_true(rows, rights)
    return [
        ExposedPerson(
            str(release.left.users[int(row)]),
            name,
            str(release.right.users[int(right)]),
            float(attack.probabilities[row]),
            None if release.truth is None else bool(is_true),
        )
        for row, right, name, is_true in zip(rows, rights, best_names(release.left, rows), true, strict=True)
    ]


def _in_words(value: Any) -> Any:
    """Nested dataclasses as mappings; a measure has its words beside its parts."""

    if isinstance(value, Measure):
        return {"words": value.words, **asdict(value), "users": list(value.users)}
    if isinstance(value, (list, tuple)):
        return [_in_words(one) for one in value]
    if isinstance(value, Mapping):
        return {key: _in_words(one) for key, one in value.items()}
    fields = getattr(value, "__dataclass_fields__", None)
    return value if fields is None else {name: _in_words(getattr(value, name)) for name in fields}
