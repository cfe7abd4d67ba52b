"""Every dial of the made-up networks, checked when it is set."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from factlink.errors import SettingError

PREDICATES = ("username", "screen_name", "bio", "location", "noise")
CULTURES = (
    "arabic",
    "chinese",
    "english",
    "french",
    "german",
    "hindi",
    "japanese",
    "korean",
    "malay",
    "portuguese",
    "russian",
    "spanish",
    "tamil",
)


@dataclass(frozen=True, slots=True)
class Population:
    """How many people there are, and which networks show them."""

    people: int = 1_500  # persons in all; with `users` fixed, more of them means fewer in common
    networks: tuple[str, ...] = ("left", "right")  # their names, two or more
    presence: float = 0.8  # probability that a network shows a person, each network for itself
    users: tuple[int, ...] = ()  # exact number of users of each network, in place of `presence`
    revealed: int | None = None  # how many of the common people `World.truth` names; None is all of them
    predicates: tuple[str, ...] = ("username", "screen_name", "bio")  # any of PREDICATES; () leaves links only
    impersonated: float = 0.0  # share of people whose profile another account copies, in a network of its choice
    crawled: bool = False  # the revealed people are centres of a crawl; `people` are then all users of both networks

    def __post_init__(self) -> None:
        _at_least("people", self.people, 2)
        _share("presence", self.presence)
        _share("impersonated", self.impersonated)
        _among("predicates", self.predicates, PREDICATES)
        if len(set(self.networks)) != len(self.networks) or len(self.networks) < 2:
            raise SettingError(f"networks={self.networks} must be two or more different names")
        _one_per_network("users", self.users, self.networks)
        if any(not 0 < n <= self.people for n in self.users):
            raise SettingError(f"users={self.users} must lie between 1 and people={self.people}; raise people")
        if self.revealed is not None:
            _at_least("revealed", self.revealed, 0)
        if self.crawled:
            self._check_crawled()

    @property
    def in_common(self) -> int:
        """How many people both networks of a crawl show: what is left once `people` are all users."""
        return sum(self.users) - self.people

    def _check_crawled(self) -> None:
        if len(self.networks) != 2 or not self.users or self.revealed is None:
            raise SettingError("a crawled population needs two networks, users of both, and revealed people")
        if not self.revealed <= self.in_common <= min(self.users):
            raise SettingError(
                f"users={self.users} of people={self.people} are {self.in_common} in common; a crawl needs at least "
                f"revealed={self.revealed} and at most the smaller network; change people"
            )


@dataclass(frozen=True, slots=True)
class NameDials:
    """How much the usernames and screen names of one person have in common."""

    cultures: tuple[str, ...] = CULTURES  # where names come from; shares among them as on the real web
    same: float = 0.35  # probability that an account has the person's usual username, letter for letter
    near: float = 0.25  # … or that one with a small change; otherwise the person makes up a new one
    unrelated: float = 0.2  # probability that a made-up username is unrelated to the real name
    hidden: float = 0.1  # probability that username and screen name of an account are both a fresh alias
    plain: float = 0.5  # probability that the screen name is given and family name, plainly
    native: float = 0.4  # probability that it is in the person's own script, where that is not Latin
    nicknames: float = 0.0  # probability that it has a nickname in place of the given name
    initials: float = 0.0  # probability that the username is made of initials and digits

    def __post_init__(self) -> None:
        _among("cultures", self.cultures, CULTURES)
        if not self.cultures:
            raise SettingError(f"cultures is empty; there are: {', '.join(CULTURES)}")
        for name in ("same", "near", "unrelated", "hidden", "plain", "native", "nicknames", "initials"):
            _share(name, getattr(self, name))
        _share("same + near", self.same + self.near)


@dataclass(frozen=True, slots=True)
class TextDials:
    """How informative bios and locations are, and how many typos texts have."""

    missing: float = 0.3  # probability that an account has no bio, or no location
    own: float = 0.7  # probability that a statement is true of the person, not drawn at random
    typos: float = 0.03  # probability that a screen name has a letter dropped or doubled
    declared: float = 0.0  # probability that a bio names the person's account in the next network
    celebrities: float = 0.0  # probability that it falsely names one of a few accounts there

    def __post_init__(self) -> None:
        for name in ("missing", "own", "typos", "declared", "celebrities"):
            _share(name, getattr(self, name))
        _share("declared + celebrities", self.declared + self.celebrities)


@dataclass(frozen=True, slots=True)
class GroupDials:
    """The communities and the popularity that links follow."""

    size: float = 60.0  # mean people per community; sizes are skewed, most are smaller
    inside: float = 0.7  # share of links that stay inside the community of the follower
    tail: float = 2.3  # exponent of the popularity density, above 1; lower is more unequal
    mixing: float = 0.2  # probability that a member is of any culture, not the community's own

    def __post_init__(self) -> None:
        _share("inside", self.inside)
        _share("mixing", self.mixing)
        _at_least("size", self.size, 1)
        if not self.tail > 1:
            raise SettingError(f"tail={self.tail} must be above 1")


@dataclass(frozen=True, slots=True)
class LinkDials:
    """How many links there are, and how many of them two networks have in common.

    The population has acquaintances. A network shows each of them, if it shows both people, with probability
    `kept`; the rest of its links are its own. So of the links of one network between people that another
    shows too, about `(1 − own) · kept` are there as well, and a few by chance, as communities are small.
    """

    mean: float = 10.0  # links per user, fewer among a handful of users; 0 leaves the networks without links
    counts: tuple[int, ...] = ()  # exact number of links of each network, in place of `mean`
    kept: float = 0.6  # probability that a network shows an acquaintance of two of its users
    kept_by: tuple[float, ...] = ()  # that of each network, in place of `kept`
    centred: float = 1.0  # how much more often the centres of a crawl follow and are followed
    own: float = (
        0.3  # least share of a network's links that are not between acquaintances; some have more with `counts`
    )
    mutual: float = 0.3  # share of links drawn together with their return
    isolates: bool = True  # whether users without any link may be left

    def __post_init__(self) -> None:
        _at_least("mean", self.mean, 0)
        for name in ("kept", "own", "mutual"):
            _share(name, getattr(self, name))
        for share in self.kept_by:
            _share("kept_by", share)
        _at_least("centred", self.centred, 1)
        if any(n < 0 for n in self.counts):
            raise SettingError(f"counts={self.counts} must not be negative")


@dataclass(frozen=True, slots=True)
class PictureDials:
    """How many accounts show the same picture of a person, and what was done to it."""

    same: float = 0.5  # probability that an account has the person's usual picture, not another one
    edited: float = 0.7  # probability that it was cropped, resized and brightened before; all are re-encoded
    default: float = 0.1  # probability of one of the network's few default avatars instead
    missing: float = 0.05  # probability of no picture at all
    size: int = 72  # side of the usual picture, in pixels

    def __post_init__(self) -> None:
        for name in ("same", "edited", "default", "missing"):
            _share(name, getattr(self, name))
        _at_least("size", self.size, 16)


@dataclass(frozen=True, slots=True)
class DuplicateDials:
    """Who has several accounts in one network, and what these have in common."""

    share: float = 0.1  # of the people, who have more than one account
    three: float = 0.3  # share of these who have three accounts, not two
    renamed: float = 0.5  # probability that a further account has the names of somebody made up
    disguised: float = 0.0  # probability that such an account has their bio, town and picture too
    friends: float = 0.7  # probability that a link of the first account, in or out, is there again
    own: float = 0.2  # share of the links of a further account that are its own
    linked: float = 0.2  # probability that a further account follows the first one
    closed: float = 0.0  # probability that the first account is closed: nobody follows it any more, nor is it linked

    def __post_init__(self) -> None:
        for name in ("share", "three", "renamed", "disguised", "friends", "own", "linked", "closed"):
            _share(name, getattr(self, name))
        if self.own == 1:
            raise SettingError("own=1 leaves a further account no link of the first one; use less than 1")


@dataclass(frozen=True, slots=True)
class Dials:
    """All that a made-up world follows from."""

    population: Population = field(default_factory=Population)
    names: NameDials = field(default_factory=NameDials)
    texts: TextDials = field(default_factory=TextDials)
    groups: GroupDials = field(default_factory=GroupDials)
    links: LinkDials = field(default_factory=LinkDials)
    pictures: PictureDials = field(default_factory=PictureDials)  # used only when there is a folder to draw into
    seed: int = 0

    def __post_init__(self) -> None:
        _one_per_network("counts", self.links.counts, self.population.networks)
        _one_per_network("kept_by", self.links.kept_by, self.population.networks)
        _at_least("seed", self.seed, 0)


def _share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise SettingError(f"{name}={value} must lie between 0 and 1")


def _at_least(name: str, value: float, least: float) -> None:
    if not value >= least:
        raise SettingError(f"{name}={value} must be at least {least}")


def _among(name: str, values: Sequence[str], known: Sequence[str]) -> None:
    for value in values:
        if value not in known:
            raise SettingError(f"{name} has no '{value}'; there are: {', '.join(known)}")


def _one_per_network(name: str, values: Sequence[float], networks: Sequence[str]) -> None:
    if values and len(values) != len(networks):
        raise SettingError(f"{name}={tuple(values)} must have one number for each of the {len(networks)} networks")
