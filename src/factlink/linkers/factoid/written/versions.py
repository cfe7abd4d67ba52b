"""Versions of users' names: a name may be read in several ways, and the best pair of readings counts."""

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_matrix, diags, vstack

from factlink.candidates.inverted_index import nearest_by_rare
from factlink.candidates.products import sparse_products
from factlink.encoders.ngrams.owned_rows import OwnedRows
from factlink.encoders.readings.sounds import PLAIN
from factlink.encoders.readings.written import ALWAYS, Flags, Written
from factlink.execution.workers import HERE, Workers
from factlink.types import Floats, Ints

PRICE = 0.026
"""What each alternative costs, times the logarithm of their number: the odds of a pair are divided by it."""

_AT_ONCE = 200_000  # pairs whose versions are compared together


@dataclass(frozen=True, slots=True, eq=False)
class Versions:
    """Users of one side: rows of n-grams, first one per user, then those of their further versions."""

    rows: csr_matrix  # (n_users + n_versions, n_columns) of unit length
    starts: Ints  # (n_users + 1,) where the versions of each user begin in the next two
    places: Ints  # (n_users + n_versions,) rows, the user's own first
    families: Ints  # (n_users + n_versions,)
    foreign: Flags  # (n_users,) who has a name in another script
    spelled: Ints  # (n_versions,) the first spelling among the further texts; −1 for names as written

    def of_family(self, family: int, further: bool) -> tuple[Ints, Ints]:
        """Users and the rows of their versions of a family: all, or those other than names as written."""
        owners = np.repeat(np.arange(len(self.foreign)), np.diff(self.starts))
        chosen = self.families == family
        if further:
            as_written = np.zeros(len(owners), np.bool_)
            as_written[self.starts[:-1]] = True
            chosen &= ~as_written if family == PLAIN else self.foreign[owners]
        return owners[chosen], self.places[chosen]


def find_both_versions(
    written: Written, owned: OwnedRows, weights: Floats, own: tuple[csr_matrix, csr_matrix]
) -> tuple[Versions, Versions] | None:
    """Versions of the users of both sides, right ones after left ones in `owned`; None where names have one reading."""
    if not len(written.more):
        return None
    n_objects, n_left = len(written.texts), own[0].shape[0]
    owners = owned.owners[:n_objects]
    left = find_versions(written, Held(owners, np.where(owners < n_left, weights[:n_objects], 0)), owned.rows, own[0])
    whose = owners - n_left
    right = find_versions(written, Held(whose, np.where(whose >= 0, weights[:n_objects], 0)), owned.rows, own[1])
    return left, right


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Whose each object is, and what it counts; 0 for those of the other side."""

    owners: Ints
    weights: Floats


def find_versions(written: Written, held: Held, rows: csr_matrix, own: csr_matrix) -> Versions:
    """Versions of users from their names: `rows` of all texts, `own` the users' rows as written."""
    owners, weights = held.owners, held.weights
    n_users, n_objects = own.shape[0], len(owners)
    foreign = _foreign_users(written, held, n_users)
    weights = np.where(~written.foreign | foreign[np.clip(owners, 0, n_users - 1)], weights, 0)
    members = _members(written, owners, weights, foreign)
    versions = members.select("owner", "family", "alternative").unique().sort("owner", "family", "alternative")
    placed = members.join(
        versions.with_row_index("version"), on=["owner", "family", "alternative"], maintain_order="left"
    )
    entries = placed["weight"].to_numpy(), (placed["version"].to_numpy(), placed["row"].to_numpy())
    holders = csr_matrix(entries, shape=(len(versions), n_objects + len(written.more)), dtype=np.float32)
    stacked = vstack([own, _unit(holders @ rows)], format="csr").astype(np.float32)
    stacked.sort_indices()
    places = np.concatenate([np.arange(n_users), n_users + np.arange(len(versions))])
    families = np.concatenate([np.full(n_users, PLAIN), versions["family"].to_numpy()])
    whose = np.concatenate([np.arange(n_users), versions["owner"].to_numpy()])
    order = np.argsort(whose, kind="stable")
    starts = np.concatenate([[0], np.bincount(whose, minlength=n_users).cumsum()])
    return Versions(stacked, starts, places[order], families[order], foreign, _spelled(placed, written, len(versions)))


def _foreign_users(written: Written, held: Held, n_users: int) -> Flags:
    """(n_users,): who is known by a name in another script: none of their Latin names counts twice as much."""
    counted = held.weights > 0
    heaviest = np.zeros((2, n_users), np.float32)
    for place, chosen in enumerate((counted & written.foreign, counted & ~written.foreign)):
        np.maximum.at(heaviest[place], held.owners[chosen], held.weights[chosen])
    return np.asarray((heaviest[0] > 0) & (2 * heaviest[0] >= heaviest[1]))


def _spelled(placed: pl.DataFrame, written: Written, n_versions: int) -> Ints:
    """(n_versions,): the first reading of each version, −1 for none."""
    row = placed["row"].to_numpy() - (len(written.texts))
    reads = row >= 0
    reads[reads] = ~written.sounds[row[reads]] & (written.alternatives[row[reads]] != ALWAYS)
    spelled = np.full(n_versions, len(written.more), np.int64)
    np.minimum.at(spelled, placed["version"].to_numpy()[reads], row[reads])
    return np.where(spelled < len(written.more), spelled, -1)


