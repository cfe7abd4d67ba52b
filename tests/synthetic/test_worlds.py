import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from factlink.errors import SettingError
from factlink.synthetic.worlds import (
    Dials,
    LinkDials,
    NameDials,
    Population,
    TextDials,
    World,
    shuffle_links,
    twins,
)
from factlink.types import Kind, Network, Pairs


@pytest.fixture(scope="module")
def world() -> World:
    return twins(
        Dials(population=Population(people=4_000, predicates=("username", "screen_name", "bio", "location", "noise")))
    )


def values(network: Network, predicate: str) -> list[str | None]:
    shown: list[str | None] = [None] * len(network)
    attribute = network.attributes[predicate]
    for row, value in zip(attribute.rows, attribute.objects, strict=True):
        shown[row] = value
    return shown


def pairs_of(world: World, predicate: str, pairs: Pairs | None = None) -> Iterator[tuple[str | None, str | None]]:
    left, right = world.networks[:2]
    pairs = pairs or world.truth(left.name, right.name)
    lefts, rights = values(left, predicate), values(right, predicate)
    return ((lefts[a], rights[b]) for a, b in zip(pairs.lefts, pairs.rights, strict=True))


def equal_share(world: World, predicate: str, pairs: Pairs | None = None) -> float:
    return float(np.mean([a == b is not None for a, b in pairs_of(world, predicate, pairs)]))


def links_of(network: Network) -> set[tuple[int, int]]:
    follows = network.links["follows"]
    return set(zip(follows.followers.tolist(), follows.followees.tolist(), strict=True))


def fingerprint(world: World) -> str:
    digest = hashlib.sha256()
    for network in world.networks:
        digest.update("\n".join(network.users).encode())
        for predicate, attribute in network.attributes.items():
            digest.update(predicate.encode() + attribute.rows.astype("<i8").tobytes())
            digest.update("\n".join(attribute.objects).encode())
        for follows in network.links.values():
            digest.update(follows.followers.astype("<i8").tobytes() + follows.followees.astype("<i8").tobytes())
    return digest.hexdigest()


def test_every_network_is_well_formed(world: World) -> None:
    for network in world.networks:
        assert network.users.n_unique() == len(network)
        assert network.users.str.len_chars().unique().to_list() == [16]
        for attribute in network.attributes.values():
            assert len(attribute.rows) == len(attribute.objects)
            assert (np.diff(attribute.rows) >= 0).all()
            assert attribute.objects.null_count() == 0
            assert (attribute.objects.str.strip_chars() != "").all()
        follows = network.links["follows"]
        assert (follows.followers != follows.followees).all()
        assert len(links_of(network)) == len(follows)
        assert follows.followees.max() < len(network)


def test_predicates_have_their_kinds(world: World) -> None:
    kinds = {predicate: attribute.kind for predicate, attribute in world.networks[0].attributes.items()}
    assert kinds == {
        "username": Kind.NAME,
        "screen_name": Kind.NAME,
        "bio": Kind.TEXT,
        "location": Kind.LOCATION,
        "noise": Kind.CATEGORY,
    }


def test_truth_pairs_the_same_persons(world: World) -> None:
    truth = world.truth("left", "right")
    lefts, rights = world.persons
    assert (lefts[truth.lefts] == rights[truth.rights]).all()
    assert len(truth) == len(set(lefts.tolist()) & set(rights.tolist()))
    assert len(set(truth.lefts.tolist())) == len(set(truth.rights.tolist())) == len(truth)


def test_truth_turned_round_is_the_same_pairs(world: World) -> None:
    there, back = world.truth("left", "right"), world.truth("right", "left")
    pairs = set(zip(there.lefts.tolist(), there.rights.tolist(), strict=True))
    assert pairs == set(zip(back.rights.tolist(), back.lefts.tolist(), strict=True))


def test_presence_sets_how_many_are_shown(world: World) -> None:
    for network in world.networks:
        assert len(network) / 4_000 == pytest.approx(0.8, abs=0.03)
    assert len(world.truth("left", "right")) / 4_000 == pytest.approx(0.64, abs=0.03)


def test_three_networks_have_truth_for_any_two() -> None:
    world = twins(Dials(population=Population(people=300, networks=("a", "b", "c"), revealed=50)))
    assert [network.name for network in world.networks] == ["a", "b", "c"]
    for left, right in (("a", "b"), ("a", "c"), ("c", "b")):
        assert len(world.truth(left, right)) == 50
        assert len(world.whole_truth(left, right)) > 150


