"""How the objects of a column should be compared, guessed from its name and its values, with the reason.

What the values plainly are (web addresses, pictures, dates) comes before what the name says, and what the name says
before how the values look. Only the set of values matters, never their order.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import polars as pl

from factlink.errors import SettingError
from factlink.types import Kind

NO_KINDS: Mapping[str, Kind | str] = MappingProxyType({})
SAMPLE_SIZE = 1000

_ADDRESS = r"(?i)^(?:https?://|www\.)"
_IMAGE = r"(?i)\.(?:jpe?g|png|gif|webp|bmp|tiff?|avif)$"
_SITE = r"(?i)^(?:https?://)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/|$)"
_ISO_DATE = r"^\d{4}-\d{2}-\d{2}(?:[T ].*)?$"
_SOME_DATE = (
    r"(?i)(?:^|\D)(?:1[5-9]|20)\d{2}(?:\D|$)|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$|^\d{10}(?:\d{3})?$|^(?:1[5-9]|20)\d{6}$"
)
_NUMBER = r"^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$"
_LONG_NUMBER = r"^\d{6,}$"
_CODE = r"(?i)^(?:[0-9a-f-]{10,}|[a-z0-9+/=_-]{24,})$"
_GRAVATAR = r"(?i)gravatar\.com/(?:avatar/)?[0-9a-f]{32}"
_DIGEST = r"(?i)^(?:[0-9a-f]{32}|[0-9a-f]{64})$"
_MAIL = frozenset({"email", "emails", "mail", "gravatar"})
_PATH = r"^\S*[A-Za-z_/.-]\S*$"

_VOCABULARY: Mapping[Kind, str] = {
    Kind.IGNORE: "id ids uid uuid guid hash md5 sha1 sha256 checksum token",
    Kind.URL: "url urls uri href link links website homepage web site",
    Kind.IMAGE: "avatar image images img picture pictures pic photo photos portrait thumbnail icon",
    Kind.DATE: "birthday birthdate dob born date created updated joined registered at on time term since",
    Kind.CATEGORY: "gender sex party type role occupation job profession title language lang religion nationality "
    "ethnicity district ward zip zipcode postcode postal phone mobile code category categories status chamber verified "
    "employer company organization organisation school university team",
    Kind.LOCATION: "location locations place birthplace hometown city town village county country state province "
    "region address residence home timezone",
    Kind.TEXT: "bio bios biography description about post posts status statuses tweet tweets summary text texts "
    "headline tagline motto comment comments note notes message messages intro introduction interests abstract content",
    Kind.NAME: "name names username usernames screenname displayname realname fullname firstname lastname handle "
    "handles nickname nicknames nick login alias aliases surname forename givenname familyname pseudonym email mail",
    Kind.NUMBER: "count counts number followers followees following friends age total score amount",
}
_WORDS = {kind: frozenset(words.split()) for kind, words in _VOCABULARY.items()}
_WHOLE_NAMES = frozenset({"first", "last", "middle", "given", "family", "user", "account"})
_NO_COLUMN_NAMES = ("", "__index_level_0__", "Unnamed: 0")


@dataclass(frozen=True, slots=True)
class Guess:
    """The kind of a column, and why."""

    kind: Kind
    reason: str


@dataclass(frozen=True, slots=True)
class _Look:
    """What can be seen of a column: its words, and its values through a sample of the distinct ones."""

    words: tuple[str, ...]
    n: int
    n_distinct: int
    sample: pl.Series

    def share(self, pattern: str) -> float:
        return float(self.sample.str.contains(pattern).mean() or 0.0)  # type: ignore[arg-type]

    def says(self, kind: Kind) -> bool:
        return bool(_WORDS[kind].intersection(self.words))

    @property
    def words_per_value(self) -> float:
        return float(self.sample.str.count_matches(r"\S+").mean() or 0.0)  # type: ignore[arg-type]

    @property
    def length(self) -> float:
        return float(self.sample.str.len_chars().mean() or 0.0)  # type: ignore[arg-type]

    @property
    def is_wordy(self) -> bool:
        return self.words_per_value >= 5 or self.length >= 40

    @property
    def is_repetitive(self) -> bool:
        return self.n_distinct <= max(0.2 * self.n, min(10, 0.5 * self.n))


def kind_named(kind: Kind | str) -> Kind:
    """The kind of this name; an error that lists the kinds if there is none."""
    try:
        return Kind(kind)
    except ValueError:
        raise SettingError(f"no kind is called '{kind}'; there are: {', '.join(Kind)}") from None


def guess_kind(predicate: str, objects: pl.Series) -> Guess:
    """How to compare the objects of this predicate, and why."""
    if not len(objects):
        return Guess(Kind.IGNORE, "no values")
    if predicate in _NO_COLUMN_NAMES:
        return Guess(Kind.IGNORE, "a column without a name")
    distinct = objects.unique().sort()
    sample = distinct.gather_every(max(1, len(distinct) // SAMPLE_SIZE))
    look = _Look(_words(predicate), len(objects), len(distinct), sample)
    return _by_hashes(look) or _by_plain_values(look) or _by_name(look) or _by_looks(look)


def _words(predicate: str) -> tuple[str, ...]:
    """'homeTown_2' → home, town, 2, hometown: the words of a column name, and all of them as one."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", predicate)
    words = re.findall(r"[^\W_]+", spaced.lower())
    return (*words, "".join(words))


