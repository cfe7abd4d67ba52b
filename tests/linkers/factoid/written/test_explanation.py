"""What met, in words: readings, nicknames, initials and declared links."""

from itertools import product

import numpy as np
import polars as pl
from numpy.testing import assert_allclose

from factlink.encoders.handles.pieces import INITIAL, LEFT, NICK, PREFIX, WHOLE
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.linkers.factoid.written.explanation import describe_pieces
from factlink.types import Attribute, Kind, Network

GIVEN = ("Anna", "Boris", "Clara", "David", "Elena", "Frank", "Greta", "Henry", "Irene", "Jonas")
FAMILY = ("Bauer", "Novak", "Silva", "Okafor", "Lindqvist", "Moreau", "Castillo", "Petrov")


def network(name: str, names: list[str], bios: dict[int, str] | None = None) -> Network:
    attributes = {"name": Attribute(Kind.NAME, np.arange(len(names)), pl.Series(names))}
    if bios:
        attributes["bio"] = Attribute(Kind.TEXT, np.array(list(bios)), pl.Series(list(bios.values())))
    return Network(name, pl.Series([f"{name}{row}" for row in range(len(names))]), attributes, {})


def notes(left: Network, right: Network) -> list[str]:
    """Of the pair of the last users: what its parts say, objects before notes."""
    scorer = FactoidLinker().fit(left, right)
    parts = scorer.explain(np.array([len(left) - 1]), np.array([len(right) - 1]))
    return [said for column in ("left", "right", "note") for said in parts[column].drop_nulls()]


def people() -> list[str]:
    return [f"{given} {family}" for given in GIVEN for family in FAMILY]


def few_namesakes() -> list[str]:
    """People of whom crossed names are not others of them, so that names say something."""
    return [f"{given}{'aeiouxy'[at % 7]} {family}" for at, (given, family) in enumerate(product(GIVEN, FAMILY))]


def test_pieces_are_described_in_words() -> None:
    govmlg = [(LEFT, 1, -1)] * 3 + [(INITIAL, 1, 0), (INITIAL, 1, 1), (INITIAL, 1, 2)]
    assert describe_pieces(govmlg, "govmlg", ["michelle", "lujan", "grisham"]) == "initials of Michelle Lujan Grisham"
    tom = [(NICK, 3, 0), (WHOLE, 7, 2), (LEFT, 1, -1), (LEFT, 1, -1)]
    assert describe_pieces(tom, "tombarrackjr", ["thomas", "j", "barrack"]) == "Tom short for Thomas, Barrack"
    fitz = [(PREFIX, 4, 1), (INITIAL, 1, 0)]
    assert describe_pieces(fitz, "fitzb", ["brian", "fitzpatrick"]) == "Fitz for Fitzpatrick, initial of Brian"
    assert describe_pieces([(LEFT, 1, -1)], "x", ["ann"]) == ""


def test_a_handle_of_initials_says_of_what() -> None:
    handles = [f"{given[0]}{family}".lower() for given in GIVEN for family in FAMILY]
    left, right = network("left", [*people(), "Michelle Lujan Grisham"]), network("right", [*handles, "MLG"])
    for one, other in ((left, right), (right, left)):
        assert "MLG: initials of Michelle Lujan Grisham" in notes(one, other)


def test_a_nickname_says_for_what_it_is_short() -> None:
    left, right = network("left", [*people(), "Timothy Keller"]), network("right", [*people(), "Tim Keller"])
    assert "Tim: short for Timothy" in notes(left, right)


def test_a_pair_that_agrees_as_written_shows_which_names_agree() -> None:
    handles = [f"{given[0]}{family}".lower() for given in GIVEN for family in FAMILY]
    sides = [
        Network(
            name,
            pl.Series([f"{name}{row}" for row in range(81)]),
            {
                "handle": Attribute(Kind.NAME, np.arange(81), pl.Series([*handles, handle])),
                "name": Attribute(Kind.NAME, np.arange(81), pl.Series([*people(), full])),
            },
            {},
        )
        for name, handle, full in (("left", "xpuppy_cherry", "Tim Keller"), ("right", "xpuppy_cherry9", "Keller"))
    ]
    scorer = FactoidLinker().fit(*sides)
    parts = scorer.explain(np.array([80]), np.array([80]))
    strongest = parts.filter(pl.col("predicate") == "handle").sort("weight").row(-1, named=True)
    assert (strongest["left"], strongest["right"]) == ("xpuppy_cherry", "xpuppy_cherry9")
    assert "names" not in parts["predicate"].to_list()
    assert_allclose(parts["weight"].sum(), scorer.scores(np.array([80]))[0, 80], atol=1e-3)


def test_a_reading_says_what_was_read() -> None:
    left, right = network("left", [*people(), "魏雅凯"]), network("right", [*people(), "Wei Yakai"])
    assert "魏雅凯 read as Wei Yakai" in notes(left, right)


def test_names_that_agree_as_written_are_not_told_by_what_both_may_be_read_as() -> None:
    for mine, theirs in (
        ("Frank Williams", "frank williams"),
        ("Frank Williams", "Frank A. Williams"),
        ("魏雅凯", "魏雅凯"),
    ):
        left, right = network("left", [*few_namesakes(), mine]), network("right", [*few_namesakes(), theirs])
        said = notes(left, right)
        assert mine in said
        assert theirs in said
        assert not [each for each in said if "read as" in each]


def test_two_nicknames_of_one_name_are_told_by_that_name() -> None:
    left, right = network("left", [*people(), "Bob Quillfeather"]), network("right", [*people(), "Rob Quillfeather"])
    said = notes(left, right)
    assert "Bob Quillfeather read as Bobby Quillfeather" in said
    assert "Rob Quillfeather read as Bobby Quillfeather" in said


def test_a_declared_link_says_where() -> None:
    left = network("left", [*people(), "Qqq"], {80: "also @zzz_there"})
    right = network("right", [*people(), "zzz_there"])
    assert "bio of left names @zzz_there" in notes(left, right)
