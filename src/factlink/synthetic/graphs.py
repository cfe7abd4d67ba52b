"""Follow graphs: communities, heavy-tailed popularity, and links that several networks have in common."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from factlink.errors import SettingError
from factlink.synthetic.dials import GroupDials, LinkDials
from factlink.synthetic.stock import Rng
from factlink.types import Follows, Ints

Weights = npt.NDArray[np.float64]
Keys = npt.NDArray[np.int64]  # a link as one number, follower · n + followee; sorted, distinct
_ROUNDS = 60


@dataclass(frozen=True, slots=True)
class Sociability:
    """How often each person follows and is followed, and among whom."""

    communities: Ints  # (n,)
    activity: Weights  # (n,) how often one follows
    fame: Weights  # (n,) how often one is followed from anywhere
    inside: float  # share of links inside the community

    def of(self, persons: Ints) -> "Sociability":
        """That of some persons among themselves."""
        return Sociability(self.communities[persons], self.activity[persons], self.fame[persons], self.inside)


def draw_sociability(communities: Ints, groups: GroupDials, rng: Rng) -> Sociability:
    """Popularity with a power-law tail, activity that goes with it but is less unequal."""
    fame = (1 - rng.random(len(communities))) ** (-1 / (groups.tail - 1))
    activity = np.sqrt(fame) * rng.lognormal(0, 0.5, len(communities))
    return Sociability(communities, activity, fame, groups.inside)


def draw_to_centres(social: Sociability, n_centres: int, factor: float) -> Sociability:
    """The first people follow and are followed so many times as often: links to them are what a crawl collects."""
    factors = np.where(np.arange(len(social.fame)) < n_centres, factor, 1.0)
    return replace(social, activity=social.activity * factors, fame=social.fame * factors)


def draw_graphs(social: Sociability, shown: Sequence[Ints], dials: LinkDials, rng: Rng) -> list[Follows]:
    """The links of each network, in rows of `shown`, which names its persons; their number is exact."""
    counts = dials.counts or tuple(min(round(dials.mean * len(rows)), _roomy(len(rows))) for rows in shown)
    n, kept = len(social.communities), dials.kept_by or (dials.kept,) * len(shown)
    common = _draw_keys(social, _acquaintances(n, shown, counts, dials), dials.mutual, rng)
    return [
        _draw_graph(social, persons, count, _kept(common, n, persons, share, rng), dials, rng)
        for persons, count, share in zip(shown, counts, kept, strict=True)
    ]


def shuffle_ends(links: Follows, n: int, rng: Rng) -> Follows:
    """Links with shuffled followees: every user has as many followers and followees as before."""
    followees = rng.permutation(links.followees)
    for _ in range(_ROUNDS):
        wrong = _unfit(links.followers, followees, n)
        if not len(wrong):
            return Follows(links.followers, followees, links.weights)
        dealt = _distinct(np.concatenate([wrong, rng.integers(0, len(followees), len(wrong))]))
        followees[dealt] = rng.permutation(followees[dealt])
    raise SettingError(f"{len(links)} links among {n} users are too many to shuffle; take fewer links")


def _unfit(followers: Ints, followees: Ints, n: int) -> Ints:
    """Places of links to oneself, and of all but one of equal links."""
    keys = followers.astype(np.int64) * n + followees
    order = np.argsort(keys, kind="stable")
    again = order[1:][keys[order[1:]] == keys[order[:-1]]]
    return _distinct(np.concatenate([again, np.flatnonzero(followers == followees)]))


def _acquaintances(n: int, shown: Sequence[Ints], counts: Sequence[int], dials: LinkDials) -> int:
    """How many links the population has, so that no network has a smaller share of its own than was set."""
    kept = dials.kept_by or (dials.kept,) * len(shown)
    seen = [(len(persons) / n) ** 2 * share for persons, share in zip(shown, kept, strict=True)]
    wanted = [(1 - dials.own) * count for count in counts]
    most = min((want / share for want, share in zip(wanted, seen, strict=True) if share > 0), default=0)
    return min(int(most), _roomy(n))


def _roomy(n: int) -> int:
    """How many links can be drawn between `n` users before skewed draws mostly repeat themselves."""
    return n * (n - 1) // 3


def _kept(common: Keys, n: int, persons: Ints, kept: float, rng: Rng) -> Keys:
    """Acquaintances that a network shows, in its own rows."""
    rows = np.full(n, -1)
    rows[persons] = np.arange(len(persons))
    chosen = common[rng.random(len(common)) < kept]
    followers, followees = rows[chosen // n], rows[chosen % n]
    both = (followers >= 0) & (followees >= 0)
    return np.sort(followers[both] * len(persons) + followees[both])


def _draw_graph(social: Sociability, persons: Ints, count: int, kept: Keys, dials: LinkDials, rng: Rng) -> Follows:
    n = len(persons)
    here = social.of(persons)
    keys = _thinned(kept, count, rng)
    if not dials.isolates:
        keys = np.sort(np.concatenate([keys, _rescue(here, keys, rng)]))
        if len(keys) > count:
            raise SettingError(f"{count} links leave some of {n} users without any; raise own, or allow isolates")
    keys = _grown(here, keys, count, dials.mutual, rng)
    return Follows(keys // n, keys % n, np.ones(count, np.float32))


def _rescue(social: Sociability, keys: Keys, rng: Rng) -> Keys:
    """One link from each user that has none."""
    n = len(social.communities)
    alone = np.flatnonzero(np.bincount(np.concatenate([keys // n, keys % n]), minlength=n) == 0)
    steps = rng.integers(1, max(n, 2), len(alone))
    return np.sort(alone * n + (alone + steps) % n)


def _draw_keys(social: Sociability, count: int, mutual: float, rng: Rng) -> Keys:
    return _grown(social, np.empty(0, np.int64), count, mutual, rng)


def _grown(social: Sociability, keys: Keys, count: int, mutual: float, rng: Rng) -> Keys:
    """`keys` and as many new links as bring them to `count`."""
    n = len(social.communities)
    if count > n * (n - 1):
        raise SettingError(f"{count} links do not fit between {n} users; take fewer links or more users")
    urn = _Urn.of(social)
    new = np.empty(0, np.int64)
    for patience in range(1, _ROUNDS):
        missing = count - len(keys) - len(new)
        if missing <= 0:
            return np.sort(np.concatenate([keys, _thinned(new, count - len(keys), rng)]), kind="stable")
        drawn = _distinct(np.concatenate([new, urn.links(patience * (missing + missing // 7 + 16), mutual, rng)]))
        new = drawn[~_is_in(drawn, keys)]
    raise SettingError(f"{count} links between {n} users leave no room for communities; take fewer links or more users")


def _distinct(keys: Keys) -> Keys:
    """The keys once each, sorted; several times faster than np.unique, which hashes."""
    keys = np.sort(keys, kind="stable")
    is_new = np.ones(len(keys), np.bool_)
    is_new[1:] = keys[1:] != keys[:-1]
    return keys[is_new]


def _thinned(keys: Keys, count: int, rng: Rng) -> Keys:
    """A random `count` of the keys, or all if there are no more; still sorted."""
    if len(keys) <= count:
        return keys
    stays = np.zeros(len(keys), np.bool_)
    stays[rng.choice(len(keys), count, replace=False, shuffle=False)] = True
    return keys[stays]


def _is_in(some: Keys, keys: Keys) -> npt.NDArray[np.bool_]:
    if not len(keys):
        return np.zeros(len(some), np.bool_)
    found: npt.NDArray[np.bool_] = keys[np.minimum(np.searchsorted(keys, some), len(keys) - 1)] == some
    return found


@dataclass(frozen=True, slots=True)
class _Urn:
    """What links are drawn from: people in the order of their communities, with running sums of weights."""

    order: Ints  # (n,) persons, community by community
    group: Ints  # (n,) community of order[i]
    first: Ints  # (n_communities + 1,) where a community starts in `order`
    activity: Weights  # (n + 1,) running sums
    fame: Weights
    charm: Weights  # fame inside the community, which is less unequal
    inside: float

    @classmethod
    def of(cls, social: Sociability) -> "_Urn":
        order = np.argsort(social.communities, kind="stable")
        group = social.communities[order]
        first = np.searchsorted(group, np.arange(group[-1] + 2))
        fame = social.fame[order]
        return cls(order, group, first, _sums(social.activity[order]), _sums(fame), _sums(np.sqrt(fame)), social.inside)

    def links(self, count: int, mutual: float, rng: Rng) -> Keys:
        """About `count` links, some with their return, none to oneself; equal ones may come twice."""
        returned = int(count * mutual / (1 + mutual))
        followers = _pick(self.activity, rng.random(count - returned) * self.activity[-1])
        followees = np.where(
            rng.random(len(followers)) < self.inside,
            self._neighbours(followers, rng),
            _pick(self.fame, rng.random(len(followers)) * self.fame[-1]),
        )
        heads = self.order[np.concatenate([followers, followees[:returned]])]
        tails = self.order[np.concatenate([followees, followers[:returned]])]
        keys: Keys = (heads * len(self.order) + tails)[heads != tails]
        return keys

    def _neighbours(self, places: Ints, rng: Rng) -> Ints:
        low = self.charm[self.first[self.group[places]]]
        high = self.charm[self.first[self.group[places] + 1]]
        return _pick(self.charm, low + rng.random(len(places)) * (high - low))


def _sums(weights: Weights) -> Weights:
    return np.concatenate([[0.0], np.cumsum(weights)])


def _pick(sums: Weights, at: Weights) -> Ints:
    return np.minimum(np.searchsorted(sums, at, side="right") - 1, len(sums) - 2)
