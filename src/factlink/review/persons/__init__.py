"""Judging persons: all accounts of one side by side, to be split and merged."""
