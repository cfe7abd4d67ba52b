"""The browser that the review is tested in serves the report too."""

from tests.review.test_browser import driver  # noqa: F401
