"""How factoids are embedded: frozen settings, checked at birth.

The defaults follow what was measured to work; `paper_settings` gives the plain version of the paper.
"""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

from factlink.errors import SettingError

PROPAGATE: Final = "propagate"


def require(holds: bool, sentence: str) -> None:
    """Raises a SettingError with the sentence unless the claim holds."""
    if not holds:
        raise SettingError(sentence)


@dataclass(frozen=True, slots=True)
class Training:
    """Algorithm 1: how far, how fast and how long.

    A pass takes every factoid of every predicate once; an iteration takes one batch of each predicate. Vectors that
    start at zero need at least one attribute. With start `propagate` the warm passes and `links.hops` passes more are
    done in closed form (see `factlink.embedding.training.warm_start`); `passes` follow, or none.
    """

    dim: int = 0  # of all vectors; 0 is what 256 MB hold, 512 to 1,024
    passes: int = 2  # at most, with links and attributes in turn
    warm_passes: int = 1  # before those, attributes alone
    batch: int = 4096  # factoids of the largest predicate in one iteration
    rate: float = 0.25  # step on v per factoid
    start: float | Literal["propagate"] = 0.0  # standard deviation of the first vectors, or first passes in closed form
    tolerance: float = 1e-4  # stop when a pass lowers the loss by a smaller share than this
    cycled: bool = False  # every iteration takes `batch` of each predicate: the smaller ones begin again in a pass

    def __post_init__(self) -> None:
        require(self.dim >= 0, f"dim is {self.dim}; a vector needs at least 1 dimension, or 0 for the usual number")
        propagated = self.start == PROPAGATE
        require(
            propagated or isinstance(self.start, float | int), f"start is '{self.start}'; use a number or {PROPAGATE}"
        )
        require(self.passes >= (0 if propagated else 1), f"passes is {self.passes}; training needs at least 1")
        require(self.warm_passes >= 0, f"warm_passes is {self.warm_passes}; it cannot be negative")
        require(self.batch >= 1, f"batch is {self.batch}; a batch holds at least 1 factoid")
        require(self.rate > 0, f"rate is {self.rate}; a step must be positive")
        require(propagated or float(self.start) >= 0, f"start is {self.start}; a standard deviation cannot be negative")
        require(self.tolerance >= 0, f"tolerance is {self.tolerance}; it cannot be negative")


@dataclass(frozen=True, slots=True)
class Projection:
    """φ(x) = W x + b for every predicate, ‖W‖₂ ≤ bound.

    `kind` is what φ does to the followee of a link: `linear` is the paper's, `tanh` bends it (tanh(√dim (W v + b)) /
    √dim, as Lipschitz as W: a non-linear choice, which the paper leaves open), `identity` (φ(v) = v) is what PALE
    does, `free` (a context vector of its own for every user) is what LINE and IONE do. `learns` says which W and b
    move: `all` of them, those of `links` alone, or those of links `in-turn` with the vectors, which then rest.
    """

    kind: Literal["linear", "tanh", "identity", "free"] = "linear"
    bound: float = 1.0
    start: Literal["orthogonal", "gaussian"] = "orthogonal"
    bias: bool = True
    rate: float = 1e-5  # step on W and b as a share of the step on v; 0 keeps W as it starts
    every: int = 5  # iterations from one update of W and b to the next
    learns: Literal["all", "links", "in-turn"] = "all"

    def __post_init__(self) -> None:
        kinds, starts = ("linear", "tanh", "identity", "free"), ("orthogonal", "gaussian")
        require(self.kind in kinds, f"no projection is called '{self.kind}'; there are: {', '.join(kinds)}")
        require(self.start in starts, f"W cannot start '{self.start}'; it starts: {', '.join(starts)}")
        ways = ("all", "links", "in-turn")
        require(self.learns in ways, f"projections cannot learn '{self.learns}'; there are: {', '.join(ways)}")
        require(self.bound > 0, f"bound is {self.bound}; the norm of W needs room above 0")
        require(self.rate >= 0, f"projection rate is {self.rate}; it cannot be negative")
        require(self.every >= 1, f"every is {self.every}; W is updated at most once per iteration")


