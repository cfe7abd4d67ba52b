"""What a killed service left in its folder is removed by the next one, and not while another is using it."""

from pathlib import Path

from factlink.serve.warm.mapped import keep_in_use


def leave(folder: Path) -> None:
    for name in ("accounts-x1", "a2.part", "names.strings"):
        (folder / name).mkdir()


def test_leftovers_are_removed_by_the_next_one(tmp_path: Path) -> None:
    leave(tmp_path)
    with keep_in_use(tmp_path):
        assert sorted(place.name for place in tmp_path.iterdir()) == ["in-use", "names.strings"]


def test_nothing_is_removed_while_another_uses_the_folder(tmp_path: Path) -> None:
    with keep_in_use(tmp_path):
        leave(tmp_path)
        with keep_in_use(tmp_path):
            assert {"accounts-x1", "a2.part"} <= {place.name for place in tmp_path.iterdir()}
