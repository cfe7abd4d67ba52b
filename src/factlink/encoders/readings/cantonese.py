"""Chinese characters as they are said in Hong Kong, Macau and much of South-East Asia (extra `scripts`: ToJyutping)."""

import re
from functools import cache
from importlib.util import find_spec

_SPELLINGS = (
    ("^z(?=e$|ang)", "ts"),
    ("^z", "ch"),
    ("^c(?!h)", "ch"),
    ("^j", "y"),
    ("^b", "p"),
    ("^d", "t"),
    ("aa", "a"),
    ("ou$", "o"),
    ("eoi", "ui"),
    ("oe", "eu"),
    ("eo", "u"),
    ("^g", "k"),
    ("yyu", "yu"),
    ("yu(?=[nt]$)", "ue"),
    ("^ue", "yue"),
)
_SURNAMES = {"曾": "Tsang", "單": "Shin", "任": "Yam", "葉": "Ip", "梁": "Leung", "蔡": "Choi", "吳": "Ng", "李": "Lee"}


def has_dictionary() -> bool:
    """Whether the extra is installed."""
    return find_spec("ToJyutping") is not None


def read_cantonese(name: str) -> list[str]:
    """Each character as Hong Kong spells it: 麥美娟 → Mak Mei Kyun; nothing where one is unknown."""
    if not has_dictionary():
        return []
    import ToJyutping

    said = [syllable for _, syllable in ToJyutping.get_jyutping_list(name)]
    if None in said:
        return []
    spelled = [_spelled(syllable.split()[0].rstrip("0123456789")).capitalize() for syllable in said]
    return [" ".join([_SURNAMES.get(name[0], spelled[0]), *spelled[1:]])]


@cache
def _spelled(jyutping: str) -> str:
    for pattern, to in _SPELLINGS:
        jyutping = re.sub(pattern, to, jyutping)
    return jyutping
