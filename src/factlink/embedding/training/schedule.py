"""What Algorithm 1 takes when: passes, iterations, and the factoids of every batch."""

from dataclasses import dataclass, field

from factlink.embedding.objectives import Objective
from factlink.embedding.sampling import Noise, batches_per_pass, draw_order, take_batch
from factlink.embedding.settings import PROPAGATE, Settings
from factlink.types import Ints


@dataclass(frozen=True, slots=True)
class Moment:
    """An iteration as pass and batch."""

    pass_: int
    number: int
    n_batches: int
    warm: bool


@dataclass(slots=True, eq=False)
class Schedule:
    """All that stays the same while training."""

    objectives: list[Objective]
    noises: list[Noise]
    rows: list[Ints]  # by network
    settings: Settings
    orders: dict[int, tuple[int, Ints]] = field(default_factory=dict)  # by objective: pass, order of its factoids

    @property
    def has_attributes(self) -> bool:
        """Whether any objective is user-object."""
        return not all(objective.is_link for objective in self.objectives)

    @property
    def propagated(self) -> bool:
        """Whether the first passes are done in closed form; links alone have nothing to carry."""
        return self.settings.training.start == PROPAGATE and self.has_attributes

    @property
    def warm_passes(self) -> int:
        """Passes with attributes alone."""
        return self.settings.training.warm_passes if self.has_attributes and not self.propagated else 0

    @property
    def link_passes(self) -> int:
        """Passes in which links count, those in closed form among them."""
        return self.settings.training.passes + (self.settings.links.hops if self.propagated else 0)

    @property
    def passes(self) -> int:
        """Passes in all."""
        return self.warm_passes + self.settings.training.passes

    def n_batches(self, warm: bool) -> int:
        """Iterations of one pass."""
        taken = [o for o in self.objectives if not (warm and o.is_link)]
        return batches_per_pass(taken, self.settings.training.batch)

    @property
    def iterations(self) -> int:
        """Iterations in all, unless training converges."""
        warm = self.warm_passes * self.n_batches(True) if self.has_attributes else 0
        return warm + self.settings.training.passes * self.n_batches(False)

    def moment(self, iteration: int) -> Moment:
        """The position of an iteration."""
        warm = self.n_batches(True) if self.has_attributes else 1
        if iteration < self.warm_passes * warm:
            return Moment(iteration // warm, iteration % warm, warm, True)
        pass_, number = divmod(iteration - self.warm_passes * warm, self.n_batches(False))
        return Moment(self.warm_passes + pass_, number, self.n_batches(False), False)

    def first_iteration(self, pass_: int) -> int:
        """Where a pass begins."""
        warm = min(pass_, self.warm_passes)
        return (warm * self.n_batches(True) if warm else 0) + (pass_ - warm) * self.n_batches(False)

    def last_moment(self, pass_: int) -> Moment:
        """The last iteration of a pass."""
        warm = pass_ < self.warm_passes
        return Moment(pass_, self.n_batches(warm) - 1, self.n_batches(warm), warm)

    def batch(self, place: int, moment: Moment) -> Ints:
        """The factoids of one objective that an iteration takes."""
        if self.settings.training.cycled:
            return self._next_of_cycle(place, self.first_iteration(moment.pass_) + moment.number)
        return take_batch(self._order(place, moment.pass_), moment.number, moment.n_batches)

    def _order(self, place: int, pass_: int) -> Ints:
        """The factoids of one objective in the order of its own pass."""
        if self.orders.get(place, (-1,))[0] != pass_:
            self.orders[place] = (pass_, draw_order(len(self.objectives[place]), self.settings.seed, place, pass_))
        return self.orders[place][1]

    def _next_of_cycle(self, place: int, iteration: int) -> Ints:
        """A full batch, or what is left of the objective's own pass."""
        n_batches = -(-len(self.objectives[place]) // self.settings.training.batch)
        own_pass, number = divmod(iteration, n_batches)
        return take_batch(self._order(place, own_pass), number, n_batches)
