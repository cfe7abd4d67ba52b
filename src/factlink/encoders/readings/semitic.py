"""Hebrew, Arabic and Persian names: the consonants that are written, the vowels as they are most often said."""

import re

_HEBREW = dict(zip("אבגדהוזחטיכךלמםנןסעפףצץקרשת", "abgdhvzjtikklmmnns'ppccqrst", strict=True))
_HEBREW |= {"ח": "ch", "צ": "tz", "ץ": "tz", "ש": "sh", "ע": "a", "כ": "k", "ך": "ch", "ף": "f"}
_HEBREW_MARKS = re.compile(r"[\u0591-\u05C7]")

_ARABIC = dict(
    pair.split(":")
    for pair in [
        "ا:a",
        "أ:a",
        "إ:i",
        "آ:a",
        "ٱ:a",
        "ب:b",
        "ت:t",
        "ث:th",
        "ج:j",
        "ح:h",
        "خ:kh",
        "د:d",
        "ذ:dh",
        "ر:r",
        "ز:z",
        "س:s",
        "ش:sh",
        "ص:s",
        "ض:d",
        "ط:t",
        "ظ:z",
        "ع:a",
        "غ:gh",
        "ف:f",
        "ق:q",
        "ك:k",
        "ک:k",
        "ل:l",
        "م:m",
        "ن:n",
        "ه:h",
        "ة:a",
        "و:w",
        "ؤ:o",
        "ي:i",
        "ی:i",
        "ى:a",
        "ئ:e",
        "ء:",
        "پ:p",
        "چ:ch",
        "ژ:zh",
        "گ:g",
        "ڤ:v",
        "ۀ:e",
        "ھ:h",
        "ہ:h",
        "ے:e",
        "ٹ:t",
        "ڈ:d",
        "ڑ:r",
        "ں:n",
    ]
)
_ARABIC_MARKS = re.compile(r"[\u064B-\u0655\u0670\u0640\u200c-\u200f]")
_OPEN = re.compile(r"(sh|kh|gh|th|dh|ch|tz|zh|[skgdcz](?!h)|t(?![hz])|[^aeiou'skgtdcz])(?=[^aeiou'])")


def read_hebrew(name: str) -> list[str]:
    """Two forms: vav and yod as vowels, and vav as v; an a between consonants that follow each other."""
    plain = _HEBREW_MARKS.sub("", name).replace("״", "").replace('"', "")
    return list(dict.fromkeys(" ".join(_hebrew_word(word, vav) for word in _words(plain)) for vav in ("o", "v")))


def _hebrew_word(word: str, vav: str) -> str:
    word = re.sub("ג['׳]", "j", word)
    word = re.sub("[צץ]['׳]", "ch", word)
    word = re.sub("ז['׳]", "zh", word).replace("'", "").replace("׳", "")
    word = re.sub("^פ", "p", word).replace("וו", "v").replace("יי", "y")
    word = re.sub("^ו", "v", word)
    word = re.sub("^י", "y", word)
    word = re.sub("ה$", "ah", word)
    word = word.replace("ו", vav)
    latin = "".join(_HEBREW.get(letter, letter) for letter in word)
    return _with_vowels(latin)


def read_arabic(name: str) -> list[str]:
    """Waw and ya as vowels inside a word, as consonants at its start; an a between consonants in a row."""
    plain = _ARABIC_MARKS.sub("", name)
    return [" ".join(_arabic_word(word) for word in _words(plain))]


def _arabic_word(word: str) -> str:
    article = ""
    if len(word) > 3 and word.startswith("ال"):
        article, word = "al", word[2:]
    word = re.sub("^[يی]", "y", word)
    word = re.sub("^و", "w", word)
    word = re.sub("(?<=[^اأإآويی])و(?=[^اأإآويی]|$)", "u", word)
    latin = "".join(_ARABIC.get(letter, letter) for letter in word)
    return f"{article} {_with_vowels(latin)}".strip()


def _with_vowels(latin: str) -> str:
    """An a between two consonants, digraphs kept whole: mhmd → mahamad."""
    return _OPEN.sub(r"\1a", latin)


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[\s\-־.,()]+", name) if word]
