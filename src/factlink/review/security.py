"""Who may ask: only this machine, by the printed address, from the page itself."""

import secrets
from dataclasses import dataclass
from html import escape
from urllib.parse import urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 65_536
_ONWARD = """<!doctype html><title>factlink review</title><link rel="icon" href="/static/icon.svg">
<meta http-equiv="refresh" content="0;url={place}"><a href="{place}">Go on</a>"""
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


@dataclass(frozen=True, slots=True)
class Door:
    """The address of a review and the token that opens it."""

    port: int
    token: str

    @property
    def hosts(self) -> tuple[str, str]:
        """The names by which a browser may call this server; any other is another site pointed at it."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    @property
    def cookie(self) -> str:
        """Cookies are shared by all ports, so each review has a name of its own."""
        return f"factlink-{self.port}"

    @property
    def url(self) -> str:
        """What to open."""
        return f"http://127.0.0.1:{self.port}/queue?token={self.token}"


def new_door(port: int) -> Door:
    """A door with a token that cannot be guessed."""
    return Door(port, secrets.token_urlsafe(24))


class Guard:
    """Lets in requests with the token, from our own page; adds the headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._refusal(Request(scope)) or self._app
        await answer(scope, receive, send_with_headers)

    def _refusal(self, request: Request) -> Response | None:
        if request.headers.get("host", "") not in self._door.hosts:
            return PlainTextResponse("factlink review answers only on 127.0.0.1; open the printed address.", 421)
        given = request.query_params.get("token")
        if given is not None and request.method == "GET" and self._opens(given):
            return self._enter(request)
        if not self._opens(request.cookies.get(self._door.cookie, "")):
            return PlainTextResponse("Open the whole address that factlink review printed: it holds the token.", 403)
        if request.method not in ("GET", "HEAD"):
            return self._refused_writing(request)
        return None

    def _refused_writing(self, request: Request) -> Response | None:
        if request.headers.get("origin", "") not in {f"http://{host}" for host in self._door.hosts}:
            return PlainTextResponse("Only the review's own page may write (Origin does not fit).", 403)
        length = request.headers.get("content-length", "")
        if not length.isdigit() or int(length) > LARGEST_BODY:
            return PlainTextResponse(f"A judgement holds at most {LARGEST_BODY:,} bytes; shorten the note.", 413)
        return None

    def _opens(self, token: str) -> bool:
        return secrets.compare_digest(token.encode(), self._door.token.encode())

    def _enter(self, request: Request) -> Response:
        """Trades the token in the address, which people copy, for a cookie, which they do not.

        A page that moves on by itself rather than a redirect: a strict cookie is not sent along a redirect that began
        with a click in another site, such as a terminal in a browser.
        """
        rest = urlencode([(key, value) for key, value in request.query_params.multi_items() if key != "token"])
        place = escape(f"/{request.url.path.lstrip('/')}?{rest}".rstrip("?"))
        page = _ONWARD.format(place=place)
        answer = HTMLResponse(page)
        answer.set_cookie(self._door.cookie, self._door.token, httponly=True, samesite="strict", path="/")
        return answer
