"""Made-up networks: one population, shown by two or more networks, with known truth and dials."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from factlink.errors import SettingError
from factlink.synthetic.declarations import add_declarations
from factlink.synthetic.dials import Dials, GroupDials, LinkDials, NameDials, PictureDials, Population, TextDials
from factlink.synthetic.display import draw_screen_names
from factlink.synthetic.graphs import draw_graphs, draw_sociability, draw_to_centres, shuffle_ends
from factlink.synthetic.handles import draw_handles, draw_ids, usual_handles
from factlink.synthetic.impersonators import Shown, add_impersonators
from factlink.synthetic.people import draw_people
from factlink.synthetic.presets import preset
from factlink.synthetic.stock import Rng
from factlink.synthetic.texts import draw_bios, draw_locations, draw_noise
from factlink.types import Attribute, Follows, Ints, Kind, Network, Pairs

__all__ = [
    "Dials",
    "GroupDials",
    "LinkDials",
    "NameDials",
    "PictureDials",
    "Population",
    "TextDials",
    "World",
    "preset",
    "shuffle_links",
    "twins",
]

_KINDS = {
    "username": Kind.NAME,
    "screen_name": Kind.NAME,
    "bio": Kind.TEXT,
    "location": Kind.LOCATION,
    "noise": Kind.CATEGORY,
    "picture": Kind.IMAGE,
}


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Networks and who is who in them."""

    networks: tuple[Network, ...]
    persons: tuple[Ints, ...]  # by network: the person behind each row
    copied: tuple[Ints, ...]  # by network: the person whose profile each row copies, −1 for an honest account
    revealed: int | None  # how many common people the truth names

    def network(self, name: str) -> Network:
        """The network of that name."""
        return self.networks[self._place(name)]

    def truth(self, left: str, right: str) -> Pairs:
        """The revealed pairs of two networks, by left row."""
        pairs = self.whole_truth(left, right)
        if self.revealed is None:
            return pairs
        if self.revealed > len(pairs):
            raise SettingError(
                f"networks '{left}' and '{right}' have {len(pairs)} people in common, fewer than "
                f"revealed={self.revealed}; lower it, or let the networks show more of the population"
            )
        drawn = np.argsort(self.persons[self._place(left)][pairs.lefts])[: self.revealed]
        drawn.sort()
        return Pairs(pairs.lefts[drawn], pairs.rights[drawn])

    def whole_truth(self, left: str, right: str) -> Pairs:
        """All pairs of rows that are one person, revealed or not, by left row."""
        lefts, rights = self.persons[self._place(left)], self.persons[self._place(right)]
        _, at_left, at_right = np.intersect1d(lefts, rights, assume_unique=True, return_indices=True)
        order = np.argsort(at_left)
        return Pairs(at_left[order], at_right[order])

    def impersonations(self, left: str, right: str) -> Pairs:
        """All pairs of rows in which one account copies the profile of the person behind the other, by left row."""
        one, other = self._place(left), self._place(right)
        lefts, copies = _meet(self.persons[one], self.copied[other])
        copied, rights = _meet(self.copied[one], self.persons[other])
        lefts, rights = np.concatenate([lefts, copied]), np.concatenate([copies, rights])
        order = np.lexsort((rights, lefts))
        return Pairs(lefts[order], rights[order])

    def _place(self, name: str) -> int:
        names = [network.name for network in self.networks]
        if name not in names:
            raise SettingError(f"no network is called '{name}'; there are: {', '.join(names)}")
        return names.index(name)


def twins(dials: Dials | None = None, pictures: Path | None = None) -> World:
    """A world with the given dials, by default two networks of about 1,200 users each.

    Pictures are drawn, as files in one folder per network, only if `pictures` names a folder to put them in.
    Neither ids nor the order of rows identify people. Persons are numbered at random, so the revealed ones,
    which are the first, are a fair sample of those in common.
    """
    dials = dials or Dials()
    population_rng, shown_rng, link_rng, *account_rngs = _rngs(dials.seed, 3 + len(dials.population.networks))
    people = draw_people(dials.population.people, dials.names.cultures, dials.groups, population_rng)
    people = people.with_columns(usual_handles(people, dials.names, population_rng))
    draw = _draw_crawled if dials.population.crawled else _draw_shown
    shown = [draw(dials.population, k, shown_rng) for k in range(len(dials.population.networks))]
    social = draw_sociability(people["community"].to_numpy(), dials.groups, link_rng)
    if dials.population.crawled:
        social = draw_to_centres(social, dials.population.revealed or 0, dials.links.centred)
    graphs = draw_graphs(social, shown, dials.links, link_rng)
    networks = [
        _draw_network(people, persons, dials, k, follows, rng)
        for k, (persons, follows, rng) in enumerate(zip(shown, graphs, account_rngs, strict=True))
    ]
    if pictures is not None:
        networks = [_with_pictures(network, shown[k], dials, k, pictures) for k, network in enumerate(networks)]
    honest = [Shown(n, persons, np.full(len(n), -1)) for n, persons in zip(networks, shown, strict=True)]
    if dials.texts.declared or dials.texts.celebrities:
        honest = add_declarations(honest, dials.texts, np.random.default_rng([dials.seed, len(shown), 1]))
    made = _with_impersonators(honest, dials, pictures) if dials.population.impersonated else honest
    return World(
        tuple(each.network for each in made),
        tuple(each.persons for each in made),
        tuple(each.copied for each in made),
        dials.population.revealed,
    )


