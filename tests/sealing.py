"""Runs whose files a test has changed: the manifest vouches for them again."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from factlink.runs.folder.manifest import CHECKSUM, MANIFEST, checksum_of, file_checksums
from factlink.runs.folder.store import WITHOUT_CHECKSUM


def reseal(run: Path, changes: Mapping[str, Any] | None = None) -> None:
    """Writes the manifest anew, with the checksums of what is there now, and with other fields if asked."""
    fields = json.loads((run / MANIFEST).read_text("utf-8")) | dict(changes or {})
    fields.pop(CHECKSUM, None)
    fields["files"] = file_checksums(run, WITHOUT_CHECKSUM)
    text = json.dumps(fields | {CHECKSUM: checksum_of(fields)})
    if text != (run / MANIFEST).read_text("utf-8"):  # a review notices that it is written
        (run / MANIFEST).write_text(text, "utf-8")
