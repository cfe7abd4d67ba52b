"""Chinese characters: pinyin with surname and given name apart, and Wade–Giles as in Taiwan and older books."""

import re

from anyascii import anyascii

_SYLLABLE = re.compile(r"[A-Z][a-z]*")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")
_LONG_NAME = 4  # characters from which a word is a foreign name, written by its sound
_TWO_SURNAMES = frozenset(
    [
        "歐陽",
        "欧阳",
        "司馬",
        "司马",
        "諸葛",
        "诸葛",
        "上官",
        "司徒",
        "東方",
        "东方",
        "公孫",
        "公孙",
        "令狐",
        "慕容",
        "夏侯",
        "皇甫",
        "端木",
        "張簡",
        "范姜",
    ]
)
_SURNAMES = {
    "單": "Shan",
    "单": "Shan",
    "曾": "Zeng",
    "解": "Xie",
    "仇": "Qiu",
    "查": "Zha",
    "任": "Ren",
    "盖": "Ge",
    "葉": "Ye",
}
_INITIALS = (("zh", "ch"), ("b", "p"), ("d", "t"), ("g", "k"), ("j", "ch"), ("q", "ch"), ("x", "hs"))
_MORE_INITIALS = (("z", "ts"), ("c(?!h)", "ts"), ("r", "j"))
_FINALS = (
    ("(?<=zh|ch|sh)i$", "ih"),
    ("^ri$", "jih"),
    ("^([zc])i$", "tzu"),
    ("^si$", "szu"),
    ("ian$", "ien"),
    ("ong$", "ung"),
    ("(?<=[dtlnzcsg])uo$", "o"),
    ("^([gkh])e$", r"\1o"),
    ("ie$", "ieh"),
    ("ue$", "ueh"),
    ("^you$", "yu"),
    ("^yan$", "yen"),
    ("^ye$", "yeh"),
    ("(?<=[gk])ui$", "uei"),
)


def read_han(name: str) -> list[str]:
    """Pinyin and Wade–Giles of a name of a few characters; of a longer one, which is foreign, pinyin alone."""
    words = [_HAN.findall(word) for word in re.split(r"[\s·・．.,，()（）]+", name)]
    parts = ["".join(word) for word in words if word]
    if len(parts) == 1 and len(parts[0]) <= _LONG_NAME:
        surname, given = _cut(parts[0])
        pinyin = [_SURNAMES[surname].lower()] if surname in _SURNAMES else _syllables(surname)
        names = pinyin, _syllables(given)
        western = [[_wade_giles(s) for s in part] for part in names]
        return list(dict.fromkeys([_joined(names, ""), _joined(western, "-")]))
    return [" ".join("".join(_syllables(part)).capitalize() for part in parts)] if parts else []


def _cut(name: str) -> tuple[str, str]:
    size = 2 if name[:2] in _TWO_SURNAMES or len(name) == 4 else 1
    return name[:size], name[size:]


def _syllables(letters: str) -> list[str]:
    return [syllable.lower() for syllable in _SYLLABLE.findall(anyascii(letters))]


def _joined(names: tuple[list[str], list[str]] | list[list[str]], between: str) -> str:
    """Wei Yakai; Wei Ya-kai."""
    return " ".join(between.join(part).capitalize() for part in names if part)


def _wade_giles(pinyin: str) -> str:
    """One syllable, without tones and apostrophes: zhong → chung."""
    for pattern, to in _FINALS:
        pinyin = re.sub(pattern, to, pinyin)
    for first, to in _INITIALS:
        if pinyin.startswith(first):
            return to + pinyin[len(first) :]
    for first, to in _MORE_INITIALS:
        pinyin = re.sub(f"^{first}", to, pinyin)
    return pinyin


def respell_pinyin(pinyin: str) -> list[str]:
    """Pinyin as English would spell it, x as sh and q as ch; twice where x may also stand for h, and j for g."""
    text = pinyin.lower().replace("q", "ch").replace("zh", "j")
    text = re.sub("c(?!h)", "ts", text)
    text = re.sub("er(?=[^aeiou]|$)", "l", text)
    return list(dict.fromkeys([text.replace("x", "sh"), text.replace("x", "h").replace("j", "g")]))
