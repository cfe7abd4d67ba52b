"""How far a link moves a user, beside what attributes do."""

import numpy as np

from factlink.embedding.state import State
from factlink.embedding.training.link_trust import measure_agreement
from factlink.embedding.training.schedule import Plan

LINK_GAIN = 2.6
"""How far links of quality 1 move a user in the whole training, beside what attributes do."""

LUCK = 0.02
"""Quality that links without meaning reach by luck where networks are small."""


def full_step(plan: Plan, state: State, place: int) -> float:
    """The step of a factoid of weight 1; of links it is measured once, when they first count."""
    training, objective = plan.settings.training, plan.objectives[place]
    if not objective.is_link:
        return training.rate
    if np.isnan(state.link_steps[place]):
        weight = plan.settings.links.weight
        if weight is None and plan.has_attributes:
            found = measure_agreement(state.vectors, objective, plan.rows, plan.settings.seed)
            state.qualities[place] = found.quality
            strength = LINK_GAIN * float(np.sqrt(max(0.0, found.quality - LUCK)))
            state.link_steps[place] = 2 * strength / found.length / plan.link_passes
        else:
            state.link_steps[place] = training.rate * (1.0 if weight is None else weight)
    return float(state.link_steps[place])
