"""Picture files as unit vectors."""