def test_exact_counts() -> None:
    population = Population(people=900, users=(500, 700), revealed=123)
    world = twins(Dials(population=population, links=LinkDials(counts=(3_000, 2_000))))
    assert [len(network) for network in world.networks] == [500, 700]
    assert [len(network.links["follows"]) for network in world.networks] == [3_000, 2_000]
    assert len(world.truth("left", "right")) == 123


def test_revealed_pairs_are_among_all_pairs() -> None:
    world = twins(Dials(population=Population(people=500, revealed=40)))
    some, every = world.truth("left", "right"), world.whole_truth("left", "right")
    pairs = set(zip(every.lefts.tolist(), every.rights.tolist(), strict=True))
    assert set(zip(some.lefts.tolist(), some.rights.tolist(), strict=True)) < pairs


def test_more_revealed_than_there_are_is_refused() -> None:
    world = twins(Dials(population=Population(people=50, revealed=51)))
    with pytest.raises(SettingError, match="people in common, fewer than revealed=51"):
        world.truth("left", "right")


def test_unknown_network_is_named() -> None:
    with pytest.raises(SettingError, match="no network is called 'twitter'; there are: left, right"):
        twins(Dials(population=Population(people=20))).network("twitter")


def test_one_network_ten_times_the_other() -> None:
    world = twins(Dials(population=Population(people=2_100, users=(200, 2_000))))
    assert [len(network) for network in world.networks] == [200, 2_000]
    assert len(world.truth("left", "right")) > 170


def test_links_only() -> None:
    world = twins(Dials(population=Population(people=200, predicates=())))
    assert world.networks[0].attributes == {}
    assert len(world.networks[0].links["follows"]) > 0


def test_no_links() -> None:
    assert twins(Dials(population=Population(people=50), links=LinkDials(mean=0))).networks[0].links == {}


def test_same_seed_same_bytes() -> None:
    dials = Dials(population=Population(people=300))
    assert fingerprint(twins(dials)) == fingerprint(twins(dials))
    assert fingerprint(twins(dials)) != fingerprint(twins(replace(dials, seed=1)))


