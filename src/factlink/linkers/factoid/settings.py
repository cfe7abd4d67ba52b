"""What can be set of the default linker."""

from dataclasses import dataclass, field

from factlink.decision.soft_assignment import SoftAssignment
from factlink.encoders.plugged import text_encoder
from factlink.errors import SettingError


@dataclass(frozen=True, slots=True)
class Steps:
    """What the linker may use; all of it by default. For ablations."""

    attributes: bool = True  # predicates other than names
    links: bool = True
    weights: bool = True  # weights from the data; otherwise everything counts 1
    null_model: bool = True  # how similar the names of non-matches are
    spreading: bool = True  # confident pairs spread over links that name partners
    readings: bool = True  # names in other scripts and nicknames as what they may be read as
    handles: bool = True  # handles as names would make them
    declared: bool = True  # links that users declare in bios and fields


@dataclass(frozen=True, slots=True)
class FactoidSettings:
    """The settings of `factoid`; see `FactoidLinker`."""

    seed: int = 0
    dim: int = 256
    k: int = 50  # nearest users of either side that are looked at
    rounds: int = 6  # at most, of votes by users already linked; 0 for none
    steps: Steps = field(default_factory=Steps)
    assignment: SoftAssignment = field(default_factory=SoftAssignment)
    text_model: str = ""  # folder of a sentence model that reads texts; empty for their words

    def __post_init__(self) -> None:
        if self.text_model:
            text_encoder(self.text_model)  # raises if there is no such folder or plugin
        for setting, least in (("k", 1), ("rounds", 0)):
            if getattr(self, setting) < least:
                raise SettingError(f"{setting} is {getattr(self, setting)}; use at least {least}")
