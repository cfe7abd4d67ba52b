"""HR@1 where names are in other scripts, are nicknames or handles, and where bios declare the other account.

    python benchmarks/names_as_written.py [ROW ...]

Truth is read only to score. "as before" leaves out readings, handles made from names and declared links.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import polars as pl
from machine import DATA, files, linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table

from factlink.data.pairs import read_pairs
from factlink.data.sources.networks import read_network
from factlink.encoders.readings import cantonese, hokkien, japanese, readers
from factlink.encoders.readings.nicknames import given_names
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.settings import Steps
from factlink.synthetic.dials import Dials, LinkDials, Population
from factlink.synthetic.worlds import twins
from factlink.types import Attribute, Kind, Network, Pairs

BEFORE = Steps(readings=False, handles=False, declared=False)
SETS = {
    "ep_scripts": ("ep_scripts/own_script", "ep_scripts/latin", "ep_scripts/truth.parquet"),
    "dbp15k_ja_en": ("dbp15k_ja_en/dbpedia_ja", "dbp15k_ja_en/dbpedia_en", "dbp15k_ja_en/truth.parquet"),
    "wikidata → twitter": ("us_politicians/wikidata", "us_politicians/twitter", "us_politicians/truth.parquet"),
    "twitter → instagram": (
        "us_politicians/twitter",
        "us_politicians/instagram",
        "us_politicians/truth_twitter_instagram.parquet",
    ),
    "twitter → facebook": (
        "us_politicians/twitter",
        "us_politicians/facebook",
        "us_politicians/truth_twitter_facebook.parquet",
    ),
    "ep_twitter": ("ep_twitter/parliament", "ep_twitter/twitter", "ep_twitter/truth.parquet"),
    "ep_registry": ("ep_registry/parliament", "ep_registry/registry", "ep_registry/truth.parquet"),
    "congress": ("congress/official", "congress/twitter", "congress/truth.parquet"),
}
SCRIPTS = {
    "Hebrew": "Hebrew",
    "Chinese characters": "Han",
    "Arabic": "Arabic",
    "Hangul": "Hangul",
    "Katakana": "Katakana",
}
WITHOUT_EXTRA = ("ep_scripts", "dbp15k_ja_en")
"""Sets that are measured as if the dictionaries of the extra were not installed, too."""

World = tuple[Network, Network, Pairs]


def hits(world: World, steps: Steps) -> np.ndarray:
    """(n_pairs,): whether the first candidate of each left user with a partner is one of its partners."""
    left, right, truth = world
    first = FactoidLinker(steps=steps).fit(left, right).candidates(1).rights[:, 0]
    partners = {(int(a), int(b)) for a, b in zip(truth.lefts, truth.rights, strict=True)}
    return np.array([(int(a), int(first[a])) in partners for a in np.unique(truth.lefts)])


@contextmanager
def without_extra() -> Iterator[None]:
    """As if the dictionaries of the extra were not installed."""
    kept = [(module, module.has_dictionary) for module in (japanese, readers, cantonese, hokkien)]
    for module, _ in kept:
        module.has_dictionary = lambda: False
    yield
    for module, has in kept:
        module.has_dictionary = has


def read_set(name: str) -> World:
    """A shared set."""
    left, right, truth = SETS[name]
    networks = read_network(DATA / left), read_network(DATA / right)
    return *networks, read_pairs(DATA / truth, *networks)


def named(name: str, names: list[str]) -> Network:
    """Users with one name each."""
    attribute = Attribute(Kind.NAME, np.arange(len(names)), pl.Series(names))
    return Network(name, pl.Series([f"{name}{row}" for row in range(len(names))]), {"name": attribute}, {})


def nicknames() -> World:
    """Some 1,400 people with 150 surnames, known by a nickname on one network."""
    rng = np.random.default_rng(1)
    nicks: dict[str, list[str]] = {}
    for nick, names in given_names().items():
        for given in names:
            nicks.setdefault(given, []).append(nick)
    given = [str(each) for each in rng.choice(sorted(nicks), 120, replace=False)]
    syllables = [a + b for a in "bcdfghklmnprstvw" for b in "aeiou"]
    families = ["".join(rng.choice(syllables, 3)).capitalize() for _ in range(150)]
    people = list(dict.fromkeys((str(rng.choice(given)), str(rng.choice(families))) for _ in range(1500)))
    left = [f"{first.capitalize()} {family}" for first, family in people]
    right = [f"{str(rng.choice(nicks[first])).capitalize()} {family}" for first, family in people]
    order = rng.permutation(len(people))
    truth = Pairs(np.arange(len(people)), np.argsort(order))
    return named("left", left), named("right", [right[row] for row in order]), truth


CROWD = Dials(population=Population(people=600), links=LinkDials(mean=0), seed=3)


def crowd() -> World:
    """A made-up world without links."""
    world = twins(CROWD)
    return *world.networks, world.truth("left", "right")


def with_bios(network: Network, bios: dict[int, str]) -> Network:
    """The network with these bios in place of others."""
    old = network.attributes["bio"]
    texts = dict(zip(old.rows.tolist(), old.objects, strict=True)) | bios
    rows = sorted(texts)
    attribute = Attribute(Kind.TEXT, np.array(rows), pl.Series([texts[row] for row in rows]))
    return replace(network, attributes={**network.attributes, "bio": attribute})


def declaring() -> tuple[World, np.ndarray]:
    """40 left users get other names, and bios that name their right account; and which users these are."""
    left, right, truth = crowd()
    rng = np.random.default_rng(0)
    drawn = rng.choice(len(truth), 40, replace=False)
    renamed = set(truth.lefts[drawn].tolist())
    handles = dict(zip(right.attributes["username"].rows.tolist(), right.attributes["username"].objects, strict=True))
    forms = ("right: @{}", "see https://twitter.com/{}", "also @{} elsewhere", "cats. right: @{}")
    bios = {int(truth.lefts[p]): forms[k % 4].format(handles[int(truth.rights[p])]) for k, p in enumerate(drawn)}
    attributes = dict(left.attributes)
    for predicate in ("username", "screen_name"):
        old, fresh = attributes[predicate], iter(rng.integers(97, 123, (len(left), 9)).astype(np.uint8))
        names = [
            next(fresh).tobytes().decode() if row in renamed else name
            for row, name in zip(old.rows.tolist(), old.objects, strict=True)
        ]
        attributes[predicate] = Attribute(Kind.NAME, old.rows, pl.Series(names))
    return (with_bios(replace(left, attributes=attributes), bios), right, truth), np.isin(truth.lefts, sorted(renamed))


def celebrities() -> World:
    """A tenth of the left users falsely name one of eight right users."""
    left, right, truth = crowd()
    rng = np.random.default_rng(5)
    handles = dict(zip(right.attributes["username"].rows.tolist(), right.attributes["username"].objects, strict=True))
    stars = rng.choice(truth.rights, 8, replace=False)
    fans = rng.choice(len(left), len(left) // 10, replace=False)
    return with_bios(left, {int(fan): f"right: @{handles[int(rng.choice(stars))]}" for fan in fans}), right, truth


def row(name: str, before: np.ndarray, now: np.ndarray, data: dict[str, str]) -> dict[str, object]:
    """One line of the table."""
    found = {"set": name, "n": len(now), "before": round(float(before.mean()), 4), "now": round(float(now.mean()), 4)}
    print(found, flush=True)
    return {**found, "made": made_by(linking("factoid"), data)}


def measure_set(name: str) -> list[dict[str, object]]:
    """A shared set, and its scripts apart where it has several."""
    world, data = read_set(name), files(*SETS[name])
    before, now = hits(world, BEFORE), hits(world, Steps())
    rows = [row(name, before, now, data)]
    if name == "ep_scripts":
        names = world[0].attributes["name"].objects  # one name for each user
        for title, script in SCRIPTS.items():
            some = names.str.contains(rf"\p{{{script}}}").to_numpy()[np.unique(world[2].lefts)]
            rows.append(row(f"{name}: {title}", before[some], now[some], data))
    if name in WITHOUT_EXTRA:
        with without_extra():
            rows.append(row(f"{name} without the extra", before, hits(world, Steps()), data))
    return rows


def measure_nicknames() -> list[dict[str, object]]:
    """People known by nicknames."""
    world = nicknames()
    return [row("made-up: nicknames", hits(world, BEFORE), hits(world, Steps()), made_up("nicknames, seed 1"))]


def measure_declared() -> list[dict[str, object]]:
    """People who declare their other account, and people who falsely name a celebrity."""
    world, some = declaring()
    data = made_up(CROWD)
    rows = [row("made-up: renamed, declared in bios", hits(world, BEFORE)[some], hits(world, Steps())[some], data)]
    return [
        *rows,
        row("made-up: a tenth names a celebrity", hits(celebrities(), BEFORE), hits(celebrities(), Steps()), data),
    ]


JOBS: dict[str, Callable[[], list[dict[str, object]]]] = {
    "nicknames": measure_nicknames,
    "declared": measure_declared,
    **{name: (lambda name=name: measure_set(name)) for name in SETS},
}


def blocks() -> list[Block]:
    """HR@1 before and now."""
    result = read_result("names_as_written")
    lines = [
        result.line(str(each["set"]), [(f"{each[key]:.3f}", each) for key in ("before", "now")]) for each in result.rows
    ]
    text = table(["HR@1, default linker", "names as strings", "as people write them"], lines, result.note())
    return [Block("docs/names.md", "written: benchmarks/names_as_written.py", text)]


def main() -> None:
    """Measures what is named, or everything; keeps the other rows."""
    for job in sys.argv[1:] or JOBS:
        found = JOBS[job]()
        names = {each["set"] for each in found}
        kept = [each for each in read_result("names_as_written").rows if each["set"] not in names]
        write_result("names_as_written", [*kept, *found], ["factlink", "numpy", "numba", "cutlet", "nicknames"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
