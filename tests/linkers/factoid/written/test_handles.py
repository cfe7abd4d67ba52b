"""Handles that people make from their names."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from factlink.candidates.pairs import CandidatePairs, gather_pairs
from factlink.encoders.handles.pieces import START, learn_gains
from factlink.linkers.factoid.written import handles
from factlink.linkers.factoid.written.copied import WEIGHT, CopyChannel
from factlink.linkers.factoid.written.handles import HandleChannel, handle_channel, propose_initials
from factlink.types import NO_PAIRS, Attribute, Floats, Ints, Kind, Network, Pairs

NAMES = ["Amelia Earhart", "Robert Keller", "Grace Hopper", "Ada Lovelace"]
HANDLES = ["gracehopper", "ameliae", "bobkeller"]


def network(name: str, names: list[str]) -> Network:
    rows = np.arange(len(names))
    users = pl.Series([f"{name}{row}" for row in rows])
    return Network(name, users, {"name": Attribute(Kind.NAME, rows, pl.Series(names))}, {})


def every_pair(n_left: int, n_right: int) -> CandidatePairs:
    lefts, rights = np.divmod(np.arange(n_left * n_right), n_right)
    return gather_pairs(n_left, n_right, [(lefts, rights)])


def test_the_name_that_a_handle_was_made_from_explains_most_of_it() -> None:
    pairs, confident = every_pair(4, 3), Pairs(np.array([0, 2]), np.array([1, 0]))
    channel = handle_channel(network("left", NAMES), network("right", HANDLES), pairs, confident)
    assert isinstance(channel, HandleChannel)
    products = channel.products(pairs).reshape(4, 3)
    assert products.argmax(axis=0).tolist() == [2, 0, 1]
    assert (products >= 0).all()
    assert (products <= 1).all()
    assert products[2, 0] > 0.5 > products[3, 2]


def test_which_side_has_the_names_makes_no_difference() -> None:
    left, right = network("left", NAMES), network("right", HANDLES)
    confident = Pairs(np.array([0, 2]), np.array([1, 0]))
    forth = handle_channel(left, right, every_pair(4, 3), confident)
    back = handle_channel(right, left, every_pair(3, 4), Pairs(confident.rights, confident.lefts))
    assert isinstance(forth, HandleChannel)
    assert isinstance(back, HandleChannel)
    assert (forth.names_left, back.names_left) == (True, False)
    one, other = forth.products(every_pair(4, 3)).reshape(4, 3), back.products(every_pair(3, 4)).reshape(3, 4)
    assert one.tolist() == other.T.tolist()
    assert (forth.left.shape, forth.right.shape) == ((4, 0), (3, 0))


def test_the_weight_is_half_of_how_well_confident_pairs_rank_among_candidates() -> None:
    """Of (0, 1), (2, 0) and (1, 0), two rank first of three; the third is second; (3, 2) is no candidate."""
    pairs = gather_pairs(4, 3, [(np.array([0, 0, 0, 1, 1, 2, 2, 2]), np.array([0, 1, 2, 0, 2, 0, 1, 2]))])
    confident = Pairs(np.array([0, 2, 3]), np.array([1, 0, 2]))
    channel = handle_channel(network("left", NAMES), network("right", HANDLES), pairs, confident)
    assert isinstance(channel, HandleChannel)
    assert channel.weight == pytest.approx(0.5)
    assert channel.weighting.reason == "handles rank confident pairs with MRR 1.000"
    poor = handle_channel(
        network("left", ["Robert Keller", "Ada Lovelace"]),
        network("right", ["bobkeller", "robertkeller"]),
        every_pair(2, 2),
        Pairs(np.array([0]), np.array([0])),
    )
    assert poor is not None
    assert poor.weight == pytest.approx(0.25)


def test_gains_are_halfway_between_what_is_usual_and_what_confident_pairs_teach() -> None:
    confident = Pairs(np.array([0, 2]), np.array([1, 0]))
    channel = handle_channel(network("left", NAMES), network("right", HANDLES), every_pair(4, 3), confident)
    assert isinstance(channel, HandleChannel)
    assert channel.names is not None
    assert channel.handles is not None
    learned = learn_gains((confident.lefts, confident.rights), channel.names, channel.handles)
    assert channel.gains == pytest.approx((learned + START) / 2)


@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        (["Zaq Wexler", "b", "c", "d", "e"], ["zaqw"], HandleChannel),  # a fifth of the names has several words
        (["Zaq Wexler", "b", "c", "d", "e", "f"], ["zaqw"], CopyChannel),
        (["Zaq Wexler"], ["zaqw cde", *"abcdefghijklmnopqrs"], HandleChannel),  # one handle of 20 has two words
        (["Zaq Wexler"], ["zaqw cde", *"abcdefghijklmnopqr"], type(None)),
    ],
)
def test_handles_meet_names_of_several_words_or_handles(left: list[str], right: list[str], kind: type) -> None:
    pairs, confident = every_pair(len(left), len(right)), Pairs(np.array([0]), np.array([0]))
    assert type(handle_channel(network("left", left), network("right", right), pairs, confident)) is kind


def test_handles_on_both_sides_are_compared_by_what_they_copy() -> None:
    left, right = network("left", ["annabauer", "repkeller"]), network("right", ["kellerforus", "bauerforus", "wexler"])
    confident = Pairs(np.array([0, 1]), np.array([1, 0]))
    channel = handle_channel(left, right, every_pair(2, 3), confident)
    assert isinstance(channel, CopyChannel)
    assert channel.weight == pytest.approx(WEIGHT)
    products = channel.products(every_pair(2, 3)).reshape(2, 3)
    assert products.argmax(axis=1).tolist() == [1, 0]
    assert channel.copied(0, 1) == ["bauer"]
    renamed = channel.renamed(1, pl.Series(["kellerforus", "annabauer"]))
    assert renamed.products(every_pair(2, 2)).reshape(2, 2).argmax(axis=1).tolist() == [1, 0]


def test_large_networks_and_those_without_confident_pairs_have_no_such_channel(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right, pairs = network("left", NAMES), network("right", HANDLES), every_pair(4, 3)
    confident = Pairs(np.array([0]), np.array([1]))
    assert handle_channel(left, right, pairs, NO_PAIRS) is None
    monkeypatch.setattr(handles, "MOST_USERS", 7)
    assert handle_channel(left, right, pairs, confident) is not None
    monkeypatch.setattr(handles, "MOST_USERS", 6)
    assert handle_channel(left, right, pairs, confident) is None


def test_words_of_names_are_followed_by_their_nicknames() -> None:
    left = network("left", ["Zaq O'Wexl", "", "Gretchen Qo Qa Qe Qi Qu", "Robert"])
    channel = handle_channel(
        left, network("right", ["Zaq_W-1!"]), every_pair(4, 1), Pairs(np.array([0]), np.array([0]))
    )
    assert isinstance(channel, HandleChannel)
    words, texts = channel.names, channel.handles
    assert words is not None
    assert texts is not None
    letters = words.letters.tobytes().decode()
    spelled = [letters[a:b] for a, b in zip(words.word_starts, words.word_starts[1:], strict=False)]
    assert spelled[:2] == ["zaq", "owexl"]
    assert words.starts[:3].tolist() == [0, 2, 2]
    third = slice(words.starts[2], words.starts[3])
    assert [word for word, nick in zip(spelled[third], words.nick[third], strict=True) if not nick] == [
        *("gretchen", "qo", "qa", "qe", "qi")
    ]
    last = slice(words.starts[3], words.starts[4])
    assert spelled[last][0] == "robert"
    assert "bob" in spelled[last]
    assert words.nick[last].tolist() == [False] + [True] * (len(spelled[last]) - 1)
    assert words.places[last].tolist() == [0] * len(spelled[last])
    assert words.places[third][~words.nick[third]].tolist() == [0, 1, 2, 3, 4]
    assert texts.letters.tobytes().decode() == "zaqw1"
    assert texts.starts.tolist() == [0, 5]


def test_pairs_of_renamed_users_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, not series, decide: another series with the same names is compared anew, to the same outcome."""
    confident = Pairs(np.array([0, 2]), np.array([1, 0]))
    channel = handle_channel(network("left", NAMES), network("right", HANDLES), every_pair(4, 3), confident)
    assert isinstance(channel, HandleChannel)
    compared, compare = list[int](), handles.explain_handles

    def count(pairs: tuple[Ints, Ints], *words: Any) -> Floats:
        compared.append(len(pairs[0]))
        return compare(pairs, *words)

    monkeypatch.setattr(handles, "explain_handles", count)
    called, lighter = pl.Series(NAMES[::-1]), channel.weighed(0.1, "less")
    few = Pairs(np.array([3, 1, 0]), np.array([1, 0, 2]))
    first = channel.renamed(0, called).products(few)
    every = lighter.renamed(0, called).products(every_pair(4, 3)).reshape(4, 3)
    again = lighter.renamed(0, pl.Series(NAMES[::-1])).products(every_pair(4, 3)).reshape(4, 3)
    assert compared == [3, 9, 12]
    assert first.tolist() == every[few.lefts, few.rights].tolist()
    assert every.tolist() == again.tolist()
    assert lighter.renamed(0, called).weight == 0.1


