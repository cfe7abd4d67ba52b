"""7. Evaluation: how good, and why."""
