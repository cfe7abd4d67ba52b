"""What linkers learn from: known pairs and links."""

import numpy as np

from factlink.errors import InputError
from factlink.types import Network, Pairs

NO_START = (
    "networks '{}' and '{}' have no names and no known pairs in common to start from; set a column's kind "
    "(--kind COLUMN=name) or give known pairs (--known)"
)
"""Why nothing can be fitted."""


def check_known(linker: str, known: Pairs) -> None:
    """An error that names the linker if there is nothing to learn from."""
    if not len(known):
        raise InputError(f"linker '{linker}' needs known pairs and got none; give them with --known PAIRS")


def check_links(linker: str, *networks: Network) -> None:
    """An error that names the network without links."""
    for network in networks:
        if not any(map(len, network.links.values())):
            raise InputError(f"linker '{linker}' learns from links and network '{network.name}' has none")


def both_pairs(known: Pairs, found: Pairs) -> Pairs:
    """The pairs of both, the known ones first."""
    return Pairs(np.concatenate([known.lefts, found.lefts]), np.concatenate([known.rights, found.rights]))
