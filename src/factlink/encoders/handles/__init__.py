"""Handles as people make them from their names."""
