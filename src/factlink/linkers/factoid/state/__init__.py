"""What a run keeps of a fit, so that users can be added, explained and forgotten."""
