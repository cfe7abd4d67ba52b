"""Made-up stand-ins for the two data sets of Xie et al. (ICDM 2018), which are not public, and one shaped like a crawl.

Numbers of users, links and labelled pairs are those of the paper. The difficulty of the names is set so that
Jaro-Winkler finds about as many pairs as it did there (HR@1 .58 and .52, HR@30 .72 and .73). The paper says
nothing about the other dials, which are left as they are, nor how many unlabelled people are in both networks:
`people` makes it about two thirds of the left ones.

`crawl` has the numbers of the public set of Foursquare and Twitter users (PALE, IONE): the labelled people are the
centres, few of the others are in both networks, and the networks share fewer links, one-sidedly. Its names are those of
fq-tw, for the public set has none. `benchmarks/edge_overlap.py` measures both.
"""

from factlink.errors import SettingError
from factlink.synthetic.dials import Dials, GroupDials, LinkDials, NameDials, Population

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
_CRAWL = Dials(
    population=Population(
        people=8_403,
        networks=("foursquare", "twitter"),
        users=(5_313, 5_120),
        revealed=1_930,
        predicates=("screen_name",),
        crawled=True,
    ),
    names=NameDials(hidden=0.045, plain=0.7, native=0.07),
    groups=GroupDials(size=150, tail=2.1),
    links=LinkDials(counts=(54_233, 130_575), kept_by=(0.21, 0.48), own=0.3, mutual=0.0, centred=1.1),
)
_PRESETS = {"fb-tw": _FB_TW, "fq-tw": _FQ_TW, "crawl": _CRAWL}


def preset(name: str) -> Dials:
    """The dials of a well-known data set: fb-tw, fq-tw or crawl."""
    if name not in _PRESETS:
        raise SettingError(f"no preset is called '{name}'; there are: {', '.join(_PRESETS)}")
    return _PRESETS[name]
