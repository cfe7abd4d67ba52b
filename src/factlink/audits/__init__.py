"""13. Audits: how linkable a release is, why, and what would help."""
