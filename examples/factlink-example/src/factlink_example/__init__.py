"""One plugin of each sort."""
