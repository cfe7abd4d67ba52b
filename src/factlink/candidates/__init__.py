"""5. Candidates: which pairs are worth looking at."""
