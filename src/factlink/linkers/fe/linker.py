"""`fe`: Factoid Embedding of Xie et al. (ICDM 2018) by stochastic gradient descent; with known pairs FE*."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from factlink.candidates.reordered import Reordered
from factlink.canonical.colours import Crossing
from factlink.canonical.networks import in_canonical_order
from factlink.canonical.orders import Orders
from factlink.embedding.settings import (
    LinkSettings,
    NegativeSampling,
    Projection,
    Settings,
    Training,
    authors_settings,
    closed_form,
    dim_for,
    links_alone_settings,
    paper_settings,
)
from factlink.embedding.space import Space
from factlink.embedding.training.checkpoints import Checkpoints
from factlink.embedding.training.partitions import parts_for, train_in_parts
from factlink.embedding.training.sgd import Options, Progress, embed_factoids, train_whole
from factlink.errors import InputError, SettingError
from factlink.execution.workers import HERE, Workers
from factlink.factoids import Known, build_table_by_content
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.fe.attributes import Attributes, choose_factoids
from factlink.linkers.fe.factoid_weights import weigh_factoids
from factlink.linkers.fe.network_space import NetworkSpace
from factlink.linkers.fe.object_vectors import encode_objects
from factlink.linkers.fe.persons import Persons, Taught, add_persons
from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import NO_PAIRS, FactoidTable, Ints, Network, Pairs

CHECKPOINT = "training.npz"


@dataclass(frozen=True, slots=True)
class FELinker:
    """User vectors close to their objects and to the projections of their followees; the score is the cosine."""

    name: ClassVar[str] = "fe"
    supervised: ClassVar[bool] = False

    training: Training = field(default_factory=Training)
    projection: Projection = field(default_factory=Projection)
    negatives: NegativeSampling = field(default_factory=NegativeSampling)
    links: LinkSettings = field(default_factory=LinkSettings)
    attributes: Attributes = field(default_factory=Attributes)
    persons: Persons = field(default_factory=Persons)
    seed: int = 0
    parts: int = 0  # of the users, which train apart within a pass; 0 is one here, one per 5,000 users on a cluster

    def __post_init__(self) -> None:
        if self.parts < 0:
            raise SettingError(f"parts is {self.parts}; it must be 0, for the usual number, or more")

    @classmethod
    def paper(cls, seed: int = 0) -> "FELinker":
        """The paper as written: its similarities, its object embedding, its objectives, and nothing besides."""
        attributes = Attributes(
            kinds=("name", "image"),
            names="jaro-winkler",
            pictures="vgg16",
            fitted=True,
            spaces="predicate",
            centred=False,
            weigh_pictures=False,
            weigh_kinds=False,
        )
        return cls._plain(paper_settings(seed), attributes)

    @classmethod
    def authors(cls, seed: int = 0) -> "FELinker":
        """What the published program does, which differs from the paper."""
        attributes = Attributes(
            kinds=("name", "image"),
            names="tfidf",
            pictures="vgg16",
            fitted=True,
            spaces="profile",
            centred=False,
            drop_known=True,
            weigh_pictures=False,
            weigh_kinds=False,
        )
        return cls._plain(authors_settings(seed), attributes)

    @classmethod
    def _plain(cls, settings: Settings, attributes: Attributes) -> "FELinker":
        parts = (settings.training, settings.projection, settings.negatives, settings.links)
        return cls(*parts, attributes, Persons(rounds=0, less_hubness=False), settings.seed)

    @classmethod
    def presets(cls) -> Mapping[str, "FELinker"]:
        """Settings as a whole by name, for `--set preset=NAME`."""
        return {"paper": cls.paper(), "authors": cls.authors()}

    def fit(
        self, left: Network, right: Network, known: Pairs = NO_PAIRS, options: Options | None = None
    ) -> Reordered[VectorScorer]:
        """FE, or FE* where pairs are known: each pair is one user with one vector."""
        return self._fit(left, right, known, options, HERE)

    def fit_over(self, workers: Workers, left: Network, right: Network, known: Pairs) -> Reordered[VectorScorer]:
        """The same on several machines: encoding in parts to the same bytes, training in parts of its own."""
        return self._fit(left, right, known, None, workers)

    def _fit(
        self, left: Network, right: Network, known: Pairs, options: Options | None, workers: Workers
    ) -> Reordered[VectorScorer]:
        def embed(lefts: Network, rights: Network, pairs: Pairs) -> VectorScorer:
            space = self.embed([lefts, rights], {(left.name, right.name): pairs}, options, workers)
            return space.scorer(left.name, right.name)

        return fit_by_content(embed, left, right, known)

    def fit_resumably(
        self, left: Network, right: Network, known: Pairs, folder: Path, on_progress: Callable[[str], None]
    ) -> Reordered[VectorScorer]:
        """The same, resumable: the state of training is kept in the folder."""
        checkpoints = Checkpoints(folder / CHECKPOINT)
        return self.fit(left, right, known, Options(checkpoints=checkpoints, progress=_reporter(on_progress)))

    def embed(
        self,
        networks: Sequence[Network],
        known: Known | None = None,
        options: Options | None = None,
        workers: Workers = HERE,
    ) -> NetworkSpace:
        """One space for two or more networks."""
        table = choose_factoids(build_table_by_content(networks, known), self.attributes)
        embedded, space = self.embed_table(table, options or Options(), workers)
        by_name = {network.name: network for network in networks}
        return NetworkSpace(space, by_name, embedded, self.persons.less_hubness)

    def fit_several(
        self,
        networks: Sequence[Network],
        pairs: Sequence[tuple[int, int]],
        known: Mapping[tuple[int, int], Pairs],
        on_progress: Callable[[str], None] = lambda progress: None,
    ) -> dict[tuple[int, int], Reordered[VectorScorer]]:
        """Three networks or more in one space, and a scorer for each of the pairs."""
        ordered = in_canonical_order(networks, [Crossing(*pair, found) for pair, found in known.items()])
        names = [network.name for network in networks]
        orders = {pair: Orders(ordered[pair[0]].order, ordered[pair[1]].order) for pair in {*pairs, *known}}
        given = {(names[a], names[b]): orders[a, b].pairs(found) for (a, b), found in known.items()}
        space = self.embed(ordered, given, Options(progress=_reporter(on_progress)))
        return {
            (a, b): Reordered(space.scorer(names[a], names[b]), networks[a], networks[b], orders[a, b])
            for a, b in pairs
        }

    def trace(
        self, networks: Sequence[Network], known: Known, watched: Mapping[str, Ints], on_progress: Callable[[str], None]
    ) -> tuple[FactoidTable, Space]:
        """The same embedding with the trail of some users, given as rows by network, and the factoids it is made of."""
        table = choose_factoids(build_table_by_content(networks, known), self.attributes)
        rows = np.concatenate([table.rows[name][chosen] for name, chosen in watched.items()])
        return self.embed_table(table, Options(rows, progress=_reporter(on_progress)))

    def embed_table(self, table: FactoidTable, options: Options, workers: Workers = HERE) -> tuple[FactoidTable, Space]:
        """Vectors of all joint rows of a table of chosen factoids, and the factoids with those of persons."""
        settings = self._settings(table, workers)
        vectors = encode_objects(table, self.attributes, settings.training.dim, self.seed, workers)
        weights = weigh_factoids(table, vectors, self.attributes, self.seed)
        taught = given = Taught(table, vectors)
        for share in self.persons.shares() if _can_teach(table, settings) else []:
            taught = add_persons(
                given, embed_factoids(taught.table, taught.vectors, closed_form(settings), None, weights), share
            )
        train = partial(train_in_parts, workers) if settings.parts > 1 else train_whole
        return taught.table, embed_factoids(taught.table, taught.vectors, settings, options, weights, train)

    def _settings(self, table: FactoidTable, workers: Workers) -> Settings:
        """The settings of the embedding, with what they leave to the networks."""
        settings = Settings(
            self.training, self.projection, self.negatives, self.links, self.attributes.centred, self.seed
        )
        if not any(map(len, table.has.values())):
            _check_tied(table)
            settings = links_alone_settings(settings)
        if not settings.training.dim:
            settings = replace(settings, training=replace(settings.training, dim=dim_for(table.n_rows)))
        return replace(settings, parts=self.parts or _usual_parts(settings, table, workers))


def _can_teach(table: FactoidTable, settings: Settings) -> bool:
    """Whether persons can be found by attributes, and be of use to the friends of their users."""
    return bool(table.links) and settings.links.weight != 0 and any(map(len, table.has.values()))


def _usual_parts(settings: Settings, table: FactoidTable, workers: Workers) -> int:
    """One in this process, or where links move those they point to."""
    return parts_for(table.n_rows) if workers.parts > 1 and settings.separable else 1


def _check_tied(table: FactoidTable) -> None:
    """An error where nothing ties the networks together: their vectors could not be compared."""
    if table.links and table.n_rows == sum(map(len, table.rows.values())):
        names = ", ".join(f"'{name}'" for name in table.rows)
        raise InputError(
            f"networks {names} have no attribute to embed and no known pairs, so nothing ties them together; "
            "give pairs with --known, or more kinds of attributes with --set attributes.kinds="
        )


def _reporter(on_progress: Callable[[str], None]) -> Callable[[Progress], None]:
    """Progress as one line: how far, how fast, and the loss of every predicate."""

    def report(progress: Progress) -> None:
        losses = ", ".join(f"{predicate} {loss:.3f}" for predicate, loss in progress.losses.items())
        on_progress(
            f"training, pass {progress.pass_} of {progress.passes}, {progress.share:.0%}, "
            f"{progress.factoids_per_second:,.0f} factoids/s, loss: {losses}"
        )

    return report
