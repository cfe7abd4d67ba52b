"""What a killed service left in its folder is removed by the next one, and not while another is using it."""

import shutil
from pathlib import Path

import pytest

from factlink.serve.warm.mapped import CHECKSUMS, keep_in_use, note_checksums
from tests.damages import DAMAGES, files_of


def leave(folder: Path) -> None:
    for name in ("accounts-x1", "a2.part", "names.strings"):
        (folder / name).mkdir()
    (folder / ".names.counts.npy.part").touch()


def test_leftovers_are_removed_by_the_next_one(tmp_path: Path) -> None:
    leave(tmp_path)
    with keep_in_use(tmp_path):
        assert sorted(place.name for place in tmp_path.iterdir()) == ["in-use", "names.strings"]


def test_nothing_is_removed_while_another_uses_the_folder(tmp_path: Path) -> None:
    with keep_in_use(tmp_path):
        leave(tmp_path)
        with keep_in_use(tmp_path):
            assert {"accounts-x1", "a2.part"} <= {place.name for place in tmp_path.iterdir()}


def made(place: Path) -> Path:
    """A folder in which two folders and a file were made, and noted; beside a run."""
    folder = place / "run.serve"
    for name in ("left.users/id.npy", "left.users/0.npy", "names.strings/letters.npy", "names.counts.npy"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(f"what {name} holds, which is a little more".encode())
    note_checksums(folder)
    (place / "run").mkdir()
    return folder


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_not_as_it_was_written_is_made_anew(damage: str, tmp_path: Path) -> None:
    folder = made(tmp_path)
    DAMAGES[damage](folder / "left.users" / "0.npy")
    DAMAGES[damage](folder / "names.counts.npy")
    with keep_in_use(folder):
        assert files_of(folder) == [CHECKSUMS, "in-use", "lock", "names.strings/letters.npy"]


def test_nothing_is_made_anew_that_is_whole_or_in_use(tmp_path: Path) -> None:
    folder = made(tmp_path)
    before = files_of(folder)
    with keep_in_use(folder):
        assert files_of(folder) == sorted([*before, "in-use"])
        DAMAGES["cut"](folder / "names.counts.npy")
        with keep_in_use(folder):
            assert files_of(folder) == sorted([*before, "in-use"])


@pytest.mark.parametrize(
    "noted", [b"", b"[1]", b"null", b"[" * 100_000, b"\xff", b'{"../run/x": "1", "/": "2", "..": ""}']
)
def test_without_sound_checksums_everything_is_made_anew_and_nothing_else_is_touched(
    noted: bytes, tmp_path: Path
) -> None:
    folder = made(tmp_path)
    (folder / CHECKSUMS).write_bytes(noted)
    with keep_in_use(folder):
        assert files_of(folder) == [CHECKSUMS, "in-use", "lock"]
    assert (tmp_path / "run").is_dir()


def test_what_another_is_making_is_not_noted(tmp_path: Path) -> None:
    folder = made(tmp_path)
    before = (folder / CHECKSUMS).read_bytes()
    for name in ("accounts-1/users.parquet", "measures-x/measures", "a.part/id.npy"):
        (folder / name).parent.mkdir()
        (folder / name).write_bytes(b"1")
    note_checksums(folder)
    assert (folder / CHECKSUMS).read_bytes() == before
    shutil.rmtree(folder / "left.users")
    note_checksums(folder)
    assert b"left.users" not in (folder / CHECKSUMS).read_bytes()
