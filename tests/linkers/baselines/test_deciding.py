"""Candidates of three networks decided together, by hand."""

import numpy as np

from factlink.linkers.baselines.energy.deciding import Effort, Part, decide, triads_of
from factlink.linkers.baselines.energy.least_energy import no_triads
from factlink.types import Ints, Pairs


def pairs(*rows: tuple[int, int]) -> Pairs:
    ends = np.array(rows, np.int64)
    return Pairs(ends[:, 0], ends[:, 1])


def part(values: list[float], n_matches: int, n_decided: int) -> Part:
    """Pairs of users i and i; the first are known to match or not."""
    places = np.arange(len(values))
    column = np.array(values, np.float32)[:, None]
    nothing: Ints = np.empty((0, 2), np.int64)
    listed = Pairs(places, places)
    return Part(listed, column, places < n_matches, places < n_decided, nothing, np.empty(0, np.float32))


def test_triads_are_places_among_all_pairs_listed_in_turn() -> None:
    """User 0 of the first, 1 of the second and 2 of the third network close a triangle; networks 1 and 0 are turned."""
    listed = {(1, 0): pairs((1, 0), (1, 3)), (0, 2): pairs((5, 5), (0, 2)), (1, 2): pairs((0, 0), (0, 1), (1, 2))}
    assert triads_of(listed).tolist() == [[0, 6, 3]]
    assert triads_of({(0, 1): pairs((0, 0)), (1, 2): pairs((0, 0))}).shape == (0, 3)


def test_each_pair_of_networks_has_weights_of_its_own() -> None:
    """A high value speaks for a match between the first two networks, and against it between the last two."""
    rising, falling = part([2, 2, -2, -2, 2, -2], 2, 4), part([-2, -2, 2, 2, -2, 2], 2, 4)
    first, second = decide([rising, falling], no_triads(), Effort(10.0, 100, 100))
    assert first.weights[0] > 0 > second.weights[0]
    for found in (first, second):
        assert found.margins[4] > 0 > found.margins[5]
        assert (found.margins[:2] > found.margins[4]).all()  # known pairs are certain


def test_a_triad_lifts_the_pair_that_closes_it() -> None:
    """Between the last two networks values say nothing, so triads are learned to count, and two likely pairs tell."""
    parts = [part([2, 2, -2, -2, 2, -2], 2, 4), part([2, 2, -2, -2, 2, -2], 2, 4), part([0] * 6, 2, 4)]
    known = np.array([[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15]])
    found = decide(parts, np.concatenate([known, [[4, 10, 16], [5, 11, 17]]]), Effort(10.0, 100, 100))[2]
    assert found.margins[4] > 2 * found.margins[5]
