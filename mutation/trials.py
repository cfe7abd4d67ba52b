"""Tests of a mutant in a forked process: the libraries are loaded once, factlink anew for each.

Each mutant is made in a copy of the sources, so the checkout is never touched; compiled code that depends on the
changed module is thrown away there.
"""

import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from enum import StrEnum
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
DESELECT = "--deselect="
COMPILED = re.compile(r"^@numba\.njit.*\ndef (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Limit:
    """How long one test may take: seconds of computing, and seconds of the clock."""

    computing: float = 30.0
    clock: float = 300.0

    def at_least(self, slowest: "Limit") -> "Limit":
        """Raised to so many times of what the slowest test takes that only a test which hangs takes longer."""
        return Limit(max(self.computing, PATIENCE * slowest.computing), max(self.clock, PATIENCE * slowest.clock))


PATIENCE = 5.0
NO_LIMIT = Limit(0.0, float("inf"))


class Outcome(StrEnum):
    """What becomes of a mutant."""

    SURVIVES = "SURVIVES"
    SEEN = "seen"
    HANGS = "hangs"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run of tests ended."""

    passed: bool
    stopped: bool  # since a test took longer than the limit
    test: str  # the one that was run last, or the file that could not be read
    slowest: Limit  # what the slowest test took


def load_libraries() -> None:
    """Those that factlink uses and that are installed, in this process."""
    for name in LIBRARIES:
        try:
            import_module(name)
        except ImportError:
            print(f"{name} is not installed; trials go on without it")


class Watch:
    """A pytest plugin that ends tests which hang; notes the test that is being run, and what the slowest took."""

    def __init__(self, note: Path, limit: Limit) -> None:
        self.note, self.limit, self.slowest = note, limit, Limit(0.0, 0.0)
        self.since = Limit(time.process_time(), time.monotonic())

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins: one that computes for too long is ended with the whole process."""
        self.write(nodeid)
        signal.setitimer(signal.ITIMER_PROF, self.limit.computing)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """A test ended."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self.write(nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file has been read."""
        if report.failed:
            self.write(report.nodeid)

    def write(self, nodeid: str) -> None:
        """The note, anew."""
        now = Limit(time.process_time(), time.monotonic())
        took, self.since = Limit(now.computing - self.since.computing, now.clock - self.since.clock), now
        self.slowest = Limit(*map(max, zip(astuple(self.slowest), astuple(took), strict=True)))
        self.note.with_suffix(".new").write_text(json.dumps((nodeid, *astuple(self.slowest))), "utf-8")
        self.note.with_suffix(".new").replace(self.note)


class Trials:
    """The tests of one checkout, run on copies of its sources."""

    def __init__(self, root: Path, place: Path, limit: Limit | None = None) -> None:
        self.root, self.place, self.pristine = root, place, place / "pristine"
        self.limit = limit or Limit()
        self.sound: set[str] = set()  # tests that pass without a fault
        shutil.copytree(root / "src", self.pristine)

    def outcome(self, mutant: Mutant, tests: Sequence[str]) -> Outcome:
        """Whether a test sees the fault; they are run in their order.

        A test sees it if it fails twice with the fault and passes without. A mutant hangs if a test takes longer than
        the limit, and longer than several times what it takes without the fault, compiled anew as well: neither a
        busy machine nor compiling is taken for a hang.
        """
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            sources = changed_copy(self.pristine, Path(folder) / "src", mutant, self.root / "src" / "factlink")
            ended, passed = self._run(tests, sources, self.limit), []
            while not ended.passed:
                again = self._again(ended, mutant, sources)
                if not again.passed:
                    return Outcome.HANGS if again.stopped else Outcome.SEEN
                tests = tests[tests.index(file_of(ended.test)) :]
                passed.append(f"{DESELECT}{ended.test}")
                ended = self._run([*tests, *passed], sources, self.limit)
        return Outcome.SURVIVES

    def _again(self, ended: Ended, mutant: Mutant, sources: Path) -> Ended:
        """How the test that failed ends a second time, after it passed without the fault."""
        if ended.test not in self.sound and not self._run([ended.test], self.pristine, NO_LIMIT).passed:
            raise SystemExit(f"{ended.test} fails without any fault; mend it first")
        self.sound.add(ended.test)
        slowest = self._slowest(ended.test, mutant) if ended.stopped else Limit(0.0, 0.0)
        return self._run([ended.test], sources, self.limit.at_least(slowest))

    def _slowest(self, test: str, mutant: Mutant) -> Limit:
        """What a test takes without the fault, with as much to compile as with it."""
        with tempfile.TemporaryDirectory(dir=self.place) as folder:
            package = self.root / "src" / "factlink"
            sound = replace(mutant, code=(package / mutant.fault.module).read_text("utf-8"))
            copy = changed_copy(self.pristine, Path(folder) / "src", sound, package)
            return self._run([test], copy, NO_LIMIT).slowest

    def _run(self, tests: Sequence[str], sources: Path, limit: Limit) -> Ended:
        """How the tests end with these sources, each within the limit."""
        note = sources.parent / "note"
        note.write_text(json.dumps((tests[0], 0.0, 0.0)), "utf-8")
        sys.stdout.flush()
        child = os.fork()
        if not child:
            os._exit(run_tests(tests, sources, self.root, Watch(note, limit)))
        status = awaited(child, note, limit.clock)
        test, *slowest = json.loads(note.read_text("utf-8"))
        return Ended(status == 0, was_stopped(status), test, Limit(*slowest))


def awaited(child: int, note: Path, seconds: float) -> int:
    """The status that a process ends with; killed if the note stays the same for so many seconds."""
    ended = status = 0
    while not ended:
        ended, status = os.waitpid(child, os.WNOHANG)
        if not ended and time.time() - note.stat().st_mtime > seconds:
            os.killpg(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1]
        time.sleep(0.02)
    return status


def file_of(test: str) -> str:
    """The file of a test."""
    return test.partition("::")[0]


def was_stopped(status: int) -> bool:
    """Whether a process with this status was ended for taking too long."""
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGKILL)


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
        ended = pytest.main([*OPTIONS, *tests], [watch])
    except BaseException:
        return 1
    return 0 if ended == pytest.ExitCode.NO_TESTS_COLLECTED and tests[-1].startswith(DESELECT) else int(ended)


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
