"""Finds which accounts on different social networks belong to the same person, without labelled pairs."""