def _members(written: Written, owners: Ints, weights: Floats, foreign: Flags) -> pl.DataFrame:
    """Which row counts in which version, and how much."""
    n_objects = len(owners)
    more = pl.DataFrame(
        {
            "owner": owners[written.sources],
            "weight": weights[written.sources],
            "row": n_objects + np.arange(len(written.more)),
            "family": written.families,
            "alternative": written.alternatives,
            "sound": written.sounds,
            "source": written.sources,
        }
    ).filter(pl.col("weight") > 0)
    read = more.filter(pl.col("alternative") != ALWAYS)
    spelled = read.filter(~pl.col("sound")).with_columns(family=pl.lit(PLAIN, pl.Int64))
    read = pl.concat([spelled, read.filter(pl.col("family") != PLAIN)])
    keys = read.select("owner", "family", "alternative").unique()
    heard = more.filter(pl.col("alternative") == ALWAYS)
    plain = heard.filter(~pl.Series(foreign[heard["owner"].to_numpy()]))
    keys = pl.concat([keys, plain.select("owner", "family", alternative=pl.lit(0, pl.Int64)).unique()])
    latin = np.flatnonzero(~written.foreign & (weights > 0))
    names = pl.DataFrame({"owner": owners[latin], "weight": weights[latin], "row": latin})
    columns = ("owner", "family", "alternative", "row", "weight")
    read_as = read.select("owner", "family", "alternative", row="source").unique()
    others = keys.join(names, on="owner").join(read_as, on=["owner", "family", "alternative", "row"], how="anti")
    return pl.concat(
        [
            read.select(columns),
            keys.join(heard.drop("alternative"), on=["owner", "family"]).select(columns),
            others.select(columns),
        ]
    ).sort(columns)


def _unit(rows: csr_matrix) -> csr_matrix:
    lengths = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1), np.float64).ravel())
    return (diags((1 / np.maximum(lengths, 1e-9)).astype(np.float32)) @ rows).tocsr()


def compare_versions(pairs: tuple[Ints, Ints], left: Versions, right: Versions) -> Floats:
    """(n_pairs,): the product of the best versions of each pair, less the price of their number."""
    best = [
        best_versions((pairs[0][at : at + _AT_ONCE], pairs[1][at : at + _AT_ONCE]), left, right)[0]
        for at in range(0, len(pairs[0]), _AT_ONCE)
    ]
    return np.concatenate([np.empty(0, np.float32), *best])


def best_versions(pairs: tuple[Ints, Ints], left: Versions, right: Versions) -> tuple[Floats, Ints, Ints]:
    """The same, and the two rows that were best."""
    lefts, rights = pairs
    n_left, n_right = np.diff(left.starts)[lefts], np.diff(right.starts)[rights]
    counts = n_left * n_right
    pair = np.repeat(np.arange(len(lefts)), counts)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
    mine = left.starts[lefts[pair]] + within // n_right[pair]
    theirs = right.starts[rights[pair]] + within % n_right[pair]
    family = left.families[mine]
    either = left.foreign[lefts[pair]] | right.foreign[rights[pair]]
    kept = (family == right.families[theirs]) & ((family == PLAIN) | either)
    pair, mine, theirs = pair[kept], left.places[mine[kept]], right.places[theirs[kept]]
    by_left = np.argsort(mine, kind="stable")  # each left row is unpacked once
    products = np.empty(len(mine), np.float32)
    products[by_left] = sparse_products(left.rows, right.rows, mine[by_left], theirs[by_left])
    first = np.flatnonzero(np.diff(pair, prepend=-1))
    compared = np.diff(first, append=len(pair))
    best = np.flatnonzero(products == np.repeat(np.maximum.reduceat(products, first), compared)) if len(pair) else first
    chosen = best[np.flatnonzero(np.diff(pair[best], prepend=-1))]
    values = products[chosen] - np.float32(PRICE) * np.log(compared).astype(np.float32)
    return np.where(products[chosen] > 0, values, 0).astype(np.float32), mine[chosen], theirs[chosen]


def nearest_versions(
    left: Versions, right: Versions, k: int, budget: int | None, workers: Workers = HERE
) -> tuple[Ints, Ints]:
    """Pairs of users that are near in a version other than that as written."""
    found: list[tuple[Ints, Ints]] = []
    for family in np.union1d(left.families, right.families):
        for sides in ((True, False), (False, True)):
            mine, theirs = left.of_family(family, sides[0]), right.of_family(family, sides[1])
            if len(mine[0]) and len(theirs[0]):
                rows = nearest_by_rare(left.rows[mine[1]], right.rows[theirs[1]], k, budget, workers)
                found.append((mine[0][rows[0]], theirs[0][rows[1]]))
    none = np.empty(0, np.int64)
    return np.concatenate([none, *(p[0] for p in found)]), np.concatenate([none, *(p[1] for p in found)])
