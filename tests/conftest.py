"""For all tests: properties are tried on the same examples every time and however slow the machine is."""

from hypothesis import settings

settings.register_profile("same every time", derandomize=True, deadline=None)
settings.load_profile("same every time")
