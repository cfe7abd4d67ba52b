"""Runs a command again and again, killed before each of its file operations in turn; says what it found as JSON.

    LD_PRELOAD=kill_at.so python -m tests.crash.killer SCENARIO FOLDER STRIDE
    LD_PRELOAD=kill_at.so python -m tests.crash.killer random FOLDER KILLS

The second form kills all commands in turn at random moments instead.
Every command runs in a fork of a process that has only imported factlink, so that a kill costs a command's own time and
no start-up. The forking process itself computes nothing: threads would not survive the fork.
"""

import ctypes
import functools
import hashlib
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import factlink.cli.app
import factlink.cli.render.adding
import factlink.cli.render.persons
import factlink.cli.render.results
import factlink.experiments.benchmark
import factlink.report.page
import factlink.runs.adding
import factlink.runs.demo
import factlink.runs.duplicates
import factlink.runs.forgetting.forget
import factlink.runs.planning
import factlink.runs.relinking
import factlink.runs.reviewing
import factlink.runs.several.again
from factlink.embedding.training.checkpoints import Checkpoints
from factlink.linkers.fe import linker as fe
from factlink.runs.folder.judgements import Judgements
from factlink.types import Verdict
from tests.crash.posting import ACKNOWLEDGED, post, users_of
from tests.crash.scenarios import SCENARIOS, Scenario
from tests.crash.world import make_world

VOLATILE = {"seconds", "peak_memory_bytes", "created", "encoded", "checksum", "memory_gb", "machine", "path"}
LAST = 16
"""Operations before the end that are never passed over: the run takes its place there."""


def forked(work: Callable[[], int], seconds: float = 0) -> int:
    """The exit code of work done in a fork; −9 if it was killed, be it after so many seconds."""
    pid = os.fork()
    if not pid:
        try:
            with open(os.devnull, "w") as nothing:
                os.dup2(nothing.fileno(), 1)
            os._exit(work())
        except BaseException:
            traceback.print_exc()
            os._exit(70)
    if seconds:
        time.sleep(seconds)
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def command(words: list[str], folder: Path, at: int = 0, tally: Path | None = None, seconds: float = 0) -> int:
    """The exit code of a factlink command that dies before its file operation `at` or after some seconds, if at all."""

    def work() -> int:
        os.chdir(folder)
        sys.argv = ["factlink", *words]
        fe.Checkpoints = functools.partial(Checkpoints, seconds=0)  # type: ignore[assignment,misc]
        shim = ctypes.CDLL(None)
        shim.kill_at(os.fsencode(folder), ctypes.c_long(at))
        try:
            if words[0] == "post":
                code: Any = post(folder / words[1], folder / words[2], folder.parent)
            else:
                factlink.cli.app.main()
                code = 0
        except SystemExit as end:
            code = end.code or 0
        shim.operations.restype = ctypes.c_long
        count = shim.operations()
        shim.kill_at(b"", ctypes.c_long(0))
        if tally:
            tally.write_text(str(count))
        return int(code)

    return forked(work, seconds)


def visible(folder: Path) -> dict[str, str]:
    """What a person finds in a folder: every file by a checksum of what it says, without timings."""
    files = {file.relative_to(folder): file for file in sorted(folder.rglob("*")) if file.is_file()}
    shown = {path: file for path, file in files.items() if not (is_leftover(path) or is_work(path) or is_journal(path))}
    return {path.as_posix(): meaning(file) for path, file in shown.items()}