def test_same_bytes_with_one_thread() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from test_worlds import *; "
        "print(fingerprint(twins(Dials(population=Population(people=300)))))"
    )
    one = subprocess.run(
        [sys.executable, "-c", script, str(Path(__file__).parent)],
        env={**os.environ, "POLARS_MAX_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert one.stdout.strip() == fingerprint(twins(Dials(population=Population(people=300))))


def test_names_stay_when_links_change() -> None:
    population = Population(people=200)
    dense, sparse = (twins(Dials(population=population, links=LinkDials(mean=mean))) for mean in (12, 3))
    assert values(dense.networks[0], "username") == values(sparse.networks[0], "username")


def test_rows_and_ids_tell_nothing(world: World) -> None:
    truth = world.truth("left", "right")
    assert abs(np.corrcoef(truth.lefts, truth.rights)[0, 1]) < 0.06
    assert not set(world.networks[0].users) & set(world.networks[1].users)
    ranks = [network.users.rank().to_numpy() for network in world.networks]
    assert abs(np.corrcoef(ranks[0][truth.lefts], ranks[1][truth.rights])[0, 1]) < 0.06


def test_usernames_are_taken_once(world: World) -> None:
    for network in world.networks:
        assert network.attributes["username"].objects.n_unique() == len(network)


@pytest.mark.parametrize("same", [0.0, 0.5, 1.0])
def test_same_sets_how_many_usernames_are_equal(same: float) -> None:
    names = NameDials(same=same, near=0, hidden=0)
    world = twins(Dials(population=Population(people=2_000, predicates=("username",)), names=names))
    assert equal_share(world, "username") == pytest.approx(same**2, abs=0.08)


def test_hidden_accounts_share_no_name() -> None:
    world = twins(Dials(population=Population(people=800), names=NameDials(hidden=1)))
    assert equal_share(world, "username") < 0.03
    assert equal_share(world, "screen_name") < 0.02


@pytest.mark.parametrize("plain", [0.5, 1.0])
def test_plain_sets_how_many_screen_names_are_equal(plain: float) -> None:
    dials = Dials(
        population=Population(people=2_000), names=NameDials(plain=plain, hidden=0, native=0), texts=TextDials(typos=0)
    )
    assert plain**2 - 0.04 <= equal_share(twins(dials), "screen_name") <= plain**2 + 0.12


def test_names_are_a_mix_of_easy_and_hard(world: World) -> None:
    trigrams = lambda text: {text[i : i + 3] for i in range(len(text) - 2)}  # noqa: E731
    pairs = [(trigrams(a or ""), trigrams(b or "")) for a, b in pairs_of(world, "username")]
    overlaps = np.array([len(a & b) / max(1, len(a | b)) for a, b in pairs])
    assert 0.1 < np.mean(overlaps == 1) < 0.4
    assert np.mean((overlaps < 1) & (overlaps > 0.2)) > 0.1
    assert 0.2 < np.mean(overlaps < 0.05) < 0.7


def test_scripts_of_several_cultures_appear(world: World) -> None:
    names = world.networks[0].attributes["screen_name"].objects
    for script in ("Han", "Hangul", "Arabic", "Cyrillic", "Tamil", "Devanagari", "Latin"):
        assert names.str.contains(rf"\p{{{script}}}").sum() > 5, script
    assert world.networks[0].attributes["username"].objects.str.contains(r"^[a-z0-9_.]+$").all()


def test_native_dial_off_writes_latin_only() -> None:
    world = twins(Dials(population=Population(people=1_000), names=NameDials(native=0)))
    names = world.networks[0].attributes["screen_name"].objects
    assert not names.str.contains(r"\p{Han}|\p{Hangul}|\p{Arabic}|\p{Cyrillic}").any()


def test_one_culture_only() -> None:
    world = twins(Dials(population=Population(people=500), names=NameDials(cultures=("korean",), native=1, hidden=0)))
    assert world.networks[0].attributes["screen_name"].objects.str.contains(r"\p{Hangul}").all()


def test_missing_sets_how_many_have_no_bio() -> None:
    for missing in (0.0, 0.5, 1.0):
        network = twins(Dials(population=Population(people=1_500), texts=TextDials(missing=missing))).networks[0]
        assert len(network.attributes["bio"].rows) / len(network) == pytest.approx(1 - missing, abs=0.05)


def test_bios_of_one_person_share_words(world: World) -> None:
    truth = world.truth("left", "right")
    shifted = Pairs(truth.lefts, np.roll(truth.rights, 1))

    def shared(pairs: Pairs) -> float:
        both = [(a, b) for a, b in pairs_of(world, "bio", pairs) if a and b]
        return float(np.mean([len(set(a.lower().split()) & set(b.lower().split())) for a, b in both]))

    assert shared(truth) > 1.5 * shared(shifted)


def test_own_sets_how_many_locations_agree() -> None:
    population = Population(people=2_000, predicates=("location",))
    world = twins(Dials(population=population, texts=TextDials(missing=0, own=0.8)))
    assert equal_share(world, "location") == pytest.approx(0.64, abs=0.05)


def test_noise_tells_nothing(world: World) -> None:
    assert equal_share(world, "noise") == pytest.approx(1 / 20, abs=0.02)


def test_shuffled_links_keep_degrees_only(world: World) -> None:
    network = world.networks[0]
    shuffled = shuffle_links(network, seed=3)
    before, after = network.links["follows"], shuffled.links["follows"]
    for ends in ("followers", "followees"):
        assert (np.bincount(getattr(before, ends)) == np.bincount(getattr(after, ends))).all()
    assert len(links_of(shuffled)) == len(after)
    assert all(a != b for a, b in links_of(shuffled))
    assert len(links_of(network) & links_of(shuffled)) / len(after) < 0.1
    assert shuffled.users is network.users


def test_common_neighbours_tell_who_is_who(world: World) -> None:
    """With every other pair known, true pairs have more known neighbours in common than random ones."""
    truth = world.truth("left", "right")
    left, right = world.networks
    partner = dict(zip(truth.lefts[::2].tolist(), truth.rights[::2].tolist(), strict=True))
    table = pl.DataFrame(list(links_of(left)), schema=["a", "b"], orient="row")
    theirs = pl.DataFrame(list(links_of(right)), schema=["a", "b"], orient="row").group_by("a").agg("b")
    followed = {a: {partner[b] for b in bs if b in partner} for a, bs in table.group_by("a").agg("b").iter_rows()}
    theirs_by_row = {a: set(bs) for a, bs in theirs.iter_rows()}

    def common(rights: np.ndarray) -> float:
        rows = zip(truth.lefts.tolist(), rights.tolist(), strict=True)
        return float(np.mean([len(followed.get(a, set()) & theirs_by_row.get(b, set())) for a, b in rows]))

    assert common(truth.rights) > 5 * common(np.roll(truth.rights, 1))
