"""5. Candidates: which pairs to compare."""
