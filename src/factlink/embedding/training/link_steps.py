"""How far a link moves a user, beside what attributes do."""

import numpy as np

from factlink.embedding.state import State
from factlink.embedding.training.link_trust import measure_trust
from factlink.embedding.training.schedule import Schedule

LINK_GAIN = 2.6
"""How far links of quality 1 move a user in the whole training, beside what attributes do."""

LUCK = 0.02
"""Quality that links without meaning reach by luck where networks are small."""


def full_step(schedule: Schedule, state: State, place: int) -> float:
    """The step of a factoid of weight 1; of links it is measured once, when they first count."""
    training, objective = schedule.settings.training, schedule.objectives[place]
    if not objective.is_link:
        return training.rate
    if np.isnan(state.link_steps[place]):
        weight = schedule.settings.links.weight
        if weight is None and schedule.has_attributes:
            found = measure_trust(state.vectors, objective, schedule.rows, schedule.settings.seed)
            state.qualities[place] = found.quality
            strength = LINK_GAIN * float(np.sqrt(max(0.0, found.quality - LUCK)))
            state.link_steps[place] = 2 * strength / found.length / schedule.link_passes
        else:
            state.link_steps[place] = training.rate * (1.0 if weight is None else weight)
    return float(state.link_steps[place])
