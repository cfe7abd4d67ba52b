"""A world whose names say much and whose links say the rest."""

from dataclasses import replace

from factlink.types import Network, Pairs
from tests.linkers.pair_worlds import World, namesakes, split


def half_named() -> tuple[World, Pairs, Pairs]:
    """200 people, half of whom share their name with one other; a tenth of the truth known, and the rest."""
    world = namesakes(200, unique=0.5)
    return world, *split(world.truth, 0.1)


def nameless(network: Network) -> Network:
    return replace(network, attributes={})
