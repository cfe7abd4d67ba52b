"""7. Explanations: scores as sums of named parts, with the objects and friends that agree."""
