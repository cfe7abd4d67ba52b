"""Accounts added to a run of three networks or more: they find their partners, and nobody else is moved.

Two looks, as in a fit. In the first, the new accounts find likely partners in every network that theirs is linked with,
by probabilities from before anything was heard. In the second, each of those pairs of networks hears what the others
say. Parts without the network stay as they are.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from factlink.data.additions import Addition, read_addition
from factlink.data.protocol import SourceOptions
from factlink.data.sources.networks import NO_OPTIONS
from factlink.errors import SettingError
from factlink.linkers.factoid.partners import FirstLook, look_first, with_partners
from factlink.linkers.factoid.state.restored import unpack
from factlink.linkers.factoid.state.state import FactoidState, PartnerState
from factlink.linkers.factoid.state.stored import SIDES
from factlink.linkers.factoid.through import Heard
from factlink.runs.adding import (
    MADE_ANEW,
    Added,
    AddRequest,
    Joined,
    Joining,
    carry_files,
    describe_addition,
    manifest_with,
    save_joined,
)
from factlink.runs.folder.drafts import unfinished_parts
from factlink.runs.folder.judgements import Judgements
from factlink.runs.folder.manifest import Stopwatch
from factlink.runs.folder.persons import save_persons
from factlink.runs.folder.several import (
    PAIRS,
    Places,
    SeveralManifest,
    compared_networks,
    pair_folder,
    save_several,
)
from factlink.runs.folder.states import load_state
from factlink.runs.folder.store import SPACE, load_run, save_manifest
from factlink.runs.placing import Space, place, space_of
from factlink.runs.several.making import count_persons
from factlink.types import Verdict


@dataclass(frozen=True, slots=True)
class SeveralAddition:
    """Which accounts to add to which network of a run."""

    run: Path
    source: object
    network: str
    drop_dangling: bool = False
    options: SourceOptions = NO_OPTIONS


@dataclass(frozen=True, slots=True, eq=False)
class SeveralAdded:
    """What became of the new accounts, by the other network, and the persons that they belong to."""

    request: SeveralAddition
    parts: Mapping[str, Added]
    persons: pl.DataFrame  # user, person, probability, others: its further accounts as "network user"
    seconds: float
    notes: tuple[str, ...] = ()


def keeps_states(run: Path, manifest: SeveralManifest) -> bool:
    """Whether all parts can take accounts without being fitted again."""
    return all((pair_folder(run, pair) / SPACE / "left.partners.ends.npy").exists() for pair in manifest.pairs)


def find_network(manifest: SeveralManifest, request: SeveralAddition) -> int:
    """The place of the network that accounts join."""
    if request.network not in manifest.names:
        known = ", ".join(manifest.names)
        raise SettingError(f"no network of {request.run} is called '{request.network}'; there are: {known}")
    return manifest.names.index(request.network)


def read_several_addition(request: SeveralAddition, home: Path) -> Addition:
    """The new accounts as further users of a network folder."""
    links = home / "links.parquet"
    predicates = pl.read_parquet(links, columns=["predicate"])["predicate"].unique().to_list() if links.exists() else []
    return read_addition(request.source, home, predicates, request.drop_dangling, request.options)


def join_several(request: SeveralAddition, manifest: SeveralManifest, on_stage: Callable[[str], None]) -> SeveralAdded:
    """Places and links the accounts; the run takes its place in one step."""
    network = find_network(manifest, request)
    judged = {pair_folder(Path(), pair).as_posix(): None for pair in manifest.pairs}
    with unfinished_parts(request.run, judged) as draft:
        return _Addition(request, manifest, network, Stopwatch(on_stage)).fill(draft.run)


class _Addition:
    """Accounts on their way into the parts of a run."""

    def __init__(self, request: SeveralAddition, manifest: SeveralManifest, network: int, watch: Stopwatch) -> None:
        self.request, self.manifest, self.network, self.watch = request, manifest, network, watch
        self.joining: dict[Places, Joining] = {}
        self.looks: dict[Places, FirstLook] = {}

    def fill(self, draft: Path) -> SeveralAdded:
        """The run with the accounts, in a folder that is to take its place."""
        request, manifest, watch = self.request, self.manifest, self.watch
        with watch.stage("reading"):
            compared = compared_networks(request.run, manifest.names, manifest.pairs, single=True)
            addition = read_several_addition(request, compared.folders[self.network])
            states = {pair: self._state(pair) for pair in manifest.pairs}
            self.joining = {pair: self._join(pair, states[pair], addition) for pair in self._mine()}
        with watch.stage("placing"):
            spaces = {pair: space_of(each.run, each.state) for pair, each in self.joining.items()}
            self.looks = {pair: self._look(pair, space) for pair, space in spaces.items()}
        with watch.stage("linking"):
            joined = {
                pair: Joined.of(each, place(spaces[pair], each.new_users, self._heard(pair, states)))
                for pair, each in self.joining.items()
            }
        with watch.stage("saving"):
            for pair, each in joined.items():
                self._save(draft, pair, each)
            carry_files(request.run, draft, _untouched(request.run, self.joining))
            persons = self._save_persons(draft)
            save_several(draft, self._manifest(addition, persons))
        parts = {self._other_name(pair): each.report(self.joining[pair], watch) for pair, each in joined.items()}
        new = list_new_persons(persons, request.network, addition.network.users)
        return SeveralAdded(request, parts, new, sum(watch.seconds.values()), addition.notes)

    def _mine(self) -> list[Places]:
        return [pair for pair in self.manifest.pairs if self.network in pair]

    def _other_name(self, pair: Places) -> str:
        return self.manifest.names[pair[1 - pair.index(self.network)]]

    def _state(self, pair: Places) -> FactoidState:
        folder = pair_folder(self.request.run, pair)
        return unpack(load_state(folder, load_run(folder).manifest))

    def _join(self, pair: Places, state: FactoidState, addition: Addition) -> Joining:
        folder, side = pair_folder(self.request.run, pair), pair.index(self.network)
        request = AddRequest(folder, self.request.source, SIDES[side])
        return Joining(request, load_run(folder), side, state, addition)

    def _look(self, pair: Places, space: Space) -> FirstLook:
        each = self.joining[pair]
        placed = place(space, each.new_users)
        return look_first(_said(each.state), each.side, placed.weighed_among(each.others))

    def _heard(self, pair: Places, states: Mapping[Places, FactoidState]) -> Heard | None:
        """What all networks say that are linked with both of a pair."""
        other = pair[1 - pair.index(self.network)]
        found = []
        for third in range(len(self.manifest.networks)):
            mine, theirs = _pair_of(self.network, third), _pair_of(other, third)
            if third not in pair and mine in self.looks and theirs in states:
                partners = _said(states[theirs]).partners[theirs.index(other)]
                found.append((self.looks[mine].partners, partners))
        weight = _said(states[pair]).weight
        return Heard(weight, *map(list, zip(*found, strict=True))) if found and weight > 0 else None

    def _save(self, draft: Path, pair: Places, joined: Joined) -> None:
        joining, folder = self.joining[pair], pair_folder(draft, pair)
        folder.mkdir(parents=True)
        partners = with_partners(_said(joining.state), joining.side, self.looks[pair])
        save_joined(folder, joining, joined, partners)
        save_manifest(folder, manifest_with(joining, self.watch))

    def _save_persons(self, draft: Path) -> pl.DataFrame:
        single = bool(self.manifest.notes["decision_rule"]["one_to_one"])
        compared = compared_networks(draft, self.manifest.names, self.manifest.pairs, single=single)
        judged = {pair: Judgements(pair_folder(self.request.run, pair)) for pair in self.manifest.pairs}
        refused = {pair: each.pairs(Verdict.NON_MATCH) for pair, each in judged.items()}
        return save_persons(draft, replace(compared, refused=refused), self.request.run)

    def _manifest(self, addition: Addition, persons: pl.DataFrame) -> SeveralManifest:
        manifest, networks = self.manifest, list(self.manifest.networks)
        described = describe_addition(AddRequest(self.request.run, self.request.source), addition, self.watch)
        described |= {"side": self.request.network}
        mine = networks[self.network]
        grown = mine.users + described["users"], mine.links + described["links"]
        networks[self.network] = replace(mine, users=grown[0], links=grown[1])
        notes: dict[str, Any] = dict(manifest.notes) | {"persons": count_persons(persons)}
        notes["additions"] = [*notes.get("additions", []), described]
        return replace(manifest, networks=networks, notes=notes)


def list_new_persons(persons: pl.DataFrame, network: str, users: pl.Series) -> pl.DataFrame:
    """The persons of new accounts, with the further accounts of each, in the order of the accounts."""
    named = pl.format("{} {}", "network", "user")
    others = persons.join(pl.DataFrame({"user": users, "network": network}), on=["network", "user"], how="anti")
    listed = others.group_by("person", maintain_order=True).agg(others=named)
    mine = persons.filter(network=network).select("user", "person", "probability")
    new = pl.DataFrame({"user": users}).join(mine, on="user", how="left", maintain_order="left")
    return new.join(listed, on="person", how="left", maintain_order="left").with_columns(
        pl.col("others").fill_null(pl.lit([], pl.List(pl.String)))
    )


def _pair_of(first: int, second: int) -> Places:
    return min(first, second), max(first, second)


def _said(state: FactoidState) -> PartnerState:
    assert state.partners is not None
    return state.partners


def _untouched(run: Path, changed: Collection[Places]) -> Iterator[Path]:
    """Files that stay: vectors, and all of the parts that the network is not in."""
    parts = {pair_folder(run, pair) for pair in changed}
    for file in run.rglob("*"):
        if run / PAIRS not in file.parents:
            if file.name not in MADE_ANEW:
                yield file
        elif not parts.intersection(file.parents):
            yield file
