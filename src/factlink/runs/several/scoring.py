"""A run of three networks or more compared with the truth: pairs of networks, and persons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from factlink.data.pairs import Truth
from factlink.data.several_pairs import read_several_pairs
from factlink.evaluation.person_metrics import PersonMetrics, evaluate_persons
from factlink.persons.cycles import ask_first
from factlink.runs.folder.persons import list_disagreements, read_persons
from factlink.runs.folder.several import Places, compared_networks, load_several, pair_folder
from factlink.runs.folder.store import load_run
from factlink.runs.scoring import Scores, score_run
from factlink.types import Network, Pairs


@dataclass(frozen=True, slots=True)
class SeveralScores:
    """How good the links of each pair of networks are that truth has pairs of, and the persons."""

    pairs: Mapping[tuple[str, str], Scores]  # by names of the left and the right network
    persons: PersonMetrics  # over the accounts that truth names
    disagreements: int  # triangles of links that do not close
    asks: pl.DataFrame  # their weakest links, to judge first


def evaluate_several(run: Path, truths: Sequence[Path]) -> SeveralScores:
    """Truth may be pairs of any two networks or persons, in one file or several."""
    manifest = load_several(run)
    compared = compared_networks(run, manifest.names, manifest.pairs, single=True)
    networks = [
        Network(name, pl.read_parquet(folder / "users.parquet", columns=["id"])["id"], {}, {})
        for name, folder in zip(compared.names, compared.folders, strict=True)
    ]
    own = [first for first, second in manifest.pairs if first == second]
    pairs = _joined([read_several_pairs(truth, networks, own) for truth in truths])
    nobody = np.empty(0, np.int64)
    scores = {
        (manifest.names[a], manifest.names[b]): score_run(
            load_run(pair_folder(run, (a, b))), Truth(_turned(pairs, (a, b)), nobody)
        )
        for a, b in manifest.pairs
        if (min(a, b), max(a, b)) in pairs and a != b
    }
    triangles = list_disagreements(compared)
    persons = _score_persons(run, networks, pairs)
    return SeveralScores(scores, persons, triangles.height, ask_first(triangles))


def _turned(pairs: Mapping[Places, Pairs], pair: Places) -> Pairs:
    """The pairs of two networks, with the left network of a part on the left."""
    return pairs[pair] if pair in pairs else Pairs(pairs[pair[::-1]].rights, pairs[pair[::-1]].lefts)


def _joined(parts: Sequence[Mapping[Places, Pairs]]) -> dict[Places, Pairs]:
    """All pairs of several files, each once."""
    found: dict[Places, Pairs] = {}
    for pair in {pair for part in parts for pair in part}:
        both = np.concatenate([[part[pair].lefts, part[pair].rights] for part in parts if pair in part], axis=1)
        found[pair] = Pairs(*np.unique(both, axis=1))
    return found


def _score_persons(run: Path, networks: Sequence[Network], pairs: Mapping[Places, Pairs]) -> PersonMetrics:
    """True persons are accounts that pairs tie together, directly or by way of others."""
    starts = np.cumsum([0, *map(len, networks)])
    lefts = np.concatenate([starts[a] + found.lefts for (a, _), found in pairs.items()])
    rights = np.concatenate([starts[b] + found.rights for (_, b), found in pairs.items()])
    graph = coo_array((np.ones(len(lefts)), (lefts, rights)), shape=(starts[-1], starts[-1]))
    true = connected_components(graph, directed=False)[1]
    named = np.union1d(lefts, rights)
    accounts = pl.concat(
        [pl.DataFrame({"network": pl.repeat(n.name, len(n), eager=True), "user": n.users}) for n in networks]
    )
    found = accounts[named].join(read_persons(run), on=["network", "user"], how="left", maintain_order="left")
    numbers = found["person"].rank("dense").to_numpy().astype(np.int64)
    return evaluate_persons(numbers, true[named])