def _by_hashes(look: _Look) -> Guess | None:
    if look.share(_GRAVATAR) >= 0.8 or (look.share(_DIGEST) >= 0.8 and _MAIL.intersection(look.words)):
        kind = Kind.URL if look.share(_ADDRESS) >= 0.8 else Kind.HANDLE
        return Guess(kind, "hashes of e-mail addresses, which are compared with those of the other network")
    return None


def _by_plain_values(look: _Look) -> Guess | None:
    if look.n_distinct == 1 and look.n >= 3:
        return Guess(Kind.IGNORE, "the same value everywhere")
    if look.share(_ADDRESS) >= 0.8:
        if look.share(_IMAGE) >= 0.8 or look.says(Kind.IMAGE):
            return Guess(Kind.IGNORE, "web addresses of pictures, which are not fetched")
        return Guess(Kind.URL, "web addresses, which are read for other accounts and not fetched")
    if look.share(_IMAGE) >= 0.8:
        return Guess(Kind.IMAGE, "values are picture files")
    if look.share(_ISO_DATE) >= 0.8:
        return Guess(Kind.DATE, "values are dates")
    return None


def _by_name(look: _Look) -> Guess | None:
    """The kind by the column's name, unless its values contradict it."""
    numeric = look.share(_NUMBER) >= 0.95
    fits = {
        Kind.IGNORE: not look.is_repetitive and look.words_per_value < 1.5,
        Kind.URL: look.share(_SITE) >= 0.5 and look.words_per_value < 1.5,
        Kind.IMAGE: not numeric and look.share(_PATH) >= 0.8 and not look.is_repetitive,
        Kind.DATE: look.share(_SOME_DATE) >= 0.5 and not look.is_wordy,
        Kind.CATEGORY: look.is_repetitive or not (look.is_wordy or look.says(Kind.TEXT)),
        Kind.LOCATION: not numeric and not look.is_wordy,
        Kind.TEXT: not numeric,
        Kind.NAME: not numeric and not look.is_wordy,
        Kind.NUMBER: numeric,
    }
    if look.words[-1] in _WHOLE_NAMES and fits[Kind.NAME]:
        return Guess(Kind.NAME, f"the column is called '{look.words[-1]}'")
    for kind, fit in fits.items():
        if fit and look.says(kind):
            word = next(word for word in look.words if word in _WORDS[kind])
            return Guess(kind, f"the column's name says '{word}'")
    return None


def _by_looks(look: _Look) -> Guess:
    if look.share(_LONG_NUMBER) >= 0.95 and not look.is_repetitive:
        return Guess(Kind.IGNORE, "long numbers, all different: ids")
    if look.share(_NUMBER) >= 0.95 and look.n_distinct > 2:
        return Guess(Kind.NUMBER, "values are numbers")
    if look.share(_CODE) >= 0.8 and not look.is_repetitive:
        return Guess(Kind.IGNORE, "codes, all different: ids or hashes")
    if look.is_wordy:
        return Guess(Kind.TEXT, "long values of many words")
    if look.is_repetitive:
        return Guess(Kind.CATEGORY, f"few different values ({look.n_distinct} among {look.n})")
    return Guess(Kind.NAME, "short values, mostly different")
