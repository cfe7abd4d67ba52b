"""Names side by side."""

import pytest

from factlink.review.name_diff import Part, marked_names


def parts(mine: str, *others: str) -> list[tuple[str, bool]]:
    return [(part.text, part.same) for part in marked_names([mine], others)[0]]


def test_what_differs_is_marked_whatever_the_case() -> None:
    assert parts("Amy Tan", "amy tam") == [("Amy Ta", True), ("n", False)]
    assert parts("amytan88", "amytan") == [("amytan", True), ("88", False)]


def test_the_nearest_of_several_names_counts() -> None:
    assert parts("joey.lim", "zzz", "joeylim") == [("joey", True), (".", False), ("lim", True)]


def test_names_that_have_nothing_to_do_with_each_other_are_not_marked_letter_by_letter() -> None:
    assert parts("Samuel Lee", "Mary Berry") == [("Samuel Lee", False)]
    assert parts("falcondragon", "maplesummer") == [("falcondragon", False)]


def test_with_nothing_to_compare_nothing_is_marked() -> None:
    assert marked_names(["Amy"], []) == [[Part("Amy", same=True)]]


@pytest.mark.parametrize("whole", ["👩‍👩‍👧", "👍🏽", "q\u0323", "की", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"])
def test_what_a_reader_sees_as_one_sign_is_never_split(whole: str) -> None:
    assert parts(f"x{whole}", f"x{whole[0]}")[-1] == (whole, False)


def test_a_name_of_any_length_is_cut_before_it_is_compared() -> None:
    shown = "".join(text for text, _ in parts("ab" * 50_000, "ba" * 50_000))
    assert shown == "ab" * 60 + "…"
