"""The addresses of a review, and what answers at each."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from factlink.review.answers import Answers, ReviewSettings
from factlink.review.guard import Guard
from factlink.review.pages import Pages
from factlink.review.refusals import FAILURES
from factlink.review.security import Door
from factlink.review.view_models import ViewModels
from factlink.review.writing import Writing

_STATIC = Path(__file__).parent / "static"
_MEDIA_TYPES = {"review.css": "text/css", "review.js": "text/javascript", "icon.svg": "image/svg+xml"}


def make_app(views: ViewModels, settings: ReviewSettings, door: Door) -> Starlette:
    """The review of one run behind its door."""
    answers = Answers(views, settings, door)
    pages, writing = Pages(views, answers), Writing(views, answers)
    shown = (pages.queue, pages.bulk, pages.pair, pages.user, pages.search, pages.progress, pages.agreement)
    written = (("judge", writing.judge), ("bulk", writing.bulk), ("undo", writing.undo), ("reviewer", writing.rename))
    routes = [
        Route("/", lambda request: RedirectResponse(f"{door.place}/queue", 303)),
        *(
            Route(f"/{page.__name__}{twin}", answers.showing(page), methods=["GET"])
            for page in shown
            for twin in ("", ".json")
        ),
        Route("/picture", pages.picture),
        *(Route(f"/{name}", answers.taking(write), methods=["POST"]) for name, write in written),
    ]
    return guarded_app(routes, answers, door)


def guarded_app(routes: list[Route], answers: Answers, door: Door) -> Starlette:
    """Pages, and our own files beside them, behind a door."""
    routes = [*routes, *(Route(f"/static/{name}", _static(name)) for name in _MEDIA_TYPES)]
    handlers: Any = dict.fromkeys(FAILURES, answers.refuse)
    app = Starlette(routes=routes, middleware=[Middleware(Guard, door=door)], exception_handlers=handlers)
    app.router.redirect_slashes = False  # it would lead out of the door's place
    return app


def _static(name: str) -> Callable[[Request], Response]:
    """An endpoint that gives one of our own files."""
    content = (_STATIC / name).read_bytes()
    return lambda request: Response(content, media_type=_MEDIA_TYPES[name])
