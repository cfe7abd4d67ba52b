"""The run that answers: replaced by a newer one when that is loaded, so that no request waits for it."""

import threading
import weakref
from pathlib import Path

from factlink.errors import FactlinkError
from factlink.serve.warm.mapped import keep_in_use
from factlink.serve.warm.run import WarmRun, mark_of, mark_or_nothing, open_run
from factlink.storage.durable import PRIVATE_FOLDER


class Held:
    """One run folder; its present run, and whether a newer one is being loaded."""

    def __init__(self, path: Path, folder: Path, *, exact: bool = False) -> None:
        self.path, self._folder, self._exact = path, folder, exact
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        weakref.finalize(self, keep_in_use(folder).close)
        self.run = open_run(path, folder, exact=exact)
        self._loading = threading.Lock()
        self.failed = ""  # the mark of a newer run that could not be loaded
        self._forced = False

    def now(self) -> WarmRun:
        """The run to answer from; a change on disk is noticed here and loaded beside."""
        if self._is_changed() and self._loading.acquire(blocking=False):
            threading.Thread(target=self._load_and_release, daemon=True).start()
        return self.run

    def reload(self) -> None:
        """Loads the run that is there now, and waits for it."""
        with self._loading:
            self._load()

    def forget(self) -> None:
        """Has the run loaded again with the next request, whether it changed or not."""
        self.failed, self._forced = "", True

    def _is_changed(self) -> bool:
        try:
            mark = mark_of(self.path)
        except OSError:
            return False
        return self._forced or mark not in (self.run.mark, self.failed)

    def _load_and_release(self) -> None:
        try:
            self._load()
        finally:
            self._loading.release()

    def _load(self) -> None:
        try:
            mark = mark_of(self.path)
            if self._forced or mark != self.run.mark:
                self._forced = False
                self.run = open_run(self.path, self._folder, exact=self._exact)
            self.failed = ""
        except (FactlinkError, OSError):
            self.failed = mark_or_nothing(self.path)
