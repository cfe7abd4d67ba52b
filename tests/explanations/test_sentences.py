"""One sentence of evidence for each pair."""

import polars as pl
import pytest

from factlink.explanations.explain import EVIDENCE
from factlink.explanations.sentences import OwnedNames, evidence_sentences


def names(**owned: list[str]) -> OwnedNames:
    rows = [(user, name) for user, all_names in owned.items() for name in all_names]
    return OwnedNames.folded(pl.DataFrame(rows, schema={"user": pl.String, "name": pl.String}, orient="row"))


def sentence(
    mine: OwnedNames,
    theirs: OwnedNames,
    parts: list[tuple[str, str, str | None, str | None, float]] | None = None,
    **link: object,
) -> str:
    """The sentence of the pair a and b."""
    usual = {"left": "a", "right": "b", "decision": "link", "margin": 1.0, "source": "found"}
    friends = {"left_friends": 0, "right_friends": 0, "shared": 0}
    frame = pl.DataFrame([usual | friends | link], schema_overrides={"right": pl.String})
    rows = [("a", "b", *part, None) for part in parts or []]
    evidence = pl.DataFrame(rows, schema=EVIDENCE, orient="row")
    return str(evidence_sentences(frame, mine, theirs, evidence)[0])


ANN = names(a=["Ann Lee"]), names(b=["ann lee"])


def test_a_name_that_nobody_else_has_is_rare() -> None:
    assert sentence(*ANN, shared=4, left_friends=5, right_friends=6) == "same rare name; 4 linked friends"


@pytest.mark.parametrize(
    ("left", "right", "phrase"),
    [
        (names(a=["Ann Lee"], c=["Ann Lee"]), names(b=["Ann Lee"]), "same name, which 1 other account has"),
        (names(a=["Ann"], c=["ann"], d=["ANN"]), names(b=["Ann"], e=["ann"]), "same name, which 3 other accounts have"),
        (names(a=["Lee, Ann"]), names(b=["Ann Lee"]), "same rare name"),
        (names(a=["x", "Ann Lee"]), names(b=["Ann Lee", "y"]), "same rare name"),
        (names(a=["Jonathan Smith"]), names(b=["Jonathan Smit"]), "nearly the same name"),
        (names(a=["Ελένη Ρήγας"]), names(b=["Rigas, Eleni"]), "nearly the same name"),
        (names(a=["Olivia Brown"]), names(b=["oliviabrown04"]), "nearly the same name"),
        (names(a=["Ελένη Ρήγας"]), names(b=["Weber, Karl"]), "different names"),
        (names(a=["Felipe"]), names(b=["Fepo Silas"]), "different names"),
        (names(a=["Ann Lee"]), names(), "no single name, friend or attribute stands out"),
    ],
)
def test_names_are_compared_whatever_their_order_and_case(left: OwnedNames, right: OwnedNames, phrase: str) -> None:
    assert sentence(left, right) == phrase


def test_one_friend_is_not_several_and_none_is_said_where_both_have_some() -> None:
    assert sentence(*ANN, shared=1, left_friends=1, right_friends=1) == "same rare name; 1 linked friend"
    assert sentence(*ANN, left_friends=2, right_friends=1) == "same rare name; no linked friends in common"
    assert sentence(*ANN, left_friends=2) == "same rare name"


def test_predicates_that_speak_for_the_pair_are_named_strongest_first() -> None:
    parts = [
        ("name", "name", "Ann Lee", "Ann Lee", 3.0),
        ("text", "bio", "chess", "chess", 0.5),
        ("location", "city", "Leeds", "leeds", 1.0),
        ("category", "team", "red", "red", 0.01),
        ("date", "joined", "2001", "1999", -2.0),
        ("rivals", "competing candidates", "x", None, 9.0),
    ]
    assert sentence(*ANN, parts) == "same rare name; same city; similar bio"


def test_where_a_link_comes_from_and_ties_are_said_first() -> None:
    assert sentence(*ANN, source="known") == "given as a known pair; same rare name"
    assert sentence(*ANN, source="judged") == "judged a match; same rare name"
    assert sentence(*ANN, decision="unknown", margin=0.0) == "another account fits equally well; same rare name"


def test_nobody_is_likely() -> None:
    assert sentence(*ANN, right=None, decision="no account") == "no candidate is likely enough"