@dataclass(frozen=True, slots=True)
class NegativeSampling:
    """Negatives ⟨u_k, ·, ·⟩, drawn afresh for every batch: uniform for objects, ∝ out-degree^power for links.

    With `pool` 0 every factoid draws its own `count` negatives. Otherwise all factoids of a batch meet the same `pool`
    fresh users, weighted `count / pool` each: the same expectation with a `pool / count` times smaller variance.
    The published program draws the pool of links once for all batches (`fixed`), different users, and takes objects by
    a full softmax over all users (`objects` = softmax), equation (1) of the paper without sampling.
    """

    count: int = 1  # K of the paper
    pool: int = 64
    power: float = 0.75
    fixed: bool = False
    objects: Literal["sampled", "softmax"] = "sampled"

    def __post_init__(self) -> None:
        require(self.count >= 1, f"count is {self.count}; every factoid needs at least 1 negative")
        require(self.pool >= 0, f"pool is {self.pool}; it cannot be negative")
        require(self.power >= 0, f"power is {self.power}; it cannot be negative")
        require(not self.fixed or self.pool > 0, "fixed negatives need a pool; set negatives.pool to 1 or more")
        ways = ("sampled", "softmax")
        require(self.objects in ways, f"objects cannot be '{self.objects}'; they are: {', '.join(ways)}")


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """How user-user links become factoids.

    With `move_followees` a link also moves the user it points to, along ∂f/∂v_j = Wᵀ bracket, as the full gradient
    says; W Wᵀ ≈ I then carries names two links away into the user's own name space.
    With `lagged` φ sees the followee as it was when the pass began, so that one pass carries names one link far and
    not, through batch after batch, into the few directions that all links share.
    `weight` is the step of a link relative to that of an attribute. None measures it: how well links alone
    rank the confident pairs of the attributes (see `factlink.embedding.training.link_trust`).
    """

    predicates: Literal["pooled", "separate"] = "pooled"
    both_directions: bool = True
    degree_normalised: bool = True
    move_followees: bool = False
    lagged: bool = True
    weight: float | None = None
    hops: int = 1  # links that a propagated start reaches across

    def __post_init__(self) -> None:
        ways = ("pooled", "separate")
        require(self.predicates in ways, f"link predicates cannot be '{self.predicates}'; they are: {', '.join(ways)}")
        require(self.hops in (1, 2), f"hops is {self.hops}; use 1 or 2")
        require(self.weight is None or self.weight >= 0, f"link weight is {self.weight}; it cannot be negative")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that decides an embedding, apart from its factoids."""

    training: Training = field(default_factory=Training)
    projection: Projection = field(default_factory=Projection)
    negatives: NegativeSampling = field(default_factory=NegativeSampling)
    links: LinkSettings = field(default_factory=LinkSettings)
    centre_objects: bool = True
    seed: int = 0
    parts: int = (
        1  # of the users, which train apart from each other within a pass (`factlink.embedding.training.partitions`)
    )

    def __post_init__(self) -> None:
        require(self.parts >= 1, f"parts is {self.parts}; users are at least 1 part")
        require(
            self.parts == 1 or self.separable,
            f"users cannot train in {self.parts} parts where links move those they point to; keep links.lagged, leave "
            "out links.move_followees, training.cycled, negatives.objects=softmax and projection.kind=free or tanh, or "
            "train in 1 part",
        )

    @property
    def separable(self) -> bool:
        """Whether a factoid moves nobody but its own user, and negatives."""
        plain = (
            self.negatives.objects == "sampled"
            and not self.training.cycled
            and self.projection.kind in ("linear", "identity")
        )
        return plain and self.links.lagged and not self.links.move_followees


SMALLEST_DIM, LARGEST_DIM = 512, 1024
BUDGET = 1 << 28
"""Bytes for the vectors of all users; where they need more at the largest dimension, it is halved."""


def dim_for(n_rows: int) -> int:
    """The dimension where none is set: the more the better ranked, as far as the budget goes."""
    return LARGEST_DIM if 4 * n_rows * LARGEST_DIM <= BUDGET else SMALLEST_DIM


def closed_form(settings: Settings) -> Settings:
    """The same settings with all passes in closed form: as good a ranking in a fraction of the time."""
    training = replace(settings.training, start=PROPAGATE, passes=0)
    return replace(settings, training=training, parts=1)


def paper_settings(seed: int = 0) -> Settings:
    """The paper as written, with the numbers it leaves open filled in: K = 1 own negative, every link counts 1.

    Uniform negatives add noise that only many passes and dimensions average out, more with each: K = 5 ranks worse.
    """
    return Settings(
        Training(dim=512, passes=20, warm_passes=1, rate=0.05, start=0.01),
        Projection(start="gaussian", rate=1e-3),
        NegativeSampling(count=1, pool=0),
        LinkSettings(both_directions=False, degree_normalised=False, move_followees=True, lagged=False, weight=1.0),
        centre_objects=False,
        seed=seed,
    )


def authors_settings(seed: int = 0) -> Settings:
    """What the published program does, step sizes as they act there.

    Attributes: full softmax, φ the identity, step 5/128. Links: 256 users drawn once are the negatives of a batch of
    128, in which the positive term counts 128 times, so that each positive meets 2 negatives and moves by .05; every
    fifth iteration moves W and b alone, by 1e-4; ‖W‖ is free; rates never decay. 17 passes over links are its 52,000
    iterations on Facebook–Twitter.
    """
    return Settings(
        Training(dim=1280, passes=17, warm_passes=0, batch=128, rate=5 / 128, start=0.01, tolerance=0.0, cycled=True),
        Projection(bound=float("inf"), start="gaussian", rate=1e-4 / 0.05, learns="in-turn"),
        NegativeSampling(count=2, pool=256, fixed=True, objects="softmax"),
        LinkSettings(
            both_directions=False, degree_normalised=False, move_followees=True, lagged=False, weight=0.05 * 128 / 5
        ),
        centre_objects=False,
        seed=seed,
    )


def links_alone_settings(settings: Settings) -> Settings:
    """The settings for users without attributes, which only links hold in place.

    Every link counts 1 and moves both its ends, W learns faster, negatives are the factoid's own. Only parts that are
    left at their defaults are replaced.
    """
    training = Training(dim=128, passes=20, warm_passes=0, batch=1024, rate=0.05, start=0.05)
    links = LinkSettings(degree_normalised=False, move_followees=True, lagged=False, weight=1.0)
    return replace(
        settings,
        training=training if settings.training == Training() else settings.training,
        projection=Projection(rate=1e-3) if settings.projection == Projection() else settings.projection,
        negatives=NegativeSampling(count=5, pool=0) if settings.negatives == NegativeSampling() else settings.negatives,
        links=links if settings.links == LinkSettings() else settings.links,
    )
