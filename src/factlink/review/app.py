"""The pages: every one an HTML page with a JSON twin, at the same path with `.json` or by the Accept header."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from factlink.errors import FactlinkError, InputError
from factlink.evaluation.agreement import agreements
from factlink.review.asking import asked_for, fields_of, filters_of, query_of, side_of, wants_json, whole_number
from factlink.review.desk import Desk, Values
from factlink.review.pictures import thumbnail
from factlink.review.security import Door, Guard
from factlink.runs.reviewing import count_verdicts
from factlink.types import DECISIONS, Verdict

SHOWN_FOUND = 20
_STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    """Who reviews unless the page says otherwise, and whether what the run thinks is hidden."""

    reviewer: str = "reviewer"
    blind: bool = False


def make_app(desk: Desk, settings: ReviewSettings, door: Door) -> Starlette:
    """The review of one run behind its door."""
    pages = Pages(desk, settings, door)
    shown: dict[str, Callable[[Request], tuple[str, Values]]] = {
        "queue": pages.queue,
        "pair": pages.pair,
        "user": pages.user,
        "search": pages.search,
        "progress": pages.progress,
        "agreement": pages.agreement,
    }
    routes = [
        Route("/", lambda request: RedirectResponse("/queue", 303)),
        *(Route(f"/{name}{twin}", pages.answer(page)) for name, page in shown.items() for twin in ("", ".json")),
        Route("/picture", pages.picture),
        *(Route(f"/{name}", pages.writing(name), methods=["POST"]) for name in ("judge", "undo", "reviewer")),
        Mount("/static", StaticFiles(directory=_STATIC)),
    ]
    handlers: Any = {FactlinkError: pages.refuse, HTTPException: pages.refuse}
    return Starlette(routes=routes, middleware=[Middleware(Guard, door=door)], exception_handlers=handlers)


class Pages:
    """What each address answers."""

    def __init__(self, desk: Desk, settings: ReviewSettings, door: Door) -> None:
        self._desk, self._settings = desk, settings
        self._name_cookie = f"{door.cookie}-reviewer"
        loader = PackageLoader("factlink.review")
        self._templates = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._thumbnail = lru_cache(maxsize=512)(thumbnail)

    def answer(self, page: Callable[[Request], tuple[str, Values]]) -> Callable[[Request], Response]:
        """An endpoint that shows a page, or says the same in JSON."""

        def endpoint(request: Request) -> Response:
            template, values = page(request)
            return self._show(request, template, values)

        return endpoint

    def queue(self, request: Request) -> tuple[str, Values]:
        """The open pair whose answer settles most."""
        filters, skipped = filters_of(dict(request.query_params), blind=self._settings.blind)
        reviewer = self._reviewer(request)
        decided = self._desk.decided.by(reviewer) if self._settings.blind else self._desk.decided.by_anybody()
        place = self._desk.queue.next_place(filters, decided, reviewer, skipped)
        order = self._desk.queue.fitting(filters)
        query = query_of(filters, skipped)
        values: Values = {
            "filters": query,
            "query": urlencode(query),
            "skip_query": urlencode(query_of(filters, skipped + 1)),
            "pairs": len(order),
            "decided": int(decided[order].sum()),
            "pair": None,
        }
        if place is not None:
            pairings = self._desk.queue.pairings
            values["pair"] = self._pair(int(pairings.lefts[place]), int(pairings.rights[place]), reviewer)
        return "queue.html", values

    def pair(self, request: Request) -> tuple[str, Values]:
        """Any left user beside any right user: why they were linked, or why not."""
        left = self._desk.left.row_of(asked_for(request, "left"))
        right = self._desk.right.row_of(asked_for(request, "right"))
        undone = request.query_params.get("undone") == "1"
        return "pair.html", {"pair": self._pair(left, right, self._reviewer(request)), "undone": undone}

    def user(self, request: Request) -> tuple[str, Values]:
        """One account, with its best candidates."""
        accounts = self._desk.side(side_of(request))
        row = accounts.row_of(asked_for(request, "user"))
        whole = request.query_params.get("all") == "1"
        values: Values = {"account": self._desk.account(accounts, row, whole=whole), "whole": whole}
        if accounts.side == "left":
            values["candidates"] = self._desk.candidates(row, blind=self._settings.blind)
        else:
            values["candidates"] = [] if self._settings.blind else self._desk.linked_lefts(row)
        return "user.html", values

    def search(self, request: Request) -> tuple[str, Values]:
        """Users by a part of their id or name."""
        text, network = request.query_params.get("q", "").strip()[:200], request.query_params.get("network", "")
        sides = [side for side in (self._desk.left, self._desk.right) if network in ("", side.name)]
        found = [
            {"network": side.name, "users": [self._desk.named(side, row) for row in side.search(text, SHOWN_FOUND)]}
            for side in sides
            if text
        ]
        return "search.html", {"q": text, "found": found, "most": SHOWN_FOUND}

    def progress(self, request: Request) -> tuple[str, Values]:
        """How far the review is, and how right the run's links proved."""
        by_reviewer = self._desk.judgements.by_reviewer()
        counts = count_verdicts(by_reviewer)
        if self._settings.blind:
            counts = {name: count for name, count in counts.items() if name == self._reviewer(request)}
        decided = self._desk.decided.by_anybody()
        order = self._desk.queue.pairings.order
        values: Values = {"reviewers": counts, "pairs": len(order), "decided": int(decided[order].sum())}
        return "progress.html", values | {"precision": None if self._settings.blind else self._desk.judged_links()}

    def agreement(self, request: Request) -> tuple[str, Values]:
        """Cohen's kappa between every two reviewers."""
        found = agreements(self._desk.judgements.by_reviewer())
        names = ("first", "second", "pairs", "agreed", "kappa")
        return "agreement.html", {"agreements": [{name: getattr(each, name) for name in names} for each in found]}

    def picture(self, request: Request) -> Response:
        """A small copy of a picture that the run lists for a user."""
        accounts = self._desk.side(side_of(request))
        listed = accounts.pictures(accounts.row_of(asked_for(request, "user")))
        n = whole_number(request, "n")
        path = self._desk.picture(accounts, listed[n]) if n < len(listed) else None
        small = self._thumbnail(path) if path is not None else None
        if small is None:
            raise HTTPException(404, "This picture is not there, not in the network's folder, or no sound picture.")
        return Response(small, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})

    def writing(self, name: str) -> Callable[[Request], Any]:
        """An endpoint that takes a form or JSON."""
        write = {"judge": self._judge, "undo": self._undo, "reviewer": self._rename}[name]

        async def endpoint(request: Request) -> Response:
            fields = fields_of(request.headers.get("content-type", ""), await request.body())
            return await run_in_threadpool(write, request, fields)

        return endpoint

    def refuse(self, request: Request, error: Exception) -> Response:
        """What was wrong, in one sentence."""
        status = (
            error.status_code if isinstance(error, HTTPException) else 400 if isinstance(error, InputError) else 500
        )
        sentence = error.detail if isinstance(error, HTTPException) else str(error)
        return self._show(request, "error.html", {"error": sentence}, status)

    def _judge(self, request: Request, fields: dict[str, str]) -> Response:
        left, right = fields.get("left", ""), fields.get("right", "")
        self._desk.left.row_of(left)
        self._desk.right.row_of(right)
        if fields.get("verdict") not in [verdict.value for verdict in Verdict]:
            raise InputError(f"no verdict is called '{fields.get('verdict')}'; there are: {', '.join(Verdict)}")
        verdict, note = Verdict(fields["verdict"]), fields.get("note", "").strip()
        row = self._desk.judgements.add(left, right, verdict, self._reviewer(request), note)
        if fields.get("page") == "pair":
            return self._done(request, f"/pair?{urlencode({'left': left, 'right': right})}", {"judgement": row})
        filters, skipped = filters_of(dict(parse_qsl(fields.get("filters", ""))), blind=self._settings.blind)
        return self._done(request, f"/queue?{urlencode(query_of(filters, skipped))}", {"judgement": row})

    def _undo(self, request: Request, fields: dict[str, str]) -> Response:
        undone = self._desk.judgements.withdraw_last(self._reviewer(request))
        if undone is None:
            return self._done(request, "/queue", {"undone": None})
        pair = {"left": undone.left, "right": undone.right}
        return self._done(request, f"/pair?{urlencode(pair)}&undone=1", {"undone": pair | {"verdict": undone.verdict}})

    def _rename(self, request: Request, fields: dict[str, str]) -> Response:
        name = " ".join(fields.get("reviewer", "").split())[:100]
        if not name:
            raise InputError("a reviewer needs a name; type one")
        answer = self._done(request, "/queue", {"reviewer": name})
        answer.set_cookie(self._name_cookie, quote(name), httponly=True, samesite="strict", path="/")
        return answer

    def _pair(self, left: int, right: int, reviewer: str) -> Values:
        return self._desk.pair(left, right, reviewer, blind=self._settings.blind)

    def _reviewer(self, request: Request) -> str:
        return unquote(request.cookies.get(self._name_cookie, ""))[:100].strip() or self._settings.reviewer

    def _show(self, request: Request, template: str, values: Values, status: int = 200) -> Response:
        if wants_json(request):
            return JSONResponse(values, status)
        desk = self._desk
        around = {
            "run": desk.run.name,
            "networks": [desk.left.name, desk.right.name],
            "predicates": list(dict.fromkeys([*desk.left.kinds, *desk.right.kinds])),
            "outcomes": list(DECISIONS),
            "verdicts": list(Verdict),
            "reviewer": self._reviewer(request),
            "blind": self._settings.blind,
            "path": request.url.path,
        }
        return HTMLResponse(self._templates.get_template(template).render(**around, **values), status)

    def _done(self, request: Request, onward: str, values: Values) -> Response:
        return JSONResponse(values) if wants_json(request) else RedirectResponse(onward, 303)
