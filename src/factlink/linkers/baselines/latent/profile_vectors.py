"""One vector per user: names and pictures in a space that both networks share, links in a space of each its own."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix

from factlink.linkers.baselines.features.comparisons import NamesBy
from factlink.linkers.baselines.features.owned_objects import Owned, owned_objects
from factlink.protocols import Encoder
from factlink.types import Floats, Kind, Network
from factlink.vectors import unit_rows

NAME_DIM = 512

Block = tuple[Floats, Floats]
"""(n_left, dim) and (n_right, dim): unit rows, zero for users who have nothing to show."""


@dataclass(frozen=True, slots=True, eq=False)
class ProfileVectors:
    """The first `n_shared` columns mean the same in both networks, the rest do not."""

    left: Floats  # (n_left, dim)
    right: Floats  # (n_right, dim)
    n_shared: int


def profile_vectors(shared: list[Block], own: list[Block], dim: int) -> ProfileVectors:
    """Blocks side by side; those that the networks share turned to their `dim` principal directions."""
    lefts, rights = (np.concatenate(blocks, axis=1) for blocks in zip(*shared, strict=True))
    directions = _principal_directions(lefts, rights, dim)
    sides = [[lefts @ directions], [rights @ directions]]
    for block in own:
        for side, vectors in zip(sides, block, strict=True):
            side.append(vectors)
    left, right = (np.concatenate(side, axis=1) for side in sides)
    return ProfileVectors(left, right, directions.shape[1])


def name_blocks(left: Network, right: Network, seed: int, names_by: NamesBy = "ngrams") -> list[Block]:
    """One block for all names, and one for each of several name predicates that both networks have."""
    from factlink.encoders.jaro_winkler import JaroWinklerEncoder
    from factlink.encoders.names import NameEncoder

    everything = owned_objects(left, Kind.NAME), owned_objects(right, Kind.NAME)
    if not all(len(side.objects) for side in everything):
        return []
    names = pl.concat([everything[0].objects, everything[1].objects]).unique().sort()
    encoder: Encoder = NameEncoder(dim=NAME_DIM, seed=seed)
    if names_by == "jaro-winkler":
        encoder = JaroWinklerEncoder(dim=NAME_DIM, seed=seed)
    vectors = encoder.encode(names)
    shared = [p for p, a in left.attributes.items() if a.kind is Kind.NAME and p in right.attributes]
    several = shared if len(shared) > 1 else []
    by_predicate = [tuple(owned_objects(_only(n, p), Kind.NAME) for n in (left, right)) for p in several]
    sizes = (len(left), len(right))
    return [_block(owned, names, vectors, sizes) for owned in [everything, *by_predicate]]


def picture_blocks(left: Network, right: Network) -> list[Block]:
    """One block for all pictures, if both networks have them."""
    owned = owned_objects(left, Kind.IMAGE), owned_objects(right, Kind.IMAGE)
    if not all(len(side.objects) for side in owned):
        return []
    from factlink.encoders.pictures.images import ImageEncoder

    files = pl.concat([owned[0].objects, owned[1].objects]).unique().sort()
    return [_block(owned, files, ImageEncoder().encode(files.to_list()), (len(left), len(right)))]


def walk_blocks(left: Network, right: Network, walk: Callable[[Network], Floats]) -> list[Block]:
    """One block of vectors by links, if both networks have links."""
    if not all(any(map(len, network.links.values())) for network in (left, right)):
        return []
    return [(unit_rows(walk(left)), unit_rows(walk(right)))]


def _block(owned: tuple[Owned, ...], objects: pl.Series, vectors: Floats, sizes: tuple[int, int]) -> Block:
    """The direction of the sum of the vectors of what each user owns."""
    sides = []
    for side, n_users in zip(owned, sizes, strict=True):
        places = np.asarray(objects.search_sorted(side.objects))[side.places]
        ones = np.ones(len(places), np.float32)
        sides.append(unit_rows(csr_matrix((ones, (side.owners, places)), shape=(n_users, len(objects))) @ vectors))
    return sides[0], sides[1]


def _only(network: Network, predicate: str) -> Network:
    return replace(network, attributes={predicate: network.attributes[predicate]})


def _principal_directions(left: Floats, right: Floats, dim: int) -> Floats:
    """(n_columns, ≤ dim) the directions in which the users of both networks differ most, largest first."""
    total = left.T @ left + right.T @ right
    mean = (left.sum(axis=0) + right.sum(axis=0)) / (len(left) + len(right))
    covariance = total.astype(np.float64) - (len(left) + len(right)) * np.outer(mean, mean)
    _, directions = np.linalg.eigh(covariance)
    return np.ascontiguousarray(directions[:, ::-1][:, :dim], np.float32)
