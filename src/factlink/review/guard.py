"""Guards the pages: unauthorised requests are refused, and every failure is answered with a sentence."""

import sys

from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from factlink.review.security import Door, refusal
from factlink.web.bodies import limited

LARGEST_BODY = 262_144
"""Bytes; the longest note there may be, each of its characters percent-encoded twice, fits in."""
_TOO_LONG = f"a judgement holds at most {LARGEST_BODY:,} bytes; shorten the note"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Lets in requests with the token, from our own page; adds the headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        guarded = _Sending(send)
        try:
            answer = refusal(Request(scope), self._door) or self._app
            await answer(self._inside(scope), limited(receive, LARGEST_BODY, _TOO_LONG), guarded)
        except ClientDisconnect:
            return
        except Exception as error:  # whatever it is, one sentence for the page and one for the terminal
            sys.stderr.write(f"factlink review: {type(error).__name__} in {scope['method']} {scope['path']!r:.200}\n")
            if not guarded.began:
                failed = PlainTextResponse("factlink review failed at this; the fault is its own.\n", 500)
                await failed(scope, receive, guarded)

    def _inside(self, scope: Scope) -> Scope:
        """The request as the pages know it: their paths begin below the door's."""
        place, path = self._door.place, scope["path"]
        inside = path.removeprefix(place) if path.startswith(f"{place}/") else path
        return {**scope, "path": inside, "root_path": ""}


class _Sending:
    """Sends an answer with the headers of every answer, and knows whether it has begun."""

    def __init__(self, send: Send) -> None:
        self._send, self.began = send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.began = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)
