"""`fe`: Factoid Embedding of Xie et al. (ICDM 2018) by stochastic gradient descent; with known pairs FE*."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from factlink.candidates.reordered import Reordered
from factlink.embedding.objectives import EQUAL
from factlink.embedding.settings import (
    LinkSettings,
    NegativeSampling,
    Projection,
    Settings,
    Training,
    links_alone_settings,
    paper_settings,
)
from factlink.embedding.space import Space
from factlink.embedding.training.checkpoints import Checkpoints
from factlink.embedding.training.partitions import parts_for, train_in_parts
from factlink.embedding.training.sgd import Options, Progress, embed_factoids, train_whole
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import InputError, SettingError
from factlink.execution.workers import HERE, Workers
from factlink.factoids import Known, build_table_by_content
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.fe.network_space import NetworkSpace
from factlink.linkers.fe.object_vectors import ENCODERS, encode_objects, weigh_pictures
from factlink.linkers.vector_scorer import VectorScorer
from factlink.types import NO_PAIRS, FactoidTable, Floats, Has, Ints, Kind, Network, Pairs

CHECKPOINT = "training.npz"


@dataclass(frozen=True, slots=True)
class Attributes:
    """Which user-object factoids are embedded, and how their objects are prepared."""

    kinds: tuple[str, ...] = ("name",)
    without: tuple[str, ...] = ()  # predicates to leave out
    centred: bool = True
    drop_known: bool = False  # as in the authors' code: users of known pairs lose their attributes
    weigh_pictures: bool = True  # a picture that many users hold counts less; otherwise 1, as in the paper
    text_model: str = ""  # folder of a sentence model that reads texts; empty for their words

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in ENCODERS:
                raise SettingError(
                    f"factoid embedding has no vectors for kind '{kind}'; there are: {', '.join(ENCODERS)}"
                )
        if self.text_model:
            SentenceEncoder(self.text_model)  # raises if there is no such folder
            if Kind.TEXT not in self.kinds:
                raise SettingError("a text_model is named but no text is embedded; add text to attributes.kinds")


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
    seed: int = 0
    parts: int = 0  # of the users, which train apart within a pass; 0 is one here, one per 5,000 users on a cluster

    def __post_init__(self) -> None:
        if self.parts < 0:
            raise SettingError(f"parts is {self.parts}; it must be 0, for the usual number, or more")

    @classmethod
    def paper(cls, seed: int = 0) -> "FELinker":
        """The paper as written, without what was measured to help."""
        plain, attributes = paper_settings(seed), Attributes(centred=False, weigh_pictures=False)
        return cls(plain.training, plain.projection, plain.negatives, plain.links, attributes, seed)

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
        space = self.embed_table(table, options or Options(), workers)
        return NetworkSpace(space, {network.name: network for network in networks}, table)

    def trace(
        self, networks: Sequence[Network], known: Known, watched: Mapping[str, Ints], on_progress: Callable[[str], None]
    ) -> tuple[FactoidTable, Space]:
        """The same embedding with the trail of some users, given as rows by network, and the factoids it is made of."""
        table = choose_factoids(build_table_by_content(networks, known), self.attributes)
        rows = np.concatenate([table.rows[name][chosen] for name, chosen in watched.items()])
        return table, self.embed_table(table, Options(rows, progress=_reporter(on_progress)))

    def embed_table(self, table: FactoidTable, options: Options, workers: Workers = HERE) -> Space:
        """Vectors of all joint rows of a table of chosen factoids."""
        settings = Settings(
            self.training, self.projection, self.negatives, self.links, self.attributes.centred, self.seed
        )
        if not any(map(len, table.has.values())):
            _check_tied(table)
            settings = links_alone_settings(settings)
        settings = replace(settings, parts=self.parts or _usual_parts(settings, table, workers))
        train = partial(train_in_parts, workers) if settings.parts > 1 else train_whole
        vectors = encode_objects(table, settings.training.dim, self.seed, self.attributes.text_model, workers)
        weights = weigh_pictures(table, vectors) if self.attributes.weigh_pictures else EQUAL
        return embed_factoids(table, vectors, settings, options, weights, train)


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


def choose_factoids(table: FactoidTable, attributes: Attributes) -> FactoidTable:
    """The table with the chosen user-object factoids only."""
    for predicate in attributes.without:
        if predicate not in table.has:
            raise SettingError(f"no predicate is called '{predicate}'; there are: {', '.join(sorted(table.has))}")
    chosen = [
        predicate
        for predicate, objects in table.objects.items()
        if objects.kind in attributes.kinds and predicate not in attributes.without
    ]
    has = {predicate: table.has[predicate] for predicate in chosen}
    if attributes.drop_known:
        seen = np.bincount(np.concatenate(list(table.rows.values())), minlength=table.n_rows)
        has = {predicate: _of_users(part, seen == 1) for predicate, part in has.items()}
    return replace(table, objects={p: table.objects[p] for p in chosen}, has=has)


def _of_users(has: Has, kept: Floats) -> Has:
    places = np.flatnonzero(kept[has.users])
    return Has(has.users[places], has.objects[places])
