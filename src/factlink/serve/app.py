"""The addresses of the service, and what answers at each."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from factlink.errors import InputError
from factlink.linkers.factoid.state.stored import SIDES
from factlink.serve import reconciling
from factlink.serve.accounts import question_of
from factlink.serve.answers import answer
from factlink.serve.guard import Entry, Guard
from factlink.serve.measures import Measures
from factlink.serve.openapi import describe
from factlink.serve.persons import find_person
from factlink.serve.problems import FAILURES, as_json, refuse
from factlink.serve.warm.holding import Held
from factlink.serve.writing import add_accounts

Work = Callable[[], Response]


class Service:
    """Answers requests from the run that is held."""

    def __init__(self, held: Held, entry: Entry, measures: Measures, folder: Path, *, write: bool = False) -> None:
        self._held, self._entry, self._measures, self._folder, self._write = held, entry, measures, folder, write
        self._one_at_a_time = CapacityLimiter(1)  # answers compute; more threads would only wait for each other
        self._adding = asyncio.Lock()

    async def lookup(self, request: Request) -> Response:
        """Candidates of accounts."""
        question = question_of(await _json_of(request))
        if len(question.accounts) == 1:  # handing it to a thread and back would cost a tenth of the answer
            return as_json({"answers": answer(self._held.now(), question)})
        return await self._computed(lambda: as_json({"answers": answer(self._held.now(), question)}))

    async def accounts(self, request: Request) -> Response:
        """Adds accounts, on the disk before they are acknowledged."""
        body = await _json_of(request)
        if not self._write:
            raise HTTPException(403, "this service is read-only; start factlink serve with --write to add accounts")
        question = question_of(body, ids_needed=True)
        async with self._adding:
            return await to_thread.run_sync(lambda: as_json(add_accounts(self._held, question, self._folder), 201))

    async def person(self, request: Request) -> Response:
        """The accounts of a person."""
        wanted = request.path_params["person"]
        return await self._computed(lambda: as_json(find_person(self._held.now(), wanted)))

    async def health(self, request: Request) -> Response:
        """Whether the service answers, and from what."""
        run = self._held.now()
        sides = {side: len(users) for side, users in zip(SIDES, run.sides, strict=True)}
        recall = min(nearest.recall for nearest in run.nearest)
        facts = {"status": "ok", "users": sides, "created": run.manifest.created, "search_recall": recall}
        return as_json(facts | {"write": self._write})

    async def metrics(self, request: Request) -> Response:
        """Counts and durations."""
        run = self._held.now()
        facts = {f"{side}_users": float(len(users)) for side, users in zip(SIDES, run.sides, strict=True)}
        return PlainTextResponse(self._measures.text(facts), media_type="text/plain; version=0.0.4")

    async def openapi(self, request: Request) -> Response:
        """The description of all of this."""
        return as_json(describe(str(request.base_url).rstrip("/")))

    async def reconcile(self, request: Request) -> Response:
        """The manifest, queries or data extension, as the parameters ask."""
        side, asked = _side(request), await _parameters(request)
        if "queries" in asked:
            queries = reconciling.parsed(asked["queries"], "queries")
            return await self._open(lambda: as_json(reconciling.reconcile(self._held.now(), side, queries)))
        if "extend" in asked:
            wanted = reconciling.parsed(asked["extend"], "extend")
            return await self._open(lambda: as_json(reconciling.extend(self._held.now(), side, wanted)))
        url = f"{str(request.base_url).rstrip('/')}{self._entry.place}/{SIDES[side]}"
        return await self._open(lambda: as_json(reconciling.manifest(self._held.now(), side, url)))

    async def suggest(self, request: Request) -> Response:
        """Entities, properties or types that begin with a prefix."""
        side, what, prefix = _side(request), request.path_params["what"], request.query_params.get("prefix", "")[:200]
        run = self._held.now()
        work: dict[str, Callable[[], dict[str, Any]]] = {
            "entity": lambda: reconciling.suggest_entities(run, side, prefix),
            "property": lambda: reconciling.suggest_properties(run, side, prefix),
            "type": lambda: reconciling.suggest_types(run, side),
        }
        if what not in work:
            raise HTTPException(404, f"there are suggestions of: {', '.join(work)}")
        return await self._open(lambda: as_json(work[what]()))

    async def properties(self, request: Request) -> Response:
        """What can be fetched of entities."""
        return await self._open(lambda: as_json(reconciling.propose_properties(self._held.now(), _side(request))))

    async def preview(self, request: Request) -> Response:
        """A user as a small page."""
        side, user = _side(request), request.query_params.get("id", "")
        return await self._open(lambda: HTMLResponse(reconciling.preview(self._held.now(), side, user)))

    async def _computed(self, work: Work) -> Response:
        return await to_thread.run_sync(work, limiter=self._one_at_a_time)

    async def _open(self, work: Work) -> Response:
        """An answer that pages of other sites may read: they know an address that holds the token's place."""
        found = await self._computed(work)
        found.headers["Access-Control-Allow-Origin"] = "*"
        return found


def make_app(service: Service, entry: Entry, measures: Measures) -> Starlette:
    """The service behind its guard."""
    routes = [
        Route("/v1/lookup", service.lookup, methods=["POST"]),
        Route("/v1/accounts", service.accounts, methods=["POST"]),
        Route("/v1/persons/{person:path}", service.person),
        Route("/v1/health", service.health),
        Route("/metrics", service.metrics),
        Route("/openapi.json", service.openapi),
        Route(f"{entry.place}/{{side}}", service.reconcile, methods=["GET", "POST"]),
        Route(f"{entry.place}/{{side}}/suggest/{{what}}", service.suggest),
        Route(f"{entry.place}/{{side}}/properties", service.properties),
        Route(f"{entry.place}/{{side}}/preview", service.preview),
    ]
    handlers: Any = dict.fromkeys(FAILURES, refuse)
    guard = Middleware(Guard, entry=entry, measures=measures)
    app = Starlette(routes=routes, middleware=[guard], exception_handlers=handlers)
    app.router.redirect_slashes = False
    return app


Endpoint = Callable[[Request], Awaitable[Response]]


def _side(request: Request) -> int:
    side = request.path_params["side"]
    if side not in SIDES:
        raise HTTPException(404, f"a run has two sides: {', '.join(SIDES)}")
    return SIDES.index(side)


async def _json_of(request: Request) -> object:
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise HTTPException(415, "the body is not application/json")
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise InputError("the body is not JSON in UTF-8") from None


async def _parameters(request: Request) -> dict[str, str]:
    """Parameters of the address, and of a form in the body."""
    asked = dict(request.query_params)
    if request.method == "POST" and (body := await request.body()):
        try:
            form = parse_qs(body.decode(), max_num_fields=20, errors="strict")
        except ValueError:
            raise InputError("the body is not a form in UTF-8") from None
        asked |= {name: texts[-1] for name, texts in form.items()}
    return asked
