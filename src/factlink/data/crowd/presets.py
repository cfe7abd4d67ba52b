"""Made-up stand-ins for the two data sets of Xie et al. (ICDM 2018), which are not public.

Numbers of users, links and labelled pairs are those of the paper. The difficulty of the names is set so that
Jaro-Winkler finds about as many pairs as it did there; the paper says nothing about the other dials, which
are left as they are.
"""

from factlink.data.crowd.dials import Crowd, Dials, LinkDials, NameDials
from factlink.errors import SettingError

_FB_TW = Dials(
    crowd=Crowd(
        people=30_000,
        networks=("facebook", "twitter"),
        users=(17_359, 20_024),
        revealed=1_998,
        predicates=("username", "screen_name"),
    ),
    names=NameDials(),
    links=LinkDials(counts=(224_762, 165_406)),
)
_FQ_TW = Dials(
    crowd=Crowd(
        people=38_000,
        networks=("foursquare", "twitter"),
        users=(21_668, 25_772),
        revealed=3_602,
        predicates=("screen_name",),
    ),
    names=NameDials(),
    links=LinkDials(counts=(312_740, 405_590)),
)
_PRESETS = {"fb-tw": _FB_TW, "fq-tw": _FQ_TW}


def preset(name: str) -> Dials:
    """The dials of a well-known data set: fb-tw or fq-tw."""
    if name not in _PRESETS:
        raise SettingError(f"no preset is called '{name}'; there are: {', '.join(_PRESETS)}")
    return _PRESETS[name]
