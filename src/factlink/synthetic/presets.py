"""Made-up stand-ins for the two data sets of Xie et al. (ICDM 2018), which are not public.

Numbers of users, links and labelled pairs are those of the paper. The difficulty of the names is set so that
Jaro-Winkler finds about as many pairs as it did there (HR@1 .58 and .52, HR@30 .72 and .73). The paper says
nothing about the other dials, which are left as they are, nor how many unlabelled people are in both networks:
`people` makes it about two thirds of the left ones.
"""

from factlink.errors import SettingError
from factlink.synthetic.dials import Dials, LinkDials, NameDials, Population

_FB_TW = Dials(
    population=Population(
        people=30_000,
        networks=("facebook", "twitter"),
        users=(17_359, 20_024),
        revealed=1_998,
        predicates=("username", "screen_name"),
    ),
    names=NameDials(same=0.2, near=0.2, unrelated=0.7, hidden=0.06, plain=0.81, native=0.15),
    links=LinkDials(counts=(224_762, 165_406)),
)
_FQ_TW = Dials(
    population=Population(
        people=38_000,
        networks=("foursquare", "twitter"),
        users=(21_668, 25_772),
        revealed=3_602,
        predicates=("screen_name",),
    ),
    names=NameDials(hidden=0.045, plain=0.7, native=0.07),
    links=LinkDials(counts=(312_740, 405_590)),
)
_PRESETS = {"fb-tw": _FB_TW, "fq-tw": _FQ_TW}


def preset(name: str) -> Dials:
    """The dials of a well-known data set: fb-tw or fq-tw."""
    if name not in _PRESETS:
        raise SettingError(f"no preset is called '{name}'; there are: {', '.join(_PRESETS)}")
    return _PRESETS[name]
