"""Scores taken apart: which objects and friends met, and how much each meeting weighs."""
