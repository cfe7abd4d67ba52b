"""Factoid embedding, the paper's linker."""
