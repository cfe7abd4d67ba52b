"""Atomic files and folders, and named arrays."""
