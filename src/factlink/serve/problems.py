"""What a request that cannot be answered gets: problem+json with a sentence that a person can act on (RFC 9457)."""

import json
import sqlite3
from http import HTTPStatus

from polars.exceptions import PolarsError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from factlink.errors import BusyError, FactlinkError, RunError

FAILURES = (FactlinkError, HTTPException, ClientDisconnect, sqlite3.Error, PolarsError, OSError)
"""What can go wrong in answering a request through no fault of ours."""
WAIT = 5
"""Seconds after which a machine may try again."""


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """An answer that says what was wrong."""
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    again = {"Retry-After": str(WAIT)} if status in (429, 503) else {}
    return Response(
        json.dumps(body), status, media_type="application/problem+json", headers={**again, **(headers or {})}
    )


async def refuse(request: Request, error: Exception) -> Response:
    """The problem that an error is."""
    if isinstance(error, HTTPException):
        return problem(error.status_code, str(error.detail), dict(error.headers or {}))
    if isinstance(error, (BusyError, sqlite3.Error)):
        return problem(503, "the run is being written; try again")
    if isinstance(error, RunError):
        return problem(409, str(error))
    if isinstance(error, (PolarsError, OSError)):
        return problem(503, "the run cannot be read now; try again, or look at its folder")
    if isinstance(error, ClientDisconnect):
        return problem(400, "the request ended before all of it had come")
    return problem(400, str(error))


def as_json(values: object, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(json.dumps(values, allow_nan=False), status, media_type="application/json")
