"""The score of the default linker as a sum of log odds."""
