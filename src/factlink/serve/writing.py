"""Accounts that are added to the run for good: on the disk before they are acknowledged."""

import tempfile
import time
from pathlib import Path
from typing import Any

from factlink.errors import BusyError
from factlink.linkers.factoid.state.stored import SIDES
from factlink.runs.adding import AddRequest, add_users
from factlink.serve.accounts import Question, tables_of
from factlink.serve.warm.holding import Held
from factlink.serve.warm.mapped import ACCOUNTS
from factlink.serve.warm.threads import one_thread

PATIENCE = 30.0
"""Seconds to wait while another process writes the run."""


def add_accounts(held: Held, question: Question, folder: Path) -> dict[str, Any]:
    """Adds the accounts as `factlink add` does; when this returns they are in the run on the disk."""
    with tempfile.TemporaryDirectory(prefix=ACCOUNTS, dir=folder) as place:
        source = Path(place) / "accounts"
        source.mkdir()
        tables = tables_of(question.accounts)
        tables.users.write_parquet(source / "users.parquet")
        if tables.links is not None:
            tables.links.write_parquet(source / "links.parquet")
        with one_thread():
            added = _patiently(AddRequest(held.path, source, SIDES[question.side]))
    held.reload()
    return {
        "added": [
            {"id": user, "partner": partner, "probability": probability, "decision": decision}
            for user, partner, probability, decision in added.outcomes.rows()
        ],
        "doubts": added.doubts.to_dicts(),
    }


def _patiently(request: AddRequest) -> Any:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            return add_users(request, lambda stage: None)
        except BusyError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
