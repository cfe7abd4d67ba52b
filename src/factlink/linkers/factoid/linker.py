"""`factoid`, the default: names, texts and neighbours weighed by what they prove worth here, linked one to one."""

from dataclasses import dataclass, field
from typing import ClassVar

from factlink.candidates.reordered import Reordered
from factlink.decision.soft_assignment import SoftAssignment
from factlink.encoders.sentences import SentenceEncoder
from factlink.errors import SettingError
from factlink.execution.workers import HERE, Workers
from factlink.linkers.by_content import fit_by_content
from factlink.linkers.factoid.fit import FactoidFit
from factlink.linkers.factoid.scorer import FactoidScorer
from factlink.types import NO_PAIRS, Network, Pairs


@dataclass(frozen=True, slots=True)
class Steps:
    """What the linker may use; all of it by default. For ablations."""

    attributes: bool = True  # predicates that are no names
    links: bool = True
    worth: bool = True  # weights from the data; otherwise everything counts 1
    strangers: bool = True  # how alike they get


@dataclass(frozen=True, slots=True)
class FactoidLinker:
    """Finds its own weights, needs no labels, and uses known pairs if there are some."""

    name: ClassVar[str] = "factoid"
    supervised: ClassVar[bool] = False

    seed: int = 0
    dim: int = 256
    k: int = 50  # nearest users of either side that are looked at
    rounds: int = 6  # at most, of votes by users already linked; 0 for none
    steps: Steps = field(default_factory=Steps)
    assignment: SoftAssignment = field(default_factory=SoftAssignment)
    text_model: str = ""  # folder of a sentence model that reads texts; empty for their words

    def __post_init__(self) -> None:
        if self.text_model:
            SentenceEncoder(self.text_model)  # raises if there is no such folder
        for setting, least in (("k", 1), ("rounds", 0)):
            if getattr(self, setting) < least:
                raise SettingError(f"{setting} is {getattr(self, setting)}; use at least {least}")

    def fit(self, left: Network, right: Network, known: Pairs = NO_PAIRS) -> Reordered[FactoidScorer]:
        """Known pairs are linked from the start and their users are nobody else's candidates."""
        return self.fit_over(HERE, left, right, known)

    def fit_over(self, workers: Workers, left: Network, right: Network, known: Pairs) -> Reordered[FactoidScorer]:
        """The same, to the byte, with the heavy steps done by workers."""

        def fit(lefts: Network, rights: Network, pairs: Pairs) -> FactoidScorer:
            return FactoidFit(self, lefts, rights, pairs, workers).run()

        return fit_by_content(fit, left, right, known)
