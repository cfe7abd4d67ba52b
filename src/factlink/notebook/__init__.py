"""What people write in a notebook: one call that links, and a result to look at."""
