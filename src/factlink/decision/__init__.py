"""5. Matching: scores become links, the same way for every linker."""
