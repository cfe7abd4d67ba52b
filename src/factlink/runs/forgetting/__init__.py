"""Removing an account from a finished run, and proof that nothing of it is left."""
