"""Chinese characters as they are said in Hong Kong, Macau and much of South-East Asia (extra `scripts`: ToJyutping)."""

import re
from importlib.util import find_spec

_SPELLINGS = (
    ("^z", "ch"),
    ("^c(?!h)", "ch"),
    ("^j", "y"),
    ("aa", "a"),
    ("eoi", "ui"),
    ("oe", "eu"),
    ("eo", "u"),
    ("^g", "k"),
    ("yyu", "yu"),
)


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
    return [" ".join(_spelled(syllable.split()[0].rstrip("0123456789")).capitalize() for syllable in said)]


def _spelled(jyutping: str) -> str:
    for pattern, to in _SPELLINGS:
        jyutping = re.sub(pattern, to, jyutping)
    return jyutping
