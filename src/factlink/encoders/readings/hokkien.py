"""Chinese characters as they are said in Singapore, Malaysia and Taiwan (Hokkien; extra `scripts`: taibun)."""

import re
from functools import cache
from importlib.util import find_spec
from typing import Any

from anyascii import anyascii

_SPELLINGS = (
    ("nn$|h$", ""),
    ("^tsh?", "ch"),
    ("^([pkt])h", r"\1"),
    ("^j", "y"),
    ("^i(?=[aou])", "y"),
    ("ing$", "eng"),
    ("ik$", "ek"),
    ("oo", "o"),
    ("un$", "oon"),
    ("iau$", "iaw"),
    ("(?<=[^aeiou])u$", "oo"),
    ("(?<=[^aeiou])i$", "ee"),
)
_SPELLED_AS = (
    "陳:Tan 陈:Tan 林:Lim 黃:Ng 黄:Ng 王:Ong 翁:Ong 吳:Goh 吴:Goh 蔡:Chua 張:Teo 张:Teo 李:Lee 劉:Low 刘:Low "
    "楊:Yeo 杨:Yeo 鄭:Tay 郑:Tay 許:Koh 许:Koh 洪:Ang 謝:Chia 谢:Chia 郭:Kuek 曾:Chan 周:Chew 葉:Yap 叶:Yap "
    "賴:Lai 赖:Lai 徐:Chee 蘇:Soh 苏:Soh 莊:Chng 庄:Chng 江:Kang 呂:Loo 吕:Loo 何:Ho 羅:Loh 罗:Loh 高:Koh "
    "蕭:Siow 萧:Siow 潘:Phua 朱:Choo 簡:Kan 鍾:Cheong 钟:Cheong 彭:Phang 詹:Chiam 胡:Oh 施:See 沈:Sim 余:Yee "
    "趙:Teo 赵:Teo 盧:Lor 卢:Lor 梁:Leong 顏:Gan 颜:Gan 柯:Quah 孫:Sng 孙:Sng 魏:Wee 鄧:Teng 邓:Teng 方:Png "
    "杜:Toh 姚:Yeo 馬:Beh 马:Beh 溫:Oon 温:Oon 卓:Toh 藍:Nah 石:Chio 紀:Kee 童:Tang 傅:Poh 白:Peh 程:Tia "
    "尤:Yew 黎:Loy 廖:Leow 歐:Ow 欧:Ow 辛:Sin 侯:Hau 涂:Thor 韓:Han 韩:Han 龔:Keng 龚:Keng 丘:Khoo 邱:Khoo"
)
_SURNAMES = dict(pair.split(":") for pair in _SPELLED_AS.split())


def has_dictionary() -> bool:
    """Whether the extra is installed."""
    return find_spec("taibun") is not None


def read_hokkien(name: str) -> list[str]:
    """As names are spelled in Singapore: 王建民 → Ong Kian Bin."""
    if not has_dictionary():
        return []
    said = [_said(character) for character in name]
    spelled = [_spelled(s).capitalize() if re.fullmatch("[a-z]+", s) else _mandarin(s) for s in said]
    spelled[0] = _SURNAMES.get(name[0], spelled[0])
    return [" ".join(spelled)]


@cache
def _said(character: str) -> str:
    return str(_reader().get(character).lower())


def _mandarin(character: str) -> str:
    """What the dictionary lacks is rare; people guess it from Mandarin."""
    return anyascii(character).capitalize()


@cache
def _spelled(syllable: str) -> str:
    for pattern, to in _SPELLINGS:
        syllable = re.sub(pattern, to, syllable)
    return syllable


@cache
def _reader() -> Any:
    from taibun import Converter

    return Converter(system="Tailo", format="strip", punctuation="none", sandhi="none")
