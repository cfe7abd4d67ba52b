"""The open world as files: a right network without some partners, and its truth."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from factlink.data.files import write_network
from factlink.data.pairs import Truth, read_truth, write_truth
from factlink.data.sources.networks import read_networks
from factlink.evaluation.open_world import hide_partners
from factlink.storage.durable import new_folder


@dataclass(frozen=True, slots=True)
class Hidden:
    """What was written, and how many partners are where."""

    right: Path
    truth: Path
    there: int  # left users whose partner is still there
    hidden: int  # left users whose partner is hidden


def hide(left: Path, right: Path, truth: Path, out: Path, share: float, seed: int) -> Hidden:
    """Writes OUT/right and OUT/truth.parquet, in which hidden partners are empty, as those of users without one."""
    names = ("right", "truth.parquet")
    with new_folder(out) as new:
        lefts, rights = (reading.network for reading in read_networks([left, right]))
        known = read_truth(truth, lefts, rights)
        world = hide_partners(lefts, rights, known.pairs, share, seed)
        write_network(world.right, new / names[0])
        truths = Truth(world.truth, np.union1d(known.absent, world.hidden))
        write_truth(truths, new / names[1], world.left, world.right)
    return Hidden(out / names[0], out / names[1], len(set(world.truth.lefts.tolist())), len(world.hidden))
