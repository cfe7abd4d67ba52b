"""Why pairs were linked, kept with a run: the evidence of links and candidates, and vectors enough for a map."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from factlink.explanations.explain import MOST_PAIRS, PARTS_KEPT, choose_pairs, explain_pairs, measure_links
from factlink.protocols import Scorer
from factlink.runs.folder.store import save_evidence, save_vectors
from factlink.types import DECISIONS, Candidates, Decision, Links

BEST = 5
"""Candidates of a user whose evidence is kept, as long as the run is small."""
MAPPED = 500
"""Links whose vectors are kept."""


def keep_evidence(scorer: Scorer, links: Links, candidates: Candidates, folder: Path) -> dict[str, Any]:
    """Writes the evidence of the links, and where they are few that of the best candidates; what was kept."""
    places = choose_pairs(links, MOST_PAIRS)
    lefts, rights = links.lefts[places], links.rights[places]
    k = min(BEST, MOST_PAIRS // max(1, len(links)), candidates.rights.shape[1])
    rows, columns = np.nonzero(candidates.rights[:, :k] >= 0)
    keys = np.concatenate([lefts, rows]).astype(np.int64) * len(scorer.right)
    keys = np.unique(keys + np.concatenate([rights, candidates.rights[rows, columns]]))
    evidence = explain_pairs(scorer, *np.divmod(keys, len(scorer.right)))
    save_evidence(folder, evidence)
    usual = asdict(measure_links(scorer, links, evidence))
    return {"pairs": len(places), "of": int((links.rights >= 0).sum()), "candidates": k, "parts": PARTS_KEPT, **usual}


def keep_vectors(scorer: Scorer, links: Links, folder: Path) -> None:
    """Writes vectors of both users of some links, evenly chosen: enough for a map; nothing where there are none."""
    linked = np.flatnonzero(links.decisions == DECISIONS.index(Decision.LINK))
    chosen = linked[:: max(1, len(linked) // MAPPED)][:MAPPED]
    if (vectors := scorer.place(links.lefts[chosen], links.rights[chosen])) is not None:
        save_vectors(folder, chosen, *vectors)
