"""11. Runs: a folder with a result and everything that made it."""
