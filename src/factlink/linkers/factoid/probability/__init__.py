"""How likely pairs are, learned from the data at hand: decoys, the pair model, and users who join later."""
