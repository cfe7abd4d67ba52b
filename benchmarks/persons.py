"""Three networks or more in one run, against the pairs alone and glued together.

    python benchmarks/persons.py [us_politicians] ["five networks of 1,000 people"] ["five networks of 5,000 people"]

Looks for the networks where FACTLINK_DATA points, else in ../shared/data. *Alone* is each pair of networks fitted by
itself, *glued* the persons that links of pairs alone tie together, however weakly. Seconds are of the processor, so
that other work on the machine does not count. Fills the tables of docs/persons.md.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from machine import DATA, MAKING_UP, Row, files, linking, made_by, made_up, measure_anew
from pages import Block, fill_pages, read_result, table
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from factlink.candidates.reordered import Reordered
from factlink.candidates.top_k import best_candidates
from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_networks
from factlink.decision.decisions import link
from factlink.evaluation.metrics import evaluate_candidates
from factlink.evaluation.person_metrics import PersonMetrics, evaluate_persons
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.persons.clustering import make_persons
from factlink.persons.ties import Accounts, Ties
from factlink.protocols import Scorer
from factlink.synthetic.worlds import Dials, Population, twins
from factlink.types import DECISIONS, Decision, Ints, Links, Network, Pairs

PEOPLE = (1_000, 5_000)
NETWORKS = ("one", "two", "three", "four", "five")
POLITICIANS = ("wikidata", "twitter", "instagram", "facebook")
TRUTHS = {(0, 1): "truth", (1, 2): "truth_twitter_instagram", (1, 3): "truth_twitter_facebook"}
LINK = DECISIONS.index(Decision.LINK)
Places = tuple[int, int]
Truths = dict[Places, Pairs]


def measure(name: str, networks: list[Network], truths: Truths, made: dict[str, Any]) -> list[Row]:
    """A row for each pair of networks that truth names, and one for all persons."""
    linker, pairs = FactoidLinker(), list(combinations(range(len(networks)), 2))
    linker.fit(networks[0], networks[1])  # compiled code and dictionaries are loaded before the clock runs
    start = time.process_time()
    alone = {(a, b): linker.fit(networks[a], networks[b]) for a, b in pairs}
    middle = time.process_time()
    together = linker.fit_several(networks, pairs, {})
    end = time.process_time()
    found = [{pair: link(scorer) for pair, scorer in each.items()} for each in (alone, together)]
    rows = []
    for (a, b), truth in truths.items():
        named = {"set": name, "what": f"{networks[a].name} → {networks[b].name}"}
        figures = [
            _of_pair(scorers[a, b], links[a, b], truth) for scorers, links in zip((alone, together), found, strict=True)
        ]
        pairs_of = {f"{key}, {how}": each[key] for key in figures[0] for how, each in zip(HOW, figures, strict=True)}
        rows.append({**named, **pairs_of, "made": made})
    persons = _persons(networks, found[1], truths)
    glued = _glued(networks, found[0], truths)
    rows.append(
        {
            "set": name,
            "what": "persons",
            "f1": persons.f1,
            "bcubed_f1": persons.bcubed_f1,
            "glued_f1": glued.f1,
            "glued_bcubed_f1": glued.bcubed_f1,
            "seconds_alone": middle - start,
            "seconds_together": end - middle,
            "made": made,
        }
    )
    return rows


HOW = ("alone", "together")


def _of_pair(scorer: Reordered[Scorer], links: Links, truth: Pairs) -> dict[str, float]:
    """HR@1, and the links of users that truth names."""
    hits = evaluate_candidates(best_candidates(scorer, 50), len(scorer.right), truth).hits
    linked = np.flatnonzero((links.decisions == LINK) & np.isin(links.lefts, truth.lefts))
    width = len(scorer.right)
    right = np.isin(links.lefts[linked] * width + links.rights[linked], truth.lefts * width + truth.rights)
    expected = float(np.mean(1 - links.probabilities[linked]))
    return {"hr@1": hits[1], "false": 1 - float(right.mean()), "expected": expected, "linked": len(linked)}


def _ties(networks: list[Network], found: dict[Places, Links]) -> Ties:
    starts = np.cumsum([0, *map(len, networks)])
    parts = [(pair, links, np.flatnonzero(links.rights >= 0)) for pair, links in found.items()]
    return Ties(
        np.concatenate([starts[a] + links.lefts[some] for (a, _), links, some in parts]),
        np.concatenate([starts[b] + links.rights[some] for (_, b), links, some in parts]),
        np.concatenate([links.probabilities[some] for _, links, some in parts]),
        np.concatenate([links.decisions[some] == LINK for _, links, some in parts]),
    )


def _persons(networks: list[Network], found: dict[Places, Links], truths: Truths) -> PersonMetrics:
    accounts = Accounts.of_sizes([len(network) for network in networks], list(found))
    return _compare(networks, make_persons(_ties(networks, found), accounts).numbers, truths)


def _glued(networks: list[Network], found: dict[Places, Links], truths: Truths) -> PersonMetrics:
    ties = _ties(networks, found)
    ties, n = ties.some(ties.linked), sum(map(len, networks))
    return _compare(networks, _tied(ties.firsts, ties.seconds, n), truths)


def _compare(networks: list[Network], numbers: Ints, truths: Truths) -> PersonMetrics:
    starts = np.cumsum([0, *map(len, networks)])
    lefts = np.concatenate([starts[a] + truth.lefts for (a, _), truth in truths.items()])
    rights = np.concatenate([starts[b] + truth.rights for (_, b), truth in truths.items()])
    named = np.union1d(lefts, rights)
    return evaluate_persons(numbers[named], _tied(lefts, rights, starts[-1])[named])


def _tied(lefts: Ints, rights: Ints, n: int) -> Ints:
    graph = coo_array((np.ones(len(lefts)), (lefts, rights)), shape=(n, n))
    return np.asarray(connected_components(graph, directed=False)[1])


def measure_made_up(people: int) -> list[Row]:
    """Five networks that each show four fifths of the people."""
    dials = Dials(population=Population(people=people, networks=NETWORKS))
    world = twins(dials)
    pairs = combinations(range(len(NETWORKS)), 2)
    truths = {(a, b): world.whole_truth(NETWORKS[a], NETWORKS[b]) for a, b in pairs}
    made = made_by((*linking("factoid"), "factlink.persons.clustering", MAKING_UP), made_up(dials))
    return measure(_made_up(people), list(world.networks), truths, made)


def measure_real() -> list[Row]:
    """All four networks of us_politicians."""
    folder = DATA / "us_politicians"
    networks = [reading.network for reading in read_networks([folder / name for name in POLITICIANS])]
    truths = {
        (a, b): read_pairs(folder / f"{name}.parquet", networks[a], networks[b]) for (a, b), name in TRUTHS.items()
    }
    made = made_by((*linking("factoid"), "factlink.persons.clustering"), files("us_politicians"))
    return measure("us_politicians", networks, truths, made)


def blocks() -> list[Block]:
    """Pairs of networks alone and together, and persons."""
    result = read_result("persons")
    pairs, persons = [], []
    for row in result.rows:
        if row["what"] == "persons":
            keys = ("f1", "bcubed_f1", "glued_f1", "glued_bcubed_f1")
            cells = [*(f"{row[key]:.3f}" for key in keys), f"{row['seconds_together'] / row['seconds_alone']:.2f}"]
            persons.append(result.line(row["set"], [(cell, row) for cell in cells]))
        else:
            keys = [f"{key}, {how}" for key in ("hr@1", "false", "expected") for how in HOW]
            cells = [row["what"], *(f"{row[key]:.3f}" for key in keys)]
            pairs.append(result.line(row["set"], [(cell, row) for cell in cells]))
    columns = [f"{key}, {how}" for key in ("HR@1", "false links", "expected") for how in HOW]
    titles = ["networks", "F1", "B-cubed F1", "F1, glued", "B-cubed F1, glued", "time / sum of the pairs"]
    return [
        Block(
            "docs/persons.md", "pairs: benchmarks/persons.py", table(["networks", "", *columns], pairs, result.note())
        ),
        Block("docs/persons.md", "persons: benchmarks/persons.py", table(titles, persons, result.note())),
    ]


def _made_up(people: int) -> str:
    return f"five networks of {people:,} people"


MEASURES: dict[str, Callable[[], list[Row]]] = {
    "us_politicians": measure_real,
    **{_made_up(people): partial(measure_made_up, people) for people in PEOPLE},
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(MEASURES), help=f"any of: {', '.join(MEASURES)}")
    measure_anew("persons", parser.parse_args().sets, lambda name: MEASURES[name](), ["factlink", "numba", "numpy"])
    fill_pages(blocks())
