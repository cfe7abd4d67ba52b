"""A finished run held ready for questions: its users, its names, its lists of neighbours."""
