import subprocess
from pathlib import Path

import pytest

from factlink.errors import InputError
from factlink.experiments.provenance import checkout_state, checksum, command_line, provenance, share


def git(folder: Path, *words: str) -> str:
    settings = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src" / "toy").mkdir(parents=True)
    (tmp_path / "src" / "toy" / "__init__.py").write_text("")
    (tmp_path / "README.md").write_text("toy")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "Start")
    return tmp_path


def test_a_checkout_has_a_commit_and_is_dirty_by_its_code_alone(checkout: Path) -> None:
    package = checkout / "src" / "toy"
    assert checkout_state.__wrapped__(package) == (git(checkout, "rev-parse", "HEAD"), False)
    (checkout / "README.md").write_text("a table was made anew")
    assert checkout_state.__wrapped__(package)[1] is False
    (package / "more.py").write_text("MORE = 1\n")
    assert checkout_state.__wrapped__(package)[1] is True


def test_a_package_that_no_checkout_tracks_has_no_commit(
    checkout: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    installed = checkout / "venv" / "toy"
    installed.mkdir(parents=True)
    (installed / "__init__.py").write_text("")
    assert checkout_state.__wrapped__(installed) == (None, False)
    assert checkout_state.__wrapped__(tmp_path_factory.mktemp("elsewhere")) == (None, False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["/a/benchmarks/quality.py", "name"], "python benchmarks/quality.py name"),
        (["/a/benchmarks/ablation.py"], "python benchmarks/ablation.py"),
        (["/a/benchmarks/peers.py", "a set"], "python benchmarks/peers.py 'a set'"),
        (["/a/benchmarks/growth.py", "10", "--worlds=/tmp/w"], "python benchmarks/growth.py 10 --worlds=FOLDER"),
        (["/a/bin/factlink", "bench", "e.toml", "-o", "/tmp/out"], "factlink bench e.toml -o FOLDER"),
    ],
)
def test_a_command_is_said_without_places_of_this_machine(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", words)
    assert command_line() == said


def test_a_checksum_goes_by_names_and_contents(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / "users.csv").write_text("id\na\n")
    first = checksum([one, two])
    assert len(first) == 64
    assert checksum([two, one]) == first
    assert checksum([one / "users.csv", two]) == first
    assert checksum([one]) != first
    (two / "users.csv").write_text("id\nb\n")
    assert checksum([one, two]) != first
    with pytest.raises(InputError, match="there is no file to take a checksum of"):
        checksum([tmp_path / "three"])


def test_rows_share_what_made_them() -> None:
    made, other = {"commit": "abc"}, {"commit": "def"}
    rows, shared = share([{"n": 1, "made": made}, {"n": 2}, {"n": 3, "made": dict(made)}, {"n": 4, "made": other}])
    assert [row["n"] for row in rows] == [1, 2, 3, 4]
    assert rows[0]["made"] == rows[2]["made"]
    assert "made" not in rows[1]
    assert [shared[rows[place]["made"]] for place in (0, 3)] == [made, other]


def test_provenance_names_every_part_that_the_entries_need() -> None:
    made = provenance("factlink bench e.toml", ["factlink.evaluation.metrics"], {"preset": "fb-tw"}).as_json()
    assert (made["command"], made["entries"]) == ("factlink bench e.toml", ["factlink.evaluation.metrics"])
    assert {"evaluation", "types"} <= set(made["sources"])
    assert made["data"] == {"preset": "fb-tw"}
