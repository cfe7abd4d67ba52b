"""Is an audit right? Made-up worlds, whose truth the audit does not see.

    python benchmarks/audit.py [SET ...]                small worlds
    python benchmarks/audit.py "20,000 people"          one whole audit of a large release, timed

Every attack of an audit is compared with the truth: the risk as it is, the risk after each measure and after those that
were chosen, and accounts without the three things that are named. All seeds are new: none was used while the audit was
written. Sets that are named are measured anew.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from machine import MAKING_UP, linking, made_by, measure_anew
from machine import made_up as drawn
from pages import Block, fill_pages, read_result, table

from factlink.audits.accounts import Exposed, expose, without_things
from factlink.audits.attacks import Attack, Attacker
from factlink.audits.auditing import AuditSettings, run_audit
from factlink.audits.measures.proposals import Measure
from factlink.audits.measures.search import Search, Tried
from factlink.audits.release import Release, in_id_order
from factlink.audits.risks import HEADLINE, LEVELS
from factlink.data.pairs import Truth
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.synthetic.worlds import Dials, LinkDials, Population, World, twins
from factlink.types import Attribute, Ints, Network

TARGET = 0.05
ACCOUNTS = 30
LARGE = "20,000 people"
STRINGS = "random strings"
WORLDS = {
    "handles and names": Dials(Population(people=240, predicates=("username", "screen_name")), seed=110),
    "usual": Dials(Population(people=300), seed=101),
    "half of the people in common": Dials(Population(people=450, presence=0.6), seed=102),
    "with places, few links": Dials(
        Population(people=300, predicates=("username", "screen_name", "bio", "location")),
        links=LinkDials(mean=4),
        seed=103,
    ),
    "names alone": Dials(Population(people=400, predicates=("screen_name",)), links=LinkDials(mean=0), seed=104),
    STRINGS: Dials(Population(people=300), seed=107),
    f"{STRINGS}, again": Dials(Population(people=300), seed=108),
    f"{STRINGS}, no links": Dials(Population(people=600), links=LinkDials(mean=0), seed=109),
    LARGE: Dials(Population(people=26_000, presence=0.77), seed=106),
}
AUDITING = "factlink.audits.auditing"


class Judge(Attacker):
    """An attacker whose every attack is compared with the truth, which it never sees."""

    def __init__(self, world: World) -> None:
        super().__init__(FactoidLinker(), on_stage=lambda stage: print(stage, file=sys.stderr, flush=True))
        left, right = world.networks
        truth = world.whole_truth(left.name, right.name)
        self.partners = pl.DataFrame(
            {"left": left.users.gather(truth.lefts), "right": right.users.gather(truth.rights)}
        )
        self.true_risks: list[float] = []

    def outcome(self, release: Release) -> Attack:
        """As any attacker; the true risk is kept."""
        found = super().outcome(release)
        self.true_risks.append(self.judged(found).risk(HEADLINE))
        return found

    def judged(self, attack: Attack) -> Attack:
        """The same attack, with the truth."""
        release = attack.release
        lefts, rights = release.left.rows_of(self.partners["left"]), release.right.rows_of(self.partners["right"])
        there = (lefts >= 0) & (rights >= 0)
        absent = np.setdiff1d(np.arange(len(release.left)), lefts[there])
        pairs = type(release.known)(lefts[there], rights[there])
        return replace(attack, release=replace(release, truth=Truth(pairs, absent)))


class JudgedSearch(Search):
    """A search whose every step is compared with the truth."""

    def __init__(self, judge: Judge, attack: Attack) -> None:
        super().__init__(judge, attack, TARGET, 0)
        self.judge = judge
        self.true_risks: dict[tuple[Measure, ...], float] = {}

    def attempt(self, measures: Sequence[Measure]) -> Tried:
        """As any search; the true risk of the better attack is kept."""
        before = len(self.judge.true_risks)
        tried = super().attempt(measures)
        self.true_risks[tuple(measures)] = max(self.judge.true_risks[before:])
        return tried


def measure(name: str) -> Iterator[dict[str, object]]:
    """One world."""
    dials = WORLDS[name]
    made = made_by([*linking("factoid"), AUDITING, MAKING_UP], drawn(dials))
    row: dict[str, object] = {"set": name, "seed": dials.seed, "made": made}
    world = twins(dials)
    if name == LARGE:
        yield row | timed(world)
        return
    left, right = world.networks
    if name.startswith(STRINGS):
        left = with_random_strings(left, dials.seed)
    judge = Judge(world)
    attack = judge.attack(Release(left, right))
    row |= {"people": len(left), "risks": risks(judge, attack)}
    if not name.startswith(STRINGS):
        row |= measures(judge, attack) | accounts(judge, attack)
    yield row


def risks(judge: Judge, attack: Attack) -> list[dict[str, float]]:
    """Estimated without labels, and true."""
    true = judge.judged(attack)
    return [
        {"level": level, "estimated": round(attack.risk(level), 4), "true": round(true.risk(level), 4)}
        for level in LEVELS
    ]


def measures(judge: Judge, attack: Attack) -> dict[str, object]:
    """How much measures lower the risk: as predicted, and truly."""
    search = JudgedSearch(judge, attack)
    advice = search.run()
    before, true_before = advice.before.value, judge.judged(attack).risk(HEADLINE)
    rows = [
        {
            "measures": "; ".join(measure.words for measure in tried.measures),
            "predicted": round(before - tried.risk.value, 4),
            "true": round(true_before - search.true_risks[tried.measures], 4),
        }
        for tried in (*advice.single, advice.chosen)
        if tried.measures
    ]
    after = round(search.true_risks.get(advice.chosen.measures, true_before), 4)
    return {"reached": advice.reached, "true_risk_after": after, "chosen": rows[-1], "single": rows[:-1]}


def accounts(judge: Judge, attack: Attack) -> dict[str, object]:
    """Accounts that are linked correctly, and how many the three named things hide when they are removed."""
    true = judge.judged(attack)
    linked = np.flatnonzero(true.correct(HEADLINE) > 0)
    by_id = [row for row in in_id_order(attack.release.left) if row in set(linked.tolist())]
    rows = np.array(by_id[:ACCOUNTS])
    found = expose(judge, attack, rows)
    return {"accounts": len(rows), "hidden": still_linked(judge, attack.release, rows, found)}


def still_linked(judge: Judge, release: Release, rows: Ints, found: Sequence[Exposed]) -> int:
    """How many are no longer linked to their true partner, without the three things."""
    removed: dict[str, list[int]] = {}
    for row, account in zip(rows, found, strict=True):
        for thing in account.things:
            removed.setdefault(thing.predicate, []).append(int(row))
    changed = without_things(release.left, {name: np.array(lost) for name, lost in removed.items()})
    again = judge.judged(judge.attack(release.publish(changed)))
    return int((again.correct(HEADLINE)[rows] == 0).sum())


def with_random_strings(network: Network, seed: int) -> Network:
    """The network with random letters in every column, and links dealt out at random."""
    rng = np.random.default_rng(seed)
    attributes = {
        name: Attribute(a.kind, a.rows, pl.Series(["".join(map(chr, rng.integers(97, 123, 10))) for _ in a.rows]))
        for name, a in network.attributes.items()
    }
    links = {name: replace(f, followees=rng.permutation(f.followees)) for name, f in network.links.items()}
    return replace(network, attributes=attributes, links=links)


def timed(world: World) -> dict[str, object]:
    """One whole audit without labels."""
    left, right = world.networks
    started, worked = time.monotonic(), time.process_time()
    audit = run_audit(Release(left, right), FactoidLinker(), AuditSettings(), lambda stage: print(stage, flush=True))
    true = world.whole_truth(left.name, right.name)
    return {
        "people": len(left),
        "seconds": round(time.monotonic() - started, 1),
        "processor_seconds": round(time.process_time() - worked, 1),
        "attacks": audit.attacks,
        "tried_on": audit.tried_on,
        "estimated": round(audit.risk, 4),
        "in_common": len(true),
    }


def blocks() -> list[Block]:
    """One line for each small world."""
    result = read_result("audit")
    head = ["made-up world", "people", "risk estimated", "true", "after the chosen measures: predicted", "true"]
    head += ["largest error of a predicted fall", "accounts hidden"]
    lines = []
    for row in result.rows:
        if "risks" not in row:
            continue
        first = row["risks"][0]
        cells = [f"{row['people']:,}", f"{first['estimated']:.3f}", f"{first['true']:.3f}"]
        if "chosen" in row:
            every = [row["chosen"], *row["single"]]
            worst = max(abs(one["predicted"] - one["true"]) for one in every)
            cells += [f"{first['estimated'] - row['chosen']['predicted']:.3f}", f"{row['true_risk_after']:.3f}"]
            cells += [f"{worst:.3f}", f"{row['hidden']} of {row['accounts']}"]
        else:
            cells += [""] * 4
        lines.append("| " + " | ".join([result.label(row["set"], row), *cells]) + " |")
    return [Block("docs/audit.md", "audit: benchmarks/audit.py", table(head, lines, result.note()))]


def main() -> None:
    """Measures the sets named, or all small ones, and keeps earlier rows of the others."""
    measure_anew(
        "audit", sys.argv[1:] or [name for name in WORLDS if name != LARGE], measure, ["factlink", "numpy", "numba"]
    )
    fill_pages(blocks())


if __name__ == "__main__":
    main()
