"""12. Export: the links of a run in the formats of other programs."""
