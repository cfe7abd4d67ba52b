"""How an answer looks: a page or its JSON twin, a redirect, or what was wrong."""

import json
from dataclasses import dataclass
from urllib.parse import unquote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from factlink.data.formats.html_text import legible
from factlink.review.refusals import WAIT, in_vain, sentence_of, status_of
from factlink.review.request_parameters import wants_json
from factlink.review.security import Door
from factlink.review.view_models import Values, ViewModels
from factlink.runs.folder.judgements import LONGEST_NAME
from factlink.types import DECISIONS, Verdict


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """The default reviewer, and whether the results of the run are hidden."""

    reviewer: str = "reviewer"
    blind: bool = False


class Answers:
    """Renders the values of a page in the requested form."""

    def __init__(self, views: ViewModels, settings: ReviewSettings, door: Door) -> None:
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
        views = self._views
        around = {
            "run": views.run.name,
            "networks": [views.left.name, views.right.name],
            "predicates": list(dict.fromkeys([*views.left.kinds, *views.right.kinds])),
            "outcomes": list(DECISIONS),
            "verdicts": list(Verdict),
            "reviewer": self.reviewer(request),
            "blind": self.settings.blind,
            "path": request.scope["path"],
        }
        return HTMLResponse(legible(self._templates.get_template(template).render(**around, **values)), status)

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
