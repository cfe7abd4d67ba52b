"""Access control: only this machine, with the printed address, from the page itself."""

from dataclasses import dataclass
from html import escape
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from factlink.web.tokens import bearer_of, new_token, place_of, same_token

_ONWARD = """<!doctype html><title>factlink review</title><link rel="icon" href="{home}/static/icon.svg">
<meta http-equiv="refresh" content="0;url={place}"><a href="{place}">Go on</a>"""
_READING = ("GET", "HEAD")


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
    def place(self) -> str:
        """The path of the pages; nobody without the token can guess it.

        Browsers send a cookie to every port of a host, but only below the cookie's path: no other server on this
        machine is ever asked for this path, and so none gets to see the cookie.
        """
        return place_of(self.token)

    @property
    def cookie(self) -> str:
        """A name for each port, so that two reviews do not overwrite each other's."""
        return f"factlink-{self.port}"

    @property
    def home(self) -> str:
        """The address of the pages."""
        return f"http://127.0.0.1:{self.port}{self.place}"

    @property
    def url(self) -> str:
        """What to open."""
        return f"http://127.0.0.1:{self.port}/queue?token={self.token}"

    def opens(self, token: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return same_token(token, self.token)


def new_door(port: int) -> Door:
    """A door with a token that cannot be guessed."""
    return Door(port, new_token())


def refusal(request: Request, door: Door) -> Response | None:
    """The answer to an unauthorised request, or to one with the token; None if the request may pass."""
    if not request.scope["path"].startswith("/"):
        return _refused(request, 400, "The address of a page begins with a slash.")
    if request.headers.getlist("host") not in [[host] for host in door.hosts]:
        return _refused(request, 421, "factlink review answers only on 127.0.0.1; open the printed address.")
    given = request.query_params.get("token")
    if given is not None and request.method == "GET" and door.opens(given):
        return _enter(request, door)
    if not _is_let_in(request, door):
        return _refused(request, 403, "Open the whole address that factlink review printed: it holds the token.")
    if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return _refused(request, 403, "Only the review's own pages may ask for others; open the printed address.")
    return None if request.method in _READING else _refused_writing(request)


def _is_let_in(request: Request, door: Door) -> bool:
    """Whether a browser sends the cookie, or a machine the token itself.

    Another server on this machine can add a cookie of the same name, so one that fits among several is enough.
    """
    bearer = bearer_of(request.headers.get("authorization", ""))
    if bearer is not None and door.opens(bearer):
        return True
    pairs = [part.partition("=") for line in request.headers.getlist("cookie") for part in line.split(";")]
    return any(door.opens(value.strip()) for name, _, value in pairs if name.strip() == door.cookie)


def _refused_writing(request: Request) -> Response | None:
    if request.headers.getlist("origin") != [f"http://{request.headers['host']}"]:
        return _refused(request, 403, "Only the review's own page may write (Origin does not fit).")
    return None


def _refused(request: Request, status: int, sentence: str) -> Response:
    kept = "" if request.method in _READING else " Nothing was kept."
    return PlainTextResponse(f"{sentence}{kept}\n", status)


def _enter(request: Request, door: Door) -> Response:
    """Trades the token in the address, which people copy, for a cookie, which they do not.

    A page that moves on by itself rather than a redirect: a strict cookie is not sent along a redirect that began
    with a click in another site, such as a terminal in a browser.
    """
    path = request.scope["path"].removeprefix(door.place).lstrip("/")
    rest = urlencode([(key, value) for key, value in request.query_params.multi_items() if key != "token"])
    place = escape(f"{door.place}/{quote(path)}?{rest}".rstrip("?"))
    answer = HTMLResponse(_ONWARD.format(home=door.place, place=place))
    answer.set_cookie(door.cookie, door.token, httponly=True, samesite="strict", path=door.place)
    return answer
