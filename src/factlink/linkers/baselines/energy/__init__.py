"""The energy model of `cosnet`: a graph of candidate pairs, its least energy, and the weights that make truth cheap."""