def test_users_who_come_later_are_read_as_the_others_were() -> None:
    confident = Pairs(np.array([0, 2]), np.array([1, 0]))
    channel = handle_channel(network("left", NAMES), network("right", HANDLES), every_pair(4, 3), confident)
    assert isinstance(channel, HandleChannel)
    first = channel.products(every_pair(4, 3)).reshape(4, 3)
    named = channel.renamed(0, pl.Series(NAMES[::-1]))
    assert named.products(every_pair(4, 3)).reshape(4, 3).tolist() == first[::-1].tolist()
    called = channel.renamed(1, pl.Series(HANDLES[::-1]))
    assert called.products(every_pair(4, 3)).reshape(4, 3) == pytest.approx(first[:, ::-1])


PEOPLE = ["Mary Lou Gray", "Debbie W. Schultz", "Debbie Mucarsel Bell", "Ada Lovelace", "Ana Bea Cid Dor"]


@pytest.mark.parametrize(
    ("handle", "people"),
    [
        ("GovMLG", [0]),
        ("DWStweets", [1]),
        ("repdmb", [2]),
        ("senatordmb", [2]),
        ("senatorabcd", [4]),
        ("dmbrep", [2]),
        ("dmb", [2]),
        ("goMLGnow", [0]),
        ("IamMLGNow", [0]),
        ("gomlgnow", []),
        ("goMLxxx", []),
        ("repabcd", [4]),
        ("abcdrep", [4]),
        ("al", []),
    ],
)
def test_handles_with_the_initials_of_three_words_or_more_are_proposed(handle: str, people: list[int]) -> None:
    forth = propose_initials(network("left", PEOPLE), network("right", ["zzzzz", handle]), names_left=True)
    assert (forth[0].tolist(), forth[1].tolist()) == (people, [1] * len(people))
    back = propose_initials(network("left", ["zzzzz", handle]), network("right", PEOPLE), names_left=False)
    assert (back[0].tolist(), back[1].tolist()) == ([1] * len(people), people)


@pytest.mark.parametrize(("n", "proposed"), [(20, 20), (21, 0)])
def test_initials_that_many_share_are_none(n: int, proposed: int) -> None:
    left = network("left", [f"Mary Lou Gr{'a' * row}y" for row in range(n)])
    assert len(propose_initials(left, network("right", ["GovMLG"]), names_left=True)[0]) == proposed


def test_names_of_two_words_have_no_initials_to_propose() -> None:
    lefts, rights = propose_initials(network("left", NAMES), network("right", HANDLES), names_left=True)
    assert (len(lefts), len(rights)) == (0, 0)
