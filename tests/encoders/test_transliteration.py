"""Any script as Latin letters."""

import pytest

from factlink.encoders.transliteration import pack, transliterate


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("José Ñandú", "Jose Nandu"),
        ("李小龙", "LiXiaoLong"),
        ("Владимир", "Vladimir"),
        ("محمد صلاح", "mhmd slh"),
        ("𝓙𝓸𝓱𝓷", "John"),
        ("ＡＢＣ１", "ABC1"),
        ("joe 😀", "joe  "),
        ("plain_ascii85", "plain_ascii85"),
        ("", ""),
    ],
)
def test_to_latin(text: str, expected: str) -> None:
    assert transliterate([text]).to_list() == [expected]


def test_foreign_values_stay_in_place() -> None:
    assert transliterate(["a", "é", "b", "ü"]).to_list() == ["a", "e", "b", "u"]


def test_pack_lays_strings_end_to_end() -> None:
    packed = pack(transliterate(["ab", "", "c"]))
    assert bytes(packed.letters) == b"abc"
    assert packed.starts.tolist() == [0, 2, 2, 3]
    assert (len(packed), packed.longest) == (3, 2)


def test_pack_nothing() -> None:
    packed = pack(transliterate([]))
    assert (len(packed), packed.longest) == (0, 0)
