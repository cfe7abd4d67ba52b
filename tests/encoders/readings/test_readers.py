"""Names in other scripts as people write them in Latin letters."""

import polars as pl
import pytest

from factlink.encoders.readings import cantonese, hokkien, japanese, readers
from factlink.encoders.readings.han import read_han, respell_pinyin
from factlink.encoders.readings.hangul import read_hangul
from factlink.encoders.readings.readers import is_japanese, read
from factlink.encoders.readings.semitic import read_arabic, read_hebrew
from factlink.encoders.readings.sounds import CLIPPED, FAR, NEAR, PLAIN


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("김영주", ["Kim young joo", "Gim yeongju"]),
        ("이정현", ["Lee jung hyun", "Yi jeonghyeon"]),
        ("무사 히탐", ["musa hitam"]),
    ],
)
def test_korean_names_are_spelled_as_koreans_spell_them(name: str, forms: list[str]) -> None:
    assert read_hangul(name) == forms


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("魏雅凯", ["Wei Yakai", "Wei Ya-kai"]),
        ("丁守中", ["Ding Shouzhong", "Ting Shou-chung"]),
        ("查克·羅布", ["Chake Luobu"]),
        ("歐陽修", ["Ouyang Xiu", "Ou-yang Hsiu"]),
        ("123", []),
    ],
)
def test_chinese_names_have_a_surname_and_two_romanisations(name: str, forms: list[str]) -> None:
    assert read_han(name) == forms


def test_pinyin_that_may_stand_for_g_or_h_is_respelled_twice() -> None:
    assert respell_pinyin("Jierte Xidini") == ["jilte shidini", "gilte hidini"]
    assert respell_pinyin("Luobu") == ["luobu"]


def test_hebrew_has_its_consonants_and_open_vowels() -> None:
    assert read_hebrew("רחל אדטו") == ["rachal adato", "rachal adatav"]
    assert read_hebrew("ג'ורג'ינה") == ["jorajinah", "javarajinah"]


def test_arabic_and_persian_have_their_consonants_and_the_article_apart() -> None:
    assert read_arabic("نواف الموسوي") == ["nawaf al musawi"]
    assert read_arabic("مُحَمَّد") == ["mahamad"]


def test_every_script_has_a_reading_and_a_family_of_sounds() -> None:
    assert [(way.family, way.spellings[0]) for way in read("Иванов")] == [(NEAR, "Ivanov")]
    assert read("김영주")[0].family == FAR
    assert read("查克·羅布")[0].family == CLIPPED
    assert read("魏雅凯")[0].family == PLAIN
    assert read("☃") != []


def test_short_chinese_names_are_read_in_cantonese_hokkien_and_japanese_too() -> None:
    spellings = [way.spellings[0] for way in read("浜田靖一")]
    assert spellings == ["Bangtian Jingyi", "Pong Tin Ching Yat", "Bang Chan Cheng Chit", "Hamada Seiichi"]
    assert [way.spellings for way in read("浜田靖一", japanese=True)] == [("Hamada Seiichi", "Hamada Seichi")]


def test_loan_words_in_kana_are_read_as_english_and_by_sound() -> None:
    assert japanese.read_japanese("カリフォルニア") == [["California"], ["Kariforunia"]]
    assert japanese.read_japanese("潘俭伟") == []


def test_cantonese_is_spelled_as_in_hong_kong() -> None:
    assert cantonese.read_cantonese("麥美娟") == ["Mak Mei Kuen"]
    assert cantonese.read_cantonese("謝偉銓") == ["Tse Wai Chuen"]
    assert cantonese.read_cantonese("曾鈺成") == ["Tsang Yuk Sing"]


def test_hokkien_is_spelled_as_in_singapore() -> None:
    assert hokkien.read_hokkien("陈胜尧") == ["Tan Seng Giaw"]
    assert hokkien.read_hokkien("李金獅") == ["Lee Kim Sai"]
    assert hokkien.read_hokkien("翁毓麟") == ["Ong Yu Lin"]  # 毓 is in no dictionary of Hokkien


def test_what_follows_a_chinese_name_is_left_out() -> None:
    assert read("黄志明（新加坡）")[0].spellings == ("Huang Zhiming", "Huang Chih-ming")


def test_without_the_extra_kana_are_read_by_sound_and_characters_in_mandarin(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (japanese, readers):
        monkeypatch.setattr(module, "has_dictionary", lambda: False)
    for module in (cantonese, hokkien):
        monkeypatch.setattr(module, "has_dictionary", lambda: False)
    assert [way.spellings[0] for way in read("クラウス")] == ["kurausu"]
    assert [way.spellings for way in read("浜田靖一")] == [("Bangtian Jingyi", "Pang-tien Ching-yi")]


def test_characters_mixed_with_kana_are_japanese() -> None:
    assert is_japanese(pl.Series(["渋谷駅", "嵐は嵐を呼ぶ"]))
    assert not is_japanese(pl.Series(["魏雅凯", "クラウス", "Wei"]))
    assert not is_japanese(pl.Series(["Wei"]))
