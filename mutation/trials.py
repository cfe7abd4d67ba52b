"""Tests of a mutant in a forked process: the libraries are loaded once, factlink anew for each.

Each mutant is made in a copy of the sources, so the checkout is never touched; compiled code that depends on the
changed module is thrown away there.
"""

import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from mutants import Mutant

LIBRARIES = (
    *("numpy", "scipy.sparse", "scipy.optimize", "scipy.special", "scipy.sparse.csgraph", "polars", "numba", "PIL"),
    *("hypothesis", "sparse_dot_topn", "psutil", "safetensors.numpy", "typer", "rich.console", "anyascii"),
)
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
COMPILED = re.compile(r"^@numba\.njit.*\ndef (\w+)", re.MULTILINE)
CPU_SECONDS = 30.0  # of one test, after which it is stopped: it hangs
SECONDS = 3600.0  # of all tests of a mutant, after which they wait for something that will not come


def load_libraries() -> None:
    """Those that factlink uses and that are installed, in this process."""
    for name in LIBRARIES:
        try:
            import_module(name)
        except ImportError:
            print(f"{name} is not installed; trials go on without it")


class Watch:
    """A pytest plugin that ends tests which hang, and notes the test file that is being run, or failed to be read."""

    def __init__(self, note: Path, limit: float) -> None:
        self.note, self.limit = note, limit

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins: one that computes for too long is ended with the whole process."""
        self.note.write_text(nodeid.partition("::")[0], "utf-8")
        signal.setitimer(signal.ITIMER_PROF, self.limit)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file has been read."""
        if report.failed:
            self.note.write_text(report.nodeid.partition("::")[0], "utf-8")


class Trials:
    """The tests of one checkout, run on copies of its sources."""

    def __init__(self, root: Path, place: Path) -> None:
        self.root, self.place, self.pristine = root, place, place / "pristine"
        self.sound: set[str] = set()  # test files that pass without a fault
        shutil.copytree(root / "src", self.pristine)

    def survives(self, mutant: Mutant, tests: Sequence[str]) -> bool:
        """Whether all tests pass with the fault; they are run in their order, up to the first that fails.

        A file that fails for the first time is run without the fault, and then again: it has to pass without, and
        what seemed to hang may only have been compiling.
        """
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            sources = changed_copy(self.pristine, Path(folder) / "src", mutant, self.root / "src" / "factlink")
            note = Path(folder) / "note"
            if self._passes(tests, sources, note, CPU_SECONDS):
                return True
            failed = note.read_text("utf-8") if note.exists() else tests[0]
        if failed in self.sound:
            return False
        if not self._passes([failed], self.pristine, self.place / "note", limit=0):
            raise SystemExit(f"{failed} fails without any fault; mend it first")
        self.sound.add(failed)
        return self.survives(mutant, tests)

    def _passes(self, tests: Sequence[str], sources: Path, note: Path, limit: float) -> bool:
        """Whether the tests pass with these sources, each within the limit of computing; 0 is no limit."""
        sys.stdout.flush()
        child = os.fork()
        if not child:
            os._exit(run_tests(tests, sources, self.root, Watch(note, limit)))
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status == 0
            time.sleep(0.02)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return False


def run_tests(tests: Sequence[str], sources: Path, root: Path, watch: Watch) -> int:
    """pytest in this process, its output thrown away; processes that the tests start see the same sources."""
    os.setsid()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    os.environ["PYTHONPATH"] = str(sources)
    sys.path.insert(0, str(sources))
    os.chdir(root)
    try:
        return int(pytest.main([*OPTIONS, *tests], [watch]))
    except BaseException:
        return 1


def changed_copy(pristine: Path, sources: Path, mutant: Mutant, package: Path) -> Path:
    """The sources with one fault, without compiled code that it may be in: callees are compiled into their callers."""
    shutil.copytree(pristine, sources, copy_function=os.link)
    changed = sources / "factlink" / mutant.fault.module
    changed.unlink()
    changed.write_text(mutant.code, "utf-8")
    for file in {package / mutant.fault.module, *compiled_with(package, package / mutant.fault.module)}:
        for cached in (sources / "factlink" / file.relative_to(package).parent / "__pycache__").glob(f"{file.stem}.*"):
            cached.unlink()
    return sources


@cache
def compiled_with(package: Path, module: Path) -> frozenset[Path]:
    """The modules with compiled code that calls compiled code of this one, directly or through others."""
    names = COMPILED.findall(module.read_text("utf-8"))
    if not names:
        return frozenset()
    imports = re.compile(rf"import (.*|\([^)]*)\b({'|'.join(names)})\b")
    callers = [file for file in package.rglob("*.py") if imports.search(file.read_text("utf-8"))]
    return frozenset(callers).union(*(compiled_with(package, caller) for caller in callers))
