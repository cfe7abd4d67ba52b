"""For all tests: properties are tried on the same examples every time, so that a change is judged by itself alone."""

from hypothesis import settings

settings.register_profile("same every time", derandomize=True)
settings.load_profile("same every time")
