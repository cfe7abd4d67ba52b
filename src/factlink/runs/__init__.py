"""8. Runs: a folder that holds a result and says what made it."""
