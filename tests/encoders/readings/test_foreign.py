"""Foreign names in Chinese characters, read by the sounds that each character stands for."""

import numpy as np
import polars as pl
import pytest

from factlink.encoders.readings import foreign
from factlink.encoders.readings.foreign import may_be_foreign, read_foreign
from factlink.encoders.readings.readers import read
from factlink.encoders.readings.sounds import CLIPPED, sound_list
from factlink.linkers.factoid.linker import FactoidLinker
from factlink.types import Attribute, Kind, Network

KNOWN = {
    "阿尔伯特·爱因斯坦": "Albert Einstein",
    "艾萨克·牛顿": "Isaac Newton",
    "玛丽·居里": "Marie Curie",
    "查尔斯·达尔文": "Charles Darwin",
    "威廉·莎士比亚": "William Shakespeare",
    "沃尔夫冈·莫扎特": "Wolfgang Mozart",
    "路德维希·贝多芬": "Ludwig Beethoven",
    "弗里德里克·肖邦": "Frédéric Chopin",
    "巴勃罗·毕加索": "Pablo Picasso",
    "文森特·梵高": "Vincent van Gogh",
    "史蒂夫·乔布斯": "Steve Jobs",
    "比尔·盖茨": "Bill Gates",
    "埃隆·马斯克": "Elon Musk",
    "迈克尔·乔丹": "Michael Jordan",
    "科比·布莱恩特": "Kobe Bryant",
    "罗杰·费德勒": "Roger Federer",
    "拉斐尔·纳达尔": "Rafael Nadal",
    "诺瓦克·德约科维奇": "Novak Djokovic",
    "莱昂内尔·梅西": "Lionel Messi",
    "克里斯蒂亚诺·罗纳尔多": "Cristiano Ronaldo",
    "大卫·贝克汉姆": "David Beckham",
    "泰勒·斯威夫特": "Taylor Swift",
    "迈克尔·杰克逊": "Michael Jackson",
    "安吉丽娜·朱莉": "Angelina Jolie",
    "布拉德·皮特": "Brad Pitt",
    "汤姆·克鲁斯": "Tom Cruise",
    "莱昂纳多·迪卡普里奥": "Leonardo DiCaprio",
    "朱莉娅·罗伯茨": "Julia Roberts",
    "奥黛丽·赫本": "Audrey Hepburn",
    "玛丽莲·梦露": "Marilyn Monroe",
    "欧内斯特·海明威": "Ernest Hemingway",
    "马克·吐温": "Mark Twain",
    "弗兰兹·卡夫卡": "Franz Kafka",
    "西格蒙德·弗洛伊德": "Sigmund Freud",
    "尼古拉·特斯拉": "Nikola Tesla",
    "托马斯·爱迪生": "Thomas Edison",
    "斯蒂芬·霍金": "Stephen Hawking",
    "马丁·斯科塞斯": "Martin Scorsese",
    "昆汀·塔伦蒂诺": "Quentin Tarantino",
    "阿尔弗雷德·希区柯克": "Alfred Hitchcock",
}
"""People who are known the world over."""


@pytest.mark.parametrize(
    ("part", "latin"),
    [
        ("特朗普", "tranp"),
        ("吉爾斯", "gils"),
        ("大卫", "david"),  # a name of its own
        ("大力", "dali"),  # 大 is in pinyin
        ("阿都拉", "abdullah"),  # not abdul and la
    ],
)
def test_characters_stand_for_the_sounds_of_foreign_names(part: str, latin: str) -> None:
    assert read_foreign(part) == latin


def test_trump_sounds_in_characters_as_he_does_in_latin_letters() -> None:
    assert sound_list(["trump", read_foreign("特朗普"), "telangpu"], CLIPPED) == ["tlnb", "tlnb", "tlnb"]
    assert sound_list(["giles", read_foreign("吉尔斯"), "jiersi"], CLIPPED) == ["kls", "kls", "s"]


def test_only_names_of_usual_characters_may_be_foreign() -> None:
    assert may_be_foreign("布朗")
    assert not may_be_foreign("布")
    assert not may_be_foreign("习近平")


def test_long_names_are_read_by_sound_first_and_short_ones_last() -> None:
    assert [way.spellings[0] for way in read("安德魯·吉爾斯")][:2] == ["Andru Gils", "Andelu Jiersi"]
    short = [way.spellings[0] for way in read("布朗")]
    assert (short[0], short[-1]) == ("Bu Lang", "Bran")
    assert "Cihinbin" not in [way.spellings[0] for way in read("习近平")]


def test_where_characters_are_japanese_foreign_names_are_in_kana() -> None:
    for name in ("布朗", "安德魯·吉爾斯"):
        spellings = [way.spellings[0] for way in read(name, japanese=True)]
        assert not {"Bran", "Andru Gils"} & set(spellings)


def test_no_character_stands_for_two_sounds() -> None:
    sounds = foreign._SOUNDS.split()[1::2]
    assert len("".join(sounds)) == len(set("".join(sounds)))


def test_the_famous_meet_their_names_in_characters() -> None:
    left, right = list(KNOWN), sorted(KNOWN.values())
    first = FactoidLinker().fit(named("left", left), named("right", right)).candidates(1).rights[:, 0]
    assert [right[row] for row in first] == list(KNOWN.values())


def named(name: str, names: list[str]) -> Network:
    rows = np.arange(len(names))
    users = pl.Series([f"{name}{row}" for row in rows])
    return Network(name, users, {"name": Attribute(Kind.NAME, rows, pl.Series(names))}, {})