def shuffle_links(network: Network, seed: int = 0) -> Network:
    """The network with shuffled links: everyone follows, and is followed by, as many others as before."""
    rng = np.random.default_rng(seed)
    links = {predicate: shuffle_ends(follows, len(network), rng) for predicate, follows in network.links.items()}
    return replace(network, links=links)


def _rngs(seed: int, n: int) -> list[Rng]:
    return [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(n)]


def _draw_shown(population: Population, k: int, rng: Rng) -> Ints:
    """The persons that a network shows, in no order."""
    order = rng.permutation(population.people)
    if population.users:
        return order[: population.users[k]]
    shown = order[rng.random(population.people) < population.presence]
    if not len(shown):
        raise SettingError(f"presence={population.presence} leaves network '{population.networks[k]}' empty; raise it")
    return shown


def _draw_crawled(population: Population, k: int, rng: Rng) -> Ints:
    """The persons that one of two crawled networks shows, in no order: those in common first, then its own."""
    own = population.users[0] - population.in_common
    first = population.in_common + k * own
    last = first + population.users[k] - population.in_common
    persons = np.concatenate([np.arange(population.in_common), np.arange(first, last)])
    return rng.permutation(persons)


def _draw_network(people: pl.DataFrame, persons: Ints, dials: Dials, k: int, follows: Follows, rng: Rng) -> Network:
    columns = draw_columns(people[persons], dials, rng)
    attributes = {name: as_attribute(columns[name]) for name in dials.population.predicates}
    links = {"follows": follows} if len(follows) else {}
    return Network(dials.population.networks[k], draw_ids(len(persons), rng), attributes, links)


def draw_columns(accounts: pl.DataFrame, dials: Dials, rng: Rng) -> dict[str, pl.Series]:
    """The attributes of the accounts of one network, by predicate; only the wanted ones are drawn."""
    asked = dials.population.predicates
    name_rng, text_rng, town_rng, noise_rng = rng.spawn(4)
    columns: dict[str, pl.Series] = {}
    if "username" in asked or "screen_name" in asked:
        hidden = pl.Series(name_rng.random(len(accounts)) < dials.names.hidden)
        columns["username"] = draw_handles(accounts, hidden, dials.names, name_rng)
        accounts = accounts.with_columns(columns["username"])
        columns["screen_name"] = draw_screen_names(accounts, hidden, dials.names, dials.texts.typos, name_rng)
    if "bio" in asked:
        columns["bio"] = draw_bios(accounts, dials.texts, text_rng)
    if "location" in asked:
        columns["location"] = draw_locations(accounts, dials.texts, town_rng)
    if "noise" in asked:
        columns["noise"] = draw_noise(len(accounts), noise_rng)
    return columns


def _with_pictures(network: Network, persons: Ints, dials: Dials, k: int, folder: Path) -> Network:
    from factlink.synthetic.pictures import Studio

    studio = Studio(folder / network.name, dials.pictures, dials.seed, k)
    files = studio.draw_pictures(network.users, persons, np.random.default_rng([dials.seed, k]))
    return replace(network, attributes={**network.attributes, "picture": as_attribute(files)})


def _with_impersonators(shown: list[Shown], dials: Dials, pictures: Path | None) -> list[Shown]:
    rng = np.random.default_rng([dials.seed, len(shown)])  # _with_pictures takes the numbers before it
    return add_impersonators(shown, dials.population.impersonated, dials.population.people, pictures, rng)


def _meet(mine: Ints, theirs: Ints) -> tuple[Ints, Ints]:
    """Places of equal numbers from 0 on; each stands once on either side."""
    own, others = (np.flatnonzero(numbers >= 0) for numbers in (mine, theirs))
    _, places, other_places = np.intersect1d(mine[own], theirs[others], assume_unique=True, return_indices=True)
    return own[places], others[other_places]


def as_attribute(values: pl.Series) -> Attribute:
    rows = np.flatnonzero(values.is_not_null())
    return Attribute(_KINDS[values.name], rows, values.drop_nulls())
