"""Several accounts of one person in one network: pairs within it, shared friends, and decoys of its own."""
