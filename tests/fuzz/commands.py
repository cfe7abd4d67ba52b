"""Target: argument lists of the command line, one argument on each line of the case.

Commands run inside this process, in a folder of tiny networks and a finished run. Arguments never name a place outside
of it. Exit code 0 comes with nothing on stderr, 2 with one sentence, or with the usage that click prints.
"""

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from factlink.cli.app import main

from .harness import Target, assert_one_sentence

LEFT = 'id,name,bio\n1,Ann Lee,likes tea\n2,Bob Ray,"cake, chess"\n3,Cid Fox,plays\n'
RIGHT = "id,name,bio\na,ann lee,tea lover\nb,bob ray,cake\nc,Zoe,none\n"
SEEDS = (
    "link left right -o new --linker name --precision 0.9 --seed 1 --kind bio=text --drop-dangling --json",
    "link left right -o new --linker name --known truth.csv --no-one-to-one --memory 8GB --half --reuse run",
    "link left right -o run --overwrite --linker name --set similarity=jaro",
    "plan left right --kind bio=text --json",
    "evaluate run truth.csv --json",
    "hide left right truth.csv -o hidden --share 0.5 --seed 3 --json",
    "explain run 1 a --json",
    "explain run 2",
    "add run left --side right --drop-dangling --json",
    "judgements run --export out.csv --verdict non-match --json",
    "relink run -o again --overwrite --json",
    "trace run 1 2 -o path.svg --top 3",
    "bench experiment.toml -o results --data left --quick --json",
    "report run -o r.html --json",
    *(
        f"link left right -o new --linker name {more}"
        for more in (
            *(
                "--precision nan",
                "--precision -inf",
                "--precision 1e400",
                "--precision ",
                "--seed -1",
                "--seed " + "9" * 30,
            ),
            *("--kind x=y=z", "--kind =", "--kind bio=", "--set =x", "--set x=y", "--set similarity=", "--set x"),
            *("--memory nan", "--memory -5GB", "--memory 0", "--memory " + "9" * 400, "--reuse left", "--known left"),
        )
    ),
    *("hide left right truth.csv -o hidden --share nan", "hide left right truth.csv -o hidden --share -2"),
    *(
        "trace run 1 -o path.svg --top -1",
        "plan left left",
        "plan left run",
        "explain run  ",
        "explain left 1",
        "add run run",
    ),
    *("link left right -o left --linker name", "link left right -o truth.csv --linker name --overwrite"),
    *("report run -o left", "judgements run --export left", "evaluate run run", "evaluate truth.csv truth.csv"),
    *(
        "link left right -o  --linker name",
        "relink run -o run",
        "relink left -o x",
        "bench left -o x",
        "bench truth.csv",
    ),
    "--version",
    "link --help",
)
SHUNNED = ("demo", "review", "cluster", "/", "..", "~", "lr", "fe", "factoid", "--figures")
"""Words of cases that are left out: they serve, train for long, need a cluster or leave the folder."""


def command_target() -> Target:
    """Argument lists, run where the process stands: use inside `tiny_world`."""
    return Target("command line", [seed.replace(" ", "\n").encode() for seed in SEEDS], _run)


@contextmanager
def tiny_world(place: Path) -> Iterator[None]:
    """Inside, the process stands in a folder with two networks, their truth and a run of them."""
    before = Path.cwd()
    whole = place / "whole"
    for name, users, links in (("left", LEFT, "1,2\n2,3\n"), ("right", RIGHT, "a,b\n")):
        (whole / name).mkdir(parents=True)
        (whole / name / "users.csv").write_text(users)
        (whole / name / "links.csv").write_text("source,target\n" + links)
    (whole / "truth.csv").write_text("left,right\n1,a\n2,b\n3,\n")
    (whole / "experiment.toml").write_text('[data]\nleft = "left"\n')
    os.chdir(whole)
    try:
        assert _called(["link", "left", "right", "-o", "run", "--linker", "name", "--known", "truth.csv"])[0] == 2
        assert _called(["link", "left", "right", "-o", "run", "--linker", "name"])[0] == 0
        yield
    finally:
        os.chdir(before)


def _run(data: bytes) -> None:
    arguments = [os.fsdecode(line) for line in data.split(b"\n")]
    if any(word in argument for argument in arguments for word in SHUNNED) or _trains(arguments):
        return
    whole = Path.cwd()
    used = whole.with_name("used")
    shutil.copytree(whole, used)
    os.chdir(used)
    try:
        check_outcome(*_called(arguments))
    finally:
        os.chdir(whole)
        shutil.rmtree(used)


def _trains(arguments: list[str]) -> bool:
    """Whether a linker other than by names would be fitted, which takes seconds."""
    return "link" in arguments and "name" not in arguments


def check_outcome(code: object, printed: str, complaint: str) -> None:
    """Done and silent on stderr, or a user's mistake in one sentence."""
    assert code in (0, 2), f"exit code {code}: {complaint}"
    assert "Traceback" not in printed + complaint, complaint
    if code == 2:
        lines = complaint.splitlines()
        assert lines, "nothing on stderr"
        if not lines[0].startswith(("Usage:", "Error: ")):
            assert complaint.startswith("factlink: "), complaint
            assert_one_sentence(complaint.removesuffix("\n"))


def _called(arguments: list[str]) -> tuple[object, str, str]:
    """Exit code, stdout and stderr of the command."""
    printed, complaint = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), redirect_stderr(complaint):
        patch.setattr(sys, "argv", ["factlink", *arguments])
        try:
            main()
            code: object = 0
        except SystemExit as stop:
            code = stop.code or 0
    return code, printed.getvalue(), complaint.getvalue()
