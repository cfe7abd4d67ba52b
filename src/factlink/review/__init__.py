"""10. Review: people decide, on a page served to this machine only."""
