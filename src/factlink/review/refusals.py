"""What a request that cannot be answered gets: a status, and a sentence that a person can act on."""

import sqlite3
from pathlib import Path

from polars.exceptions import PolarsError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from factlink.errors import BusyError, FactlinkError, RunError

FAILURES = (FactlinkError, HTTPException, ClientDisconnect, sqlite3.Error, PolarsError, OSError)
"""What can go wrong in answering a request through no fault of ours."""
WAIT = 5
"""Seconds after which a machine may try again."""

_IN_VAIN = {
    "/judge": "Your judgement was NOT kept.",
    "/bulk": "NO pair was judged.",
    "/undo": "Nothing was taken back.",
    "/reviewer": "The name was NOT changed.",
}
_SENTENCES = {
    "Not Found": "there is no such page; go back to the queue",
    "Method Not Allowed": "this address is not for requests of that kind; go back to the queue",
}


def status_of(error: Exception) -> int:
    """400 for a wrong request, 409 for a run that is not the one that was opened, 503 for what may work later."""
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, (BusyError, sqlite3.Error)):
        return 503
    return 409 if isinstance(error, (RunError, PolarsError, OSError)) else 400


def sentence_of(error: Exception, run: Path) -> str:
    """What was wrong and what to do."""
    if isinstance(error, HTTPException):
        return _SENTENCES.get(error.detail, error.detail)
    if isinstance(error, ClientDisconnect):
        return "the request ended before all of it had come"
    if isinstance(error, sqlite3.Error):
        return f"the judgements of {run} cannot be written or read now ({error}); try again"
    if isinstance(error, (PolarsError, OSError)):
        return f"run {run} cannot be read any more; stop the review with Ctrl+C, look at the folder and start it again"
    return str(error)


def in_vain(request: Request) -> str:
    """What a refused request has not done; nothing for one that only reads."""
    return "" if request.method in ("GET", "HEAD") else _IN_VAIN.get(request.scope["path"], "Nothing was kept.")
