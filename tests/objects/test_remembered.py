from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from factlink.objects.images import ImageEncoder
from factlink.objects.remembered import describe_once, remembered_pictures
from factlink.types import Floats


def pictures(folder: Path) -> list[str]:
    files = []
    for n in range(3):
        noise = np.random.default_rng(n).integers(0, 255, (48, 48, 3), np.uint8)
        files.append(str(folder / f"{n}.png"))
        Image.fromarray(noise).save(files[-1])
    return files


def test_what_was_described_is_not_described_again(tmp_path: Path) -> None:
    asked: list[list[str]] = []

    def describe(files: Sequence[str]) -> Floats:
        asked.append(list(files))
        return np.array([[len(asked), n] for n in range(len(files))], np.float32)

    with remembered_pictures(tmp_path / "kept"):
        first = describe_once(["b", "a", "b"], "so", describe)
        again = describe_once(["a", "b"], "so", describe)
        describe_once(["a", "b"], "otherwise", describe)
    describe_once(["a"], "so", describe)
    assert asked == [["a", "b"], ["a", "b"], ["a"]]
    assert first.tolist() == [[1, 1], [1, 0], [1, 1]]
    assert again.tolist() == [[1, 0], [1, 1]]


def test_a_picture_that_was_replaced_is_described_again(tmp_path: Path) -> None:
    files = pictures(tmp_path)
    with remembered_pictures(tmp_path / "kept"):
        before = ImageEncoder(dim=256).encode(files)
        Image.new("RGB", (64, 48), "white").save(files[0])
        after = ImageEncoder(dim=256).encode(files)
    assert not np.array_equal(before, after)


def test_the_vectors_are_the_same(tmp_path: Path) -> None:
    files = pictures(tmp_path)
    plain = ImageEncoder(dim=256).encode(files)
    for _ in range(2):
        with remembered_pictures(tmp_path / "kept"):
            assert np.array_equal(ImageEncoder(dim=256).encode(files), plain)
