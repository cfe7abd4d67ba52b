"""Runs of three networks or more: making, adding, relinking, comparing with the truth."""
