"""The run folder: its manifest, tables, judgements and fitted state."""