def leftovers(folder: Path) -> list[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*"))
    return [str(path) for path in found if (is_leftover(path) and not is_work(path)) or holds_accounts(path)]


def is_work(path: Path) -> bool:
    """Whether a service made it of the run, for itself."""
    return path.parts[0].endswith(".serve")


def holds_accounts(path: Path) -> bool:
    """Whether it is what a service was asked to add."""
    return is_work(path) and any(part.startswith("accounts-") for part in path.parts)


def is_leftover(path: Path) -> bool:
    return any(part.endswith(".part") or part.startswith(".") or part == "lock" for part in path.parts)


def is_journal(path: Path) -> bool:
    """Whether it belongs to a database whose writer was killed; whoever opens that next removes it."""
    return path.name.endswith("-journal")


def meaning(file: Path) -> str:
    if file.suffix == ".sqlite":
        return json.dumps(judged(file))
    if file.suffix == ".json":
        return json.dumps(without_volatile(json.loads(file.read_text("utf-8"))))
    if file.stem == "table":  # of a benchmark, with its seconds
        return re.sub(r"\d+", "", file.read_text("utf-8"))
    return hashlib.sha256(file.read_bytes()).hexdigest()


def judged(file: Path) -> list[list[str]]:
    with closing(sqlite3.connect(file)) as db:
        rows = db.execute("SELECT left, right, verdict, reviewer, note FROM judgement ORDER BY id").fetchall()
    return [list(row) for row in rows]


def is_volatile(key: str) -> bool:
    """Timings, and checksums of files that hold timings."""
    return key in VOLATILE or key.endswith("manifest.json")


def without_volatile(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_volatile(each) for key, each in value.items() if not is_volatile(key)}
    return [without_volatile(each) for each in value] if isinstance(value, list) else value


def prepare(scenario: Scenario, folder: Path) -> None:
    """The world as it is before the command, made by commands that live."""

    def world() -> int:
        make_world(folder)
        return 0

    if forked(world):
        raise RuntimeError("the world could not be made")
    for words in scenario.before:
        if words[0] == "judge":
            code = forked(lambda words=words: judge(folder / words[1], words[2]))  # type: ignore[misc]
        else:
            code = command(words, folder)
        if code:
            raise RuntimeError(f"factlink {' '.join(words)} ended with {code}")


def judge(run: Path, reviewer: str) -> int:
    import polars as pl

    links = pl.read_parquet(run / "links.parquet").drop_nulls("right").head(4)
    for place, (left, right) in enumerate(links.select("left", "right").rows()):
        Judgements(run).add(left, right, Verdict.MATCH if place % 2 else Verdict.NON_MATCH, reviewer)
    return 0


class Killer:
    """One scenario: the folder before, the folder after, and what kills in between led to."""

    def __init__(self, scenario: Scenario, home: Path) -> None:
        self.scenario, self.home = scenario, home
        self.before, self.place = home / "before", home / "world"
        prepare(scenario, self.before)
        self.old = visible(self.before)
        self.count = self.live()
        self.new = visible(self.place)
        self.faults: list[str] = []

    def live(self) -> int:
        """The number of file operations of a command that lives."""
        self.reset()
        start = time.monotonic()
        code = command(self.scenario.words, self.place, 0, self.home / "count")
        self.seconds = time.monotonic() - start
        if code or leftovers(self.place):
            raise RuntimeError(f"the command ended with {code} and left {leftovers(self.place)}")
        return int((self.home / "count").read_text())

    def reset(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.before, self.place, symlinks=True)

    def kill(self, at: int = 0, seconds: float = 0) -> None:
        """One kill, and the same command given again."""
        self.reset()
        posted = self.home / ACKNOWLEDGED
        posted.unlink(missing_ok=True)
        said = self.acknowledged() if self.scenario.judging else None
        code = command(self.scenario.words, self.place, at, seconds=seconds)
        acknowledged = said() if said else []
        where = f"killed before operation {at} of {self.count}" if at else f"killed after {seconds:.3f} s"
        if code != -signal.SIGKILL:
            return  # it was done before
        promised = set(posted.read_text().split()) if posted.exists() else set()
        if self.scenario.posting:
            there = forked(lambda: int(not promised <= users_of(self.place / "run"))) == 0
            self.check(where, there, f"not all that were acknowledged are there: {sorted(promised)}")
        else:
            self.check(where, self.is_old_or_new(visible(self.place)), "neither the old state nor the new one")
        finished = self.same(visible(self.place), self.new)
        code = command(self.scenario.words, self.place)
        self.check(where, code == 0 or (finished and code == 2), f"given again it ended with {code}")
        self.check(where, self.same(visible(self.place), self.new), "given again it ended in another state")
        self.check(where, not leftovers(self.place), f"left over: {leftovers(self.place)}")
        kept = judged(self.place / "run" / "judgements.sqlite") if said else []
        lost = [number for number in acknowledged if [number, "x", "match", "ann", ""] not in kept]
        self.check(where, not lost, f"lost judgements: {lost}")

    def acknowledged(self) -> Callable[[], list[str]]:
        """Starts somebody who judges without end; the call stops them and says what was acknowledged."""
        reading, writing = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(reading)
            for number in range(10**6):
                Judgements(self.place / "run").add(str(number), "x", Verdict.MATCH, "ann")
                os.write(writing, f"{number}\n".encode())
        os.close(writing)

        def stop() -> list[str]:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            with os.fdopen(reading) as pipe:
                return pipe.read().split("\n")[:-1]

        return stop

    def is_old_or_new(self, found: dict[str, str]) -> bool:
        if self.scenario.grows:
            return all(self.new.get(name) == value or self.old.get(name) == value for name, value in found.items())
        return self.same(found, self.old) or self.same(found, self.new)

    def same(self, first: dict[str, str], second: dict[str, str]) -> bool:
        if self.scenario.judging:
            first, second = ({k: v for k, v in each.items() if "judgements" not in k} for each in (first, second))
        return first == second

    def check(self, where: str, holds: bool, fault: str) -> None:
        if not holds:
            self.faults.append(f"{where}: {fault}")


def kill_everywhere(scenario: Scenario, home: Path, stride: int) -> dict[str, Any]:
    """Kills before every so manieth operation, and before each of the last."""
    killer = Killer(scenario, home)
    places = {*range(1, killer.count + 1, stride), *range(max(1, killer.count - LAST), killer.count + 1)}
    for at in sorted(places):
        killer.kill(at)
    return {"operations": killer.count, "kills": len(places), "faults": killer.faults}


def kill_at_random(home: Path, kills: int) -> dict[str, Any]:
    """Kills every command equally often, at moments drawn evenly from the time it takes."""
    rng, faults = random.Random(0), []
    for name, scenario in SCENARIOS.items():
        killer = Killer(scenario, home / name)
        for _ in range(-(-kills // len(SCENARIOS))):
            killer.kill(seconds=rng.uniform(0.001, killer.seconds))
        faults += [f"{name}: {fault}" for fault in killer.faults]
        sys.stderr.write(f"{name}: {killer.seconds:.1f} s when it lives, {len(faults)} faults so far\n")
    return {"kills": kills, "faults": faults}


def main() -> None:
    name, home, number = sys.argv[1], Path(sys.argv[2]).resolve(), int(sys.argv[3])
    found = kill_at_random(home, number) if name == "random" else kill_everywhere(SCENARIOS[name], home, number)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
