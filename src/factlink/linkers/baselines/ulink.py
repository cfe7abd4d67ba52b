"""`ulink`: maps into a latent user space, learned from known pairs, the paper's S1, after Mu et al. (KDD 2016).

Certain, from the abstract [A]: supervised; every network's profiles are projections of one latent user space, learned
so that profiles of one user are close; solved by the constrained concave-convex procedure or by accelerated proximal
gradient. The paper [P] gives it DeepWalk vectors beside the vectors of usernames, screen names and pictures. Neither
text nor code of ULink could be found: the exact objective, impostors, start and constants are a reconstruction [X], not
the authors'. DeepWalk is run on each network by itself [X], so only the maps can relate its two spaces.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from factlink.candidates.reordered import Reordered
from factlink.candidates.top_k import nearest_vectors
from factlink.encoders.cache import WALKS, make_once
from factlink.errors import SettingError
from factlink.evidence import FRIENDS
from factlink.explanations.frames import Met, join_parts, part_frame
from factlink.explanations.user_names import user_names
from factlink.linkers.baselines.features.comparisons import NamesBy, check_comparable, check_known, check_names
from factlink.linkers.baselines.latent.latent_space import Maps, Problem, Triples
from factlink.linkers.baselines.latent.map_solvers import solve_apg, solve_cccp
from factlink.linkers.baselines.latent.profile_vectors import (
    ProfileVectors,
    name_blocks,
    picture_blocks,
    profile_vectors,
    walk_blocks,
)
from factlink.linkers.by_content import PreparedByContent, fit_by_content, prepare_by_content
from factlink.protocols import Scorer
from factlink.storage.arrays import Arrays
from factlink.types import NO_PAIRS, Candidates, Floats, Ints, Kind, Network, Pairs

SOLVERS = {"apg": solve_apg, "cccp": solve_cccp}
N_IMPOSTORS = 20  # nearest ones, and as many at random


@dataclass(frozen=True, slots=True)
class UlinkLinker:
    """Profile vectors → maps that bring known pairs together and push impostors away → distances."""

    name: ClassVar[str] = "ulink"
    supervised: ClassVar[bool] = True

    solver: Literal["apg", "cccp"] = "apg"
    dim: int = 256  # of the latent space
    walk_dim: int = 128  # of the DeepWalk vectors; 0 leaves links out
    push: float = 1.0  # C, what impostors weigh against known pairs
    penalty: float = 1e-3  # λ
    iterations: int = 60
    names: NamesBy = "ngrams"  # what the vectors of names keep; jaro-winkler is the paper's
    seed: int = 0

    def __post_init__(self) -> None:
        check_names(self.names)
        if self.solver not in SOLVERS:
            raise SettingError(f"no solver is called '{self.solver}'; there are: {', '.join(SOLVERS)}")
        for setting, least in (("dim", 1), ("walk_dim", 0), ("iterations", 0)):
            if getattr(self, setting) < least:
                raise SettingError(f"{setting} is {getattr(self, setting)}; it must be at least {least}")
        if not (self.push > 0 and self.penalty >= 0):
            raise SettingError(f"push is {self.push} and penalty {self.penalty}; they must be > 0 and ≥ 0")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> "Reordered[UlinkScorer]":
        """Learns from known pairs, scores every pair."""
        check_known(self.name, known)
        return fit_by_content(lambda a, b, pairs: self._prepare(a, b).fit(pairs), left, right, known)

    def prepare(self, left: Network, right: Network) -> "PreparedByContent[UlinkScorer]":
        """The vectors of all profiles, which are the same whatever is known."""
        return prepare_by_content(self._prepare, left, right)

    def _prepare(self, left: Network, right: Network) -> "PreparedUlink":
        return PreparedUlink(self, left, right, self._vectors(left, right))

    def _vectors(self, left: Network, right: Network) -> ProfileVectors:
        shared = [*name_blocks(left, right, self.seed, self.names), *picture_blocks(left, right)]
        check_comparable(self.name, left, right, shared)
        own = walk_blocks(left, right, self._walk) if self.walk_dim else []
        return profile_vectors(shared, own, self.dim)

    def _walk(self, network: Network) -> Floats:
        from factlink.embedding.walks.deepwalk import deepwalk_vectors

        def walk() -> Arrays:
            return {"vectors": deepwalk_vectors(network.links, len(network), self.walk_dim, self.seed)}

        described = f"DeepWalk, {self.walk_dim}, {self.seed}, {len(network)} users, {_print_of(network)}"
        return make_once(WALKS, described, (), walk)["vectors"]


@dataclass(frozen=True, slots=True, eq=False)
class PreparedUlink:
    """Profiles of two networks, ready to be mapped by any known pairs."""

    settings: UlinkLinker
    left: Network
    right: Network
    vectors: ProfileVectors

    def fit(self, known: Pairs) -> "UlinkScorer":
        """Learns the maps."""
        check_known(self.settings.name, known)
        vectors, impostors = self.vectors, _Impostors(self.vectors, known, self.settings)
        maps = SOLVERS[self.settings.solver](self._start(), impostors.problem, self.settings.iterations)
        shared = slice(vectors.n_shared)
        profiles = vectors.left[:, shared] @ maps.left[:, shared].T, vectors.right[:, shared] @ maps.right[:, shared].T
        mapped = vectors.left @ maps.left.T, vectors.right @ maps.right.T
        return UlinkScorer(self.left, self.right, *mapped, profiles)

    def _start(self) -> Maps:
        """Names and pictures as they are, nothing of the links: distances start as those of the profiles."""
        start = np.eye(self.vectors.n_shared, self.vectors.left.shape[1], dtype=np.float32)
        return Maps(start, start.copy())


@dataclass(frozen=True, slots=True, eq=False)
class _Impostors:
    """Finds who comes too near to the users of known pairs."""

    vectors: ProfileVectors
    known: Pairs
    settings: UlinkLinker

    def problem(self, maps: Maps) -> Problem:
        """The problem with impostors nearest under these maps, and random ones."""
        left, right = self.vectors.left @ maps.left.T, self.vectors.right @ maps.right.T
        rng = np.random.default_rng(self.settings.seed)
        false_rights = _impostors(left[self.known.lefts], right, self.known.rights, rng)
        false_lefts = _impostors(right[self.known.rights], left, self.known.lefts, rng)
        triples = Triples(self.known.lefts, self.known.rights, false_rights, false_lefts)
        return Problem(self.vectors.left, self.vectors.right, triples, self.settings.push, self.settings.penalty)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UlinkScorer(Scorer):
    """Minus the squared distance in the latent space."""

    left: Network
    right: Network
    left_vectors: Floats  # (n_left, dim)
    right_vectors: Floats  # (n_right, dim)
    profiles: tuple[Floats, Floats]  # what names and pictures alone make of the two; the rest is links

    def scores(self, rows: Ints) -> Floats:
        """(len(rows), n_right)."""
        mine = self.left_vectors[rows]
        squares = (mine**2).sum(axis=1)[:, None] + (self.right_vectors**2).sum(axis=1)
        return np.asarray(2 * mine @ self.right_vectors.T - squares, np.float32)

    def candidates(self, k: int) -> Candidates:
        """The k nearest right users of every left user."""
        return nearest_points(self.left_vectors, self.right_vectors, k)

    def place(self, lefts: Ints, rights: Ints) -> tuple[Floats, Floats]:
        """Places in the latent space."""
        return self.left_vectors[lefts], self.right_vectors[rights]

    def explain(self, lefts: Ints, rights: Ints) -> pl.DataFrame:
        """Columns PARTS: −|δ|² = −δ·δ_profiles − δ·δ_links, δ being the difference of the two users."""
        apart = self.left_vectors[lefts] - self.right_vectors[rights]
        profiles = self.profiles[0][lefts] - self.profiles[1][rights]
        places, met = np.arange(len(lefts)), Met(user_names(self.left, lefts), user_names(self.right, rights))
        weights = [-np.einsum("ij,ij->i", apart, part) for part in (profiles, apart - profiles)]
        return join_parts(
            [
                part_frame(places, weights[0], Kind.NAME, "distance of names and pictures", met),
                part_frame(places, weights[1], FRIENDS, "distance by links"),
            ]
        )


def _print_of(network: Network) -> str:
    """A short hash of all links."""
    digest = blake2b(digest_size=16)
    for predicate, links in network.links.items():
        digest.update(predicate.encode())
        for part in (links.followers, links.followees, links.weights):
            digest.update(part.tobytes())
    return digest.hexdigest()


def nearest_points(left: Floats, right: Floats, k: int) -> Candidates:
    """The k right points nearest to each left point, scored by minus the squared distance."""
    ones = np.ones((len(left), 1), np.float32)
    squares = (right**2).sum(axis=1, keepdims=True)
    near = nearest_vectors(np.hstack([2 * left, -ones]), np.hstack([right, squares]), k)
    return Candidates(near.rights, near.scores - (left**2).sum(axis=1, keepdims=True))


def _impostors(points: Floats, others: Floats, true: Ints, rng: np.random.Generator) -> Ints:
    """(n, m) others that are not the true one: the nearest, then random ones."""
    near = nearest_points(points, others, N_IMPOSTORS).rights.astype(np.int64)
    found = np.concatenate([near, rng.integers(len(others), size=(len(points), N_IMPOSTORS))], axis=1)
    return np.where(found == true[:, None], (true[:, None] + 1) % len(others), found)
