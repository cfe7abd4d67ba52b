"""Users who are added to a finished run."""
