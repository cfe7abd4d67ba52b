"""Readings of names: one or more Latin forms of a name in another script, and how names sound."""
