"""Whether a run is still the one that was read."""

from pathlib import Path

from factlink.errors import RunError
from factlink.runs.folder.manifest import MANIFEST


class Identity:
    """A finished run, to know it by."""

    def __init__(self, run: Path) -> None:
        self._run, self._found = run, _found(run)

    def check(self) -> None:
        """Raises an error if the run is another now."""
        found = _found(self._run)
        if found != self._found:
            what = "is gone" if found is None else "was changed or replaced"
            again = "stop the review with Ctrl+C and start it again"
            raise RunError(f"run {self._run} {what} since this review began; {again}")


def _found(run: Path) -> tuple[int, ...] | None:
    """None if there is no run."""
    try:
        found = (run / MANIFEST).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size
