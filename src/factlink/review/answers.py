"""How an answer looks: a page or its JSON twin, a redirect, or what was wrong."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from factlink.data.formats.html_text import legible
from factlink.review.refusals import WAIT, in_vain, sentence_of, status_of
from factlink.review.request_parameters import fields_of, wants_json
from factlink.review.security import Door
from factlink.review.view_models import Values
from factlink.runs.folder.judgements import LONGEST_NAME
from factlink.types import DECISIONS, Verdict


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """The default reviewer, and whether the results of the run are hidden."""

    reviewer: str = "reviewer"
    blind: bool = False


class Views(Protocol):
    """What is shown of a run."""

    run: Path

    def check_current(self) -> None:
        """Raises an error if the run was replaced since it was read."""

    def around(self) -> Values:
        """What every page shows."""


class Answers:
    """Renders the values of a page in the requested form."""

    def __init__(self, views: Views, settings: ReviewSettings, door: Door) -> None:
        self._views, self.settings = views, settings
        self.home, self.name_cookie = door.place, f"{door.cookie}-reviewer"
        loader = PackageLoader("factlink.review")
        self._templates = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._templates.globals["home"] = self.home

    def show(self, request: Request, template: str, values: Values, status: int = 200) -> Response:
        """A page, or the same in JSON."""
        if wants_json(request):
            return _json(values, status)
        around = {
            "run": self._views.run.name,
            **self._views.around(),
            "outcomes": list(DECISIONS),
            "verdicts": list(Verdict),
            "reviewer": self.reviewer(request),
            "blind": self.settings.blind,
            "path": request.scope["path"],
        }
        return HTMLResponse(legible(self._templates.get_template(template).render(**around, **values)), status)

    def showing(self, page: Callable[[Request], tuple[str, Values]]) -> Callable[[Request], Response]:
        """An endpoint that shows a page, as HTML or JSON."""

        def endpoint(request: Request) -> Response:
            self._views.check_current()
            return self.show(request, *page(request))

        return endpoint

    def taking(self, write: Callable[[Request, dict[str, str]], Response]) -> Callable[[Request], Any]:
        """An endpoint that takes a form or JSON."""

        async def endpoint(request: Request) -> Response:
            request.state.fields = fields_of(request.headers.get("content-type", ""), await request.body())
            await run_in_threadpool(self._views.check_current)
            return await run_in_threadpool(write, request, request.state.fields)

        return endpoint

    def done(self, request: Request, onward: str, values: Values) -> Response:
        """Where to go after something was written, or for a machine what was."""
        return _json(values, 200) if wants_json(request) else RedirectResponse(f"{self.home}{onward}", 303)

    def refuse(self, request: Request, error: Exception) -> Response:
        """The error in one sentence; a request that may work later can be sent again without retyping."""
        status, lost = status_of(error), in_vain(request)
        values: Values = {"error": sentence_of(error, self._views.run)}
        if wants_json(request):
            answer = self.show(request, "error.html", values | ({"kept": False} if lost else {}), status)
        else:
            fields = getattr(request.state, "fields", {})
            again = {"path": request.scope["path"], "query": urlencode(request.query_params.multi_items())}
            values |= {"lost": lost, "fields": fields, "again": again if status in (409, 503) else None}
            answer = self.show(request, "error.html", values, status)
        answer.headers.update(getattr(error, "headers", None) or {})
        if status == 503:
            answer.headers["Retry-After"] = str(WAIT)
        return answer

    def reviewer(self, request: Request) -> str:
        """The reviewer of a request."""
        name = legible(unquote(request.cookies.get(self.name_cookie, "")))[:LONGEST_NAME].strip()
        return name or self.settings.reviewer


def _json(values: Values, status: int) -> Response:
    """Values as JSON in ASCII, which can represent lone surrogates."""
    return Response(json.dumps(values, allow_nan=False), status, media_type="application/json")
