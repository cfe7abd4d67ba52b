"""The nearest stored vectors of a side: all are compared where there are few, and lists of them where there are many.

The lists are k-means cells of the vectors that a run began with. Users who were added later are always all compared.
The number of lists that are looked at is the smallest that finds nearly all of the ten nearest of some users of the
other side.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from factlink.candidates.top_k import best_of_block, nearest_stored
from factlink.serve.warm.mapped import one_at_a_time
from factlink.storage.durable import replaced_file
from factlink.types import Candidates, Floats, Halves

FEW = 2_000
"""Vectors up to which all are compared."""
RECALL = 0.995
"""The share of the ten nearest that the lists must find."""

_ASKED, _BEST = 200, 10  # users and neighbours by which the number of lists is chosen
_FEWEST_PER_LIST = 39  # vectors of a list on average, as k-means wants them
_PER_LIST = 64  # vectors that k-means sees for each list
_ROUNDS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Nearest:
    """Searches one side of a space."""

    index: Any | None  # of faiss; None where all are compared
    recall: float = 1.0

    def __call__(self, vectors: Floats, stored: Sequence[Halves], k: int) -> Candidates:
        """The k nearest stored vectors of each of some vectors."""
        if self.index is None:
            return nearest_stored(vectors, stored, k)
        scores, rows = self.index.search(np.ascontiguousarray(vectors), min(k, len(stored[0])))
        found = Candidates(rows.astype(np.int32), np.where(rows < 0, -np.inf, scores).astype(np.float32))
        if len(stored) == 1:
            return found
        later = nearest_stored(vectors, stored[1:], k)
        scores = np.concatenate([found.scores, later.scores], axis=1)
        rights = np.concatenate([found.rights, later.rights + np.int32(len(stored[0]))], axis=1)
        best = best_of_block(scores, min(k, scores.shape[1])).rights
        return Candidates(np.take_along_axis(rights, best, axis=1), np.take_along_axis(scores, best, axis=1))


ALL = Nearest(None)


def open_nearest(stored: Halves, others: Halves, key: str, folder: Path) -> Nearest:
    """The lists of a side, made once for a file of vectors and kept in `folder`; `others` are of the other side."""
    if len(stored) <= FEW:
        return ALL
    import faiss

    path, note = folder / f"{key[:24]}.lists", folder / f"{key[:24]}.lists.json"
    with one_at_a_time(folder):
        if not (path.exists() and note.exists()):
            index, recall = _make_lists(np.asarray(stored), np.asarray(others))
            with replaced_file(path) as part:
                faiss.write_index(index, str(part))
            with replaced_file(note) as part:
                part.write_text(json.dumps({"recall": recall, "lists": index.nprobe}), encoding="utf-8")
    described = json.loads(note.read_text("utf-8"))
    stored_index: Any = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
    stored_index.nprobe = described["lists"]
    return Nearest(stored_index, described["recall"])


def _make_lists(stored: Halves, others: Halves) -> tuple[Any, float]:
    import faiss

    n, dim = stored.shape
    n_lists = min(int(4 * np.sqrt(n)), n // _FEWEST_PER_LIST)
    coarse: Any = faiss.IndexFlatIP(dim)
    index = faiss.IndexIVFScalarQuantizer(
        coarse, dim, n_lists, faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT, False
    )
    index.own_fields = True
    coarse.this.disown()
    index.cp.niter = _ROUNDS
    index.cp.max_points_per_centroid = _PER_LIST
    drawn = np.random.default_rng(0).permutation(n)[: n_lists * _PER_LIST]
    index.train(stored[np.sort(drawn)].astype(np.float32))
    for start in range(0, n, 65_536):
        index.add(stored[start : start + 65_536].astype(np.float32))
    asked = others[:: max(1, len(others) // _ASKED)][:_ASKED].astype(np.float32)
    wanted = nearest_stored(asked, [stored], _BEST).rights
    return index, _choose_lists(index, asked, wanted)


def _choose_lists(index: Any, asked: Floats, wanted: Any) -> float:
    """Sets the smallest number of lists that finds enough; the share it finds."""
    index.nprobe = 8
    while True:
        found = index.search(asked, _BEST)[1]
        recall = float(np.mean([len(np.intersect1d(a, b)) / len(b) for a, b in zip(found, wanted, strict=True)]))
        if recall >= RECALL or index.nprobe >= index.nlist:
            return recall
        index.nprobe = min(index.nlist, int(index.nprobe * 1.5))
