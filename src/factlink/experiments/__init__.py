"""Experiments: linkers side by side on data sets, with the published figures."""
