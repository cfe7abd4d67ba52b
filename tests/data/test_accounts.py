"""How people call and describe themselves, seen one writer at a time."""

import numpy as np
import polars as pl
import pytest

from factlink.synthetic.dials import GroupDials, NameDials, TextDials
from factlink.synthetic.display import draw_screen_names
from factlink.synthetic.handles import draw_handles, usual_handles
from factlink.synthetic.people import draw_people
from factlink.synthetic.texts import draw_bios, draw_locations, draw_noise


def somebody(n: int = 1, **changes: str) -> pl.DataFrame:
    """One person, n times."""
    person = {
        "G": "José",
        "S": "",
        "F": "Muñoz",
        "g": "jose",
        "s": "",
        "f": "munoz",
        "nick": "pepe",
        "native": "",
        "native_given": "",
        "year": "1987",
        "town": "Lima",
        "trade": "chef",
        "first": "jazz",
        "second": "chess",
        "third": "golf",
        "fourth": "tea",
        "usual": "pepe.munoz",
        "username": "pepe.munoz",
    }
    return pl.DataFrame({key: [value] * n for key, value in {**person, **changes}.items()})


def nobody(n: int) -> pl.Series:
    return pl.Series([False] * n)


def everybody(n: int) -> pl.Series:
    return pl.Series([True] * n)


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def test_usernames_are_made_in_many_ways() -> None:
    handles = set(usual_handles(somebody(3_000), NameDials(unrelated=0), rng()))
    expected = {"josemunoz", "jose.munoz", "jose_munoz", "jmunoz", "munozj", "munozjose", "josemunoz87", "jose1987"}
    assert expected <= handles
    assert {"pepemunoz", "pepe_m87", "pepe_jazz", "munozjos", "josemun", "j05387", "mun0z_j", "jsmunoz"} <= handles


def test_unrelated_usernames_do_not_tell_the_name() -> None:
    handles = usual_handles(somebody(500), NameDials(unrelated=1), rng())
    assert not handles.str.contains("jose|munoz|pepe").any()


def test_the_usual_username_is_taken_once_and_numbered_after() -> None:
    handles = draw_handles(somebody(5), nobody(5), NameDials(same=1, near=0), rng())
    assert handles[0] == "pepe.munoz"
    assert handles.n_unique() == 5
    assert handles[1:].str.contains(r"^pepe\.munoz\d+$").all()


def test_a_changed_username_is_still_near() -> None:
    lines = somebody(400)
    handles = set(draw_handles(lines, nobody(400), NameDials(same=0, near=1), rng()))
    assert {"pepe.munoz_", "_pepe.munoz", "pepemunoz", "pepe_munoz", "p3p3.mun0z", "pepe.mun"} <= handles


def test_hidden_accounts_have_an_alias() -> None:
    lines = somebody(300)
    handles = draw_handles(lines, everybody(300), NameDials(same=1, near=0), rng())
    names = draw_screen_names(lines, everybody(300), NameDials(), 0.0, rng())
    assert not handles.str.contains("pepe|munoz").any()
    assert not names.str.contains("José|Muñoz|Pepe").any()


def test_plain_screen_names() -> None:
    names = draw_screen_names(somebody(50), nobody(50), NameDials(plain=1), 0.0, rng())
    assert set(names) == {"José Muñoz"}


def test_styled_screen_names() -> None:
    names = set(draw_screen_names(somebody(2_000), nobody(2_000), NameDials(plain=0), 0.0, rng()))
    assert {"José", "José M.", "J. Muñoz", "Pepe", "Pepe Muñoz", "Muñoz José", "Muñoz, José", "jose munoz"} <= names
    assert {"JOSÉ MUÑOZ", "Dr. José Muñoz", "José the Chef", "José Muñoz 🌸", "pepe.munoz"} <= names


def test_second_names_leave_no_gap() -> None:
    without = draw_screen_names(somebody(1_000), nobody(1_000), NameDials(plain=0), 0.0, rng())
    assert not without.str.contains("  | \\. ", literal=False).any()
    lines = somebody(1_000, S="Luis", s="luis")
    assert {"José Luis Muñoz", "José L. Muñoz"} <= set(
        draw_screen_names(lines, nobody(1_000), NameDials(plain=0), 0.0, rng())
    )


def test_native_screen_names() -> None:
    lines = somebody(200, G="Wei", F="Wang", native="王伟", native_given="伟")
    names = draw_screen_names(lines, nobody(200), NameDials(native=1), 0.0, rng())
    assert names.str.contains("伟").all()
    assert {"王伟", "伟", "王伟 (Wei)"} <= set(names)


def test_typos_change_one_letter() -> None:
    names = draw_screen_names(somebody(500), nobody(500), NameDials(plain=1), 1.0, rng())
    assert (names != "José Muñoz").all()
    assert set(names.str.len_chars()) == {9, 11}
    assert {"José Muoz", "José Muññoz", "Joosé Muñoz"} <= set(names)


@pytest.mark.parametrize(("own", "low", "high"), [(1.0, 1.0, 1.0), (0.5, 0.45, 0.56), (0.0, 0.0, 0.04)])
def test_locations_are_true_as_often_as_set(own: float, low: float, high: float) -> None:
    towns = draw_locations(somebody(2_000), TextDials(own=own, missing=0), rng())
    assert low <= (towns == "Lima").mean() <= high


def test_true_bios_use_the_persons_words_only() -> None:
    bios = draw_bios(somebody(2_000), TextDials(own=1, missing=0), rng())
    tags = bios.filter(bios.str.starts_with("#"))
    assert set(tags) == {"#jazz #chess #golf", "#chess #golf #tea", "#golf #tea #jazz", "#tea #jazz #chess"}
    assert "Chef from Lima, into golf" in set(bios)


def test_missing_texts_are_null() -> None:
    assert draw_bios(somebody(20), TextDials(missing=1), rng()).null_count() == 20
    assert draw_locations(somebody(20), TextDials(missing=1), rng()).null_count() == 20


def test_noise_has_twenty_categories() -> None:
    assert draw_noise(2_000, rng()).n_unique() == 20


def test_people_of_a_community_live_near_and_like_the_same() -> None:
    people = draw_people(4_000, ("english",), GroupDials(size=100), np.random.default_rng(3))
    for column, least in (("town", 0.7), ("first", 0.25)):
        top = people.group_by("community").agg(pl.col(column).value_counts(sort=True).struct.field("count").first())
        assert top["count"].sum() / 4_000 > least


def test_most_people_are_grown_up_and_have_four_interests() -> None:
    people = draw_people(2_000, ("english",), GroupDials(), np.random.default_rng(3))
    years = people["year"].cast(pl.Int64)
    assert years.min() >= 1940
    assert years.max() <= 2008
    assert people.select(pl.col("first", "second", "third", "fourth").null_count()).row(0) == (0, 0, 0, 0)
    assert (people["S"] != "").mean() == pytest.approx(0.3, abs=0.04)
