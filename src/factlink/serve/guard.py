"""Guards the service: who may ask, how much and how often; answers are measured and logged without personal data."""

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from factlink.serve.measures import ROUTES, Measures
from factlink.serve.problems import problem
from factlink.web.bodies import limited
from factlink.web.tokens import bearer_of, place_of, same_token

LARGEST_BODY = 1_048_576
"""Bytes."""
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}

_TOO_LONG = f"a request holds at most {LARGEST_BODY:,} bytes; send fewer accounts at a time"
_PREVIEW = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class Entry:
    """Who may ask: the token, the names by which the service is called, and how many requests a second it takes."""

    token: str
    hosts: tuple[str, ...] = ()  # empty: any
    rate: float = 1_000.0

    @property
    def place(self) -> str:
        """The path of the reconciliation service, whose clients can send an address alone."""
        return f"/reconcile{place_of(self.token)}"


class Rate:
    """As many requests a second as allowed, and twice as many at once."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._clock, self._left, self._at = rate, clock, 2 * rate, clock()

    def take(self) -> bool:
        """Whether one more may pass."""
        now = self._clock()
        self._left = min(2 * self._rate, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Lets in requests with the token."""

    def __init__(self, app: ASGIApp, entry: Entry, measures: Measures) -> None:
        self._app, self._entry, self._measures, self._rate = app, entry, measures, Rate(entry.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, guarded = time.perf_counter(), _Sending(send)
        try:
            answer = self._refusal(scope) or self._app
            await answer(scope, limited(receive, LARGEST_BODY, _TOO_LONG), guarded)
        except ClientDisconnect:
            return
        except Exception as error:  # whatever it is, one sentence for the client and one for the log
            _log({"error": type(error).__name__, "route": route_of(scope["path"])})
            if not guarded.status:
                await problem(500, "factlink serve failed at this; the fault is its own")(scope, receive, guarded)
        finally:
            seconds, route = time.perf_counter() - start, route_of(scope["path"])
            self._measures.add(route, guarded.status or 400, seconds)
            figures = {"status": guarded.status, "ms": round(seconds * 1000, 1), "bytes": guarded.sent}
            _log({"method": scope["method"][:10], "route": route, **figures})

    def _refusal(self, scope: Scope) -> Response | None:
        headers, path = Headers(scope=scope), scope["path"]
        if self._entry.hosts and headers.getlist("host") not in [[host] for host in self._entry.hosts]:
            return problem(421, "factlink serve answers under its own address only; use the printed one")
        if path == "/v1/health" and scope["method"] in ("GET", "HEAD"):
            return None
        if not (path == self._entry.place or path.startswith(f"{self._entry.place}/")):
            given = bearer_of(headers.get("authorization", ""))
            if given is None or not same_token(given, self._entry.token):
                why = "send the token of factlink serve: Authorization: Bearer TOKEN"
                return problem(401, why, {"WWW-Authenticate": "Bearer"})
        return None if self._rate.take() else problem(429, "too many requests; wait and try again")


class _Sending:
    """Sends an answer with the headers of every answer, and knows what was sent."""

    def __init__(self, send: Send) -> None:
        self._send, self.status, self.sent = send, 0, 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if headers.get("content-type", "").startswith("text/html"):
                headers.setdefault("Content-Security-Policy", _PREVIEW)
        self.sent += len(message.get("body", b""))
        await self._send(message)


def route_of(path: str) -> str:
    """Which kind of address a path is, without what it says."""
    first = path.removeprefix("/v1").strip("/").partition("/")[0]
    return "openapi" if first == "openapi.json" else first if first in ROUTES else "other"


def _log(facts: dict[str, object]) -> None:
    sys.stderr.write(json.dumps({"at": round(time.time(), 3), **facts}) + "\n")
