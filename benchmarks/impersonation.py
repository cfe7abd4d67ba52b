"""Same names, separate friends: how many of the links that factlink points out are impersonations?

    python benchmarks/impersonation.py [SET ...]        real networks from FACTLINK_DATA, else ../shared/data

Made-up networks with and without impersonators. The rule was chosen on seeds 1 and 2 of the usual ones; the others
check it. Real networks, in which nobody is known to be impersonated, show how often honest links are pointed out. Sets
that are named are measured anew.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl
from machine import DATA, MAKING_UP, files, linking, made_by, measure_anew
from machine import made_up as drawn
from pages import Block, fill_pages, read_result, table
from quality import SETS

from factlink.candidates.top_k import best_candidates
from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network
from factlink.decision.decisions import link
from factlink.explanations.explain import explain, explain_pairs, measure_links, sum_agreement
from factlink.explanations.friends import COUNTS, Yardstick, add_linked_friends, are_separate, link_table
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.protocols import Scorer
from factlink.synthetic.worlds import Dials, LinkDials, NameDials, Population, twins
from factlink.types import DECISIONS, Decision, Ints, Network, Pairs

CHOSEN, CHECKED = (1, 2), (3, 4, 5)
SIZES = (600, 1_500, 5_000)
SHARES = (0.0, 0.01, 0.05)
CANDIDATES = 5
POINTING_OUT = "factlink.explanations.explain"

WORLDS = {
    "made-up": Dials(),
    "made-up, names mostly the same": Dials(names=NameDials(same=0.8, near=0.1, hidden=0.0)),
    "made-up, few links in common": Dials(links=LinkDials(kept=0.4, own=0.5)),
    "made-up, 20 links": Dials(links=LinkDials(mean=20)),
}
REAL = ("congress", "dbp15k_fr_en", "dbp_fb")


def made_up(name: str) -> Iterator[dict[str, object]]:
    """One kind of world; the usual one in all sizes, and on the seeds that the rule was chosen on."""
    for people in SIZES if name == "made-up" else SIZES[1:2]:
        seeds = (
            CHECKED[:2] if name != "made-up" else (CHOSEN[0], CHECKED[0]) if people == SIZES[-1] else CHOSEN + CHECKED
        )
        for seed in seeds:
            for share in SHARES:
                dials = replace(WORLDS[name], population=Population(people=people, impersonated=share), seed=seed)
                world = twins(dials)
                pairs = world.whole_truth("left", "right"), world.impersonations("left", "right")
                row = {"set": name, "people": people, "impersonated": share, "seed": seed}
                row["made"] = made_by([*linking("factoid"), POINTING_OUT, MAKING_UP], drawn(dials))
                yield row | {"chosen_on": name == "made-up" and seed in CHOSEN} | count(*world.networks, *pairs)


def real(name: str) -> Iterator[dict[str, object]]:
    """A set in which nobody is known to be an impersonator."""
    left, right = (read_network(DATA / folder) for folder in SETS[name][:2])
    truth = read_pairs(DATA / SETS[name][2], left, right)
    nobody = Pairs(np.empty(0, np.int64), np.empty(0, np.int64))
    made = made_by([*linking("factoid"), POINTING_OUT], files(*SETS[name]))
    yield {"set": name, "impersonated": 0.0, "made": made} | count(left, right, truth, nobody)


def count(left: Network, right: Network, truth: Pairs, copies: Pairs) -> dict[str, object]:
    """Links, and those pointed out; the same for candidates that are no links."""
    scorer = FactoidLinker().fit(left, right)
    links = link(scorer)
    evidence = explain(scorer, links)
    usual = measure_links(scorer, links, evidence)
    linked = links.decisions == DECISIONS.index(Decision.LINK)
    pairs = Pairs(links.lefts[linked].astype(np.int64), links.rights[linked].astype(np.int64))
    others = other_candidates(scorer, pairs)
    found = pointed_out(scorer, usual, pairs, pairs)
    missed = pointed_out(scorer, usual, others, pairs) if usual.is_telling else others.lefts[:0]
    return {
        "links": len(pairs),
        "true_links": among(pairs, truth),
        "impersonations_linked": among(pairs, copies),
        "pointed_out": len(found),
        "impersonations": among(at(pairs, found), copies),
        "true": among(at(pairs, found), truth),
        "other_candidates_pointed_out": len(missed),
        "impersonations_among_them": among(at(others, missed), copies),
    }


def pointed_out(scorer: Scorer, usual: Yardstick, pairs: Pairs, linked: Pairs) -> Ints:
    """Places of pairs that agree as the best links do and whose friends are separate."""
    if not usual.is_telling:
        return np.empty(0, np.int64)
    frame = as_frame(pairs).with_columns(
        left_id=scorer.left.users.gather(pairs.lefts), right_id=scorer.right.users.gather(pairs.rights)
    )
    sums = sum_agreement(explain_pairs(scorer, pairs.lefts, pairs.rights).lazy()).collect()
    frame = frame.join(
        sums, left_on=["left_id", "right_id"], right_on=["left", "right"], how="left", maintain_order="left"
    )
    frame = add_linked_friends(frame, as_frame(linked), link_table(scorer.left), link_table(scorer.right))
    apart = are_separate(*(frame[name].to_numpy() for name in COUNTS), usual.overlap)
    return np.flatnonzero(apart & (frame["agreement"].fill_null(0).to_numpy() >= usual.agreement))


def other_candidates(scorer: Scorer, linked: Pairs) -> Pairs:
    """The best candidates of everybody that are no links."""
    best = best_candidates(scorer, CANDIDATES).rights
    lefts, places = np.nonzero(best >= 0)
    rights = best[lefts, places].astype(np.int64)
    new = ~np.isin(keys(Pairs(lefts, rights)), keys(linked))
    return Pairs(lefts[new], rights[new])


def as_frame(pairs: Pairs) -> pl.DataFrame:
    """Columns left and right."""
    return pl.DataFrame({"left": pairs.lefts, "right": pairs.rights}).cast(pl.Int64)


def at(pairs: Pairs, places: Ints) -> Pairs:
    """Some of the pairs."""
    return Pairs(pairs.lefts[places], pairs.rights[places])


def among(pairs: Pairs, others: Pairs) -> int:
    """How many of the pairs are among others."""
    return int(np.isin(keys(pairs), keys(others)).sum())


def keys(pairs: Pairs) -> Ints:
    """A number for each pair."""
    return pairs.lefts.astype(np.int64) << 32 | pairs.rights.astype(np.int64)


def measure(name: str) -> Iterator[dict[str, object]]:
    """All rows of one set."""
    return made_up(name) if name in WORLDS else real(name)


def blocks() -> list[Block]:
    """Sums over seeds."""
    result = read_result("impersonation")
    names = ["links", "impersonations_linked", "pointed_out", "impersonations", "true"]
    head = ["networks", "people", "impersonated", "seeds", "links", "of them impersonations", "pointed out"]
    head += ["of them impersonations", "of them true links"]
    lines = []
    groups: dict[tuple[object, ...], list[dict[str, object]]] = {}
    for row in result.rows:
        seeds = "" if row["set"] not in WORLDS else "chosen on" if row["chosen_on"] else "checked on"
        groups.setdefault((row["set"], row.get("people", ""), row["impersonated"], seeds), []).append(row)
    for (name, people, share, seeds), mine in groups.items():
        cells = [f"{people:,}" if people else "", f"{share:.0%}", f"{len(mine)}, {seeds}" if seeds else ""]
        cells += [f"{sum(int(str(row[key])) for row in mine):,}" for key in names]
        lines.append("| " + " | ".join([result.label(str(name), *mine), *cells]) + " |")
    return [Block("docs/explain.md", "impersonation: benchmarks/impersonation.py", table(head, lines, result.note()))]


def main() -> None:
    """Measures the sets named, or all, and keeps earlier rows of the others."""
    measure_anew("impersonation", sys.argv[1:] or [*WORLDS, *REAL], measure, ["factlink", "numpy", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
