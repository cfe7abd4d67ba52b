"""Files that are no picture, and pictures that are not plain RGB."""

import os
import struct
import warnings
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from factlink.encoders.pictures.image_batches import SkippedPictureWarning, describe_all
from factlink.encoders.pictures.pixels import Decoding, Flaw, decode
from factlink.errors import SettingError
from factlink.types import Floats

RED, WHITE, BLACK = (255, 0, 0), (255, 255, 255), (0, 0, 0)


def saved(picture: Image.Image, path: Path, **options: object) -> str:
    picture.save(path, **options)  # type: ignore[arg-type]
    return str(path)


def flaw(path: str | Path, max_pixels: int = 10_000) -> Flaw | None:
    found = decode(str(path), max_pixels, 64)
    return found if isinstance(found, Flaw) else None


def picture_in(path: str) -> Image.Image:
    found = decode(path, 10_000, 64)
    assert isinstance(found, Image.Image)
    assert found.mode == "RGB"
    return found


def test_what_is_no_regular_file_is_absent(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    assert flaw(tmp_path / "nothing.jpg") is Flaw.ABSENT
    assert flaw(tmp_path) is Flaw.ABSENT
    assert flaw(tmp_path / "pipe.jpg") is Flaw.ABSENT
    assert flaw("/dev/zero") is Flaw.ABSENT
    assert flaw("a\0b.jpg") is Flaw.ABSENT
    assert flaw("") is Flaw.ABSENT


def test_an_empty_file_is_empty(tmp_path: Path) -> None:
    (tmp_path / "empty.png").touch()
    assert flaw(tmp_path / "empty.png") is Flaw.EMPTY


def test_a_text_and_a_cut_file_are_corrupt(tmp_path: Path) -> None:
    (tmp_path / "page.jpg").write_text("<html>404</html>")
    noise = np.random.default_rng(0).integers(0, 256, (80, 80, 3), np.uint8)
    whole = Path(saved(Image.fromarray(noise), tmp_path / "whole.jpg")).read_bytes()
    (tmp_path / "cut.jpg").write_bytes(whole[: len(whole) // 2])
    assert flaw(tmp_path / "page.jpg") is Flaw.CORRUPT
    assert flaw(tmp_path / "cut.jpg") is Flaw.CORRUPT


def test_pixels_above_the_limit_are_huge_and_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(Image.new("L", (101, 100)), tmp_path / "large.png")
    monkeypatch.setattr(Image.Image, "load", lambda _: pytest.fail("it was decoded"))
    assert flaw(path, 10_000) is Flaw.HUGE


def test_a_decompression_bomb_is_huge_by_its_header(tmp_path: Path) -> None:
    bomb = Path(saved(Image.new("1", (8, 8)), tmp_path / "bomb.bmp")).read_bytes()
    (tmp_path / "bomb.bmp").write_bytes(bomb[:18] + struct.pack("<ii", 60_000, 60_000) + bomb[26:])
    with pytest.warns(SkippedPictureWarning, match="1 of 1 pictures were skipped .* 1 too large"):
        describe_all([str(tmp_path / "bomb.bmp")], "so", lambda _: pytest.fail("it was decoded"), 1, 64, Decoding())


def test_a_file_far_larger_than_its_pixels_could_be_is_huge(tmp_path: Path) -> None:
    path = saved(Image.new("L", (2, 2)), tmp_path / "padded.png")
    with open(path, "ab") as file:
        file.truncate(200_000)
    assert flaw(path, 100) is Flaw.HUGE


@pytest.mark.parametrize("suffix", ["gif", "webp", "png", "tiff"])
def test_several_frames_are_animated(tmp_path: Path, suffix: str) -> None:
    frames = [Image.new("RGB", (8, 8), colour) for colour in (RED, WHITE)]
    path = saved(frames[0], tmp_path / f"moving.{suffix}", save_all=True, append_images=frames[1:])
    assert flaw(path) is Flaw.ANIMATED


def test_a_still_gif_is_read(tmp_path: Path) -> None:
    assert picture_in(saved(Image.new("RGB", (8, 8), RED), tmp_path / "still.gif")).getpixel((3, 3)) == RED


def test_another_format_than_the_name_says_is_mislabelled(tmp_path: Path) -> None:
    assert flaw(saved(Image.new("RGB", (8, 8)), tmp_path / "a.jpg", format="PNG")) is Flaw.MISLABELLED
    assert flaw(saved(Image.new("RGB", (8, 8)), tmp_path / "a.JPEG", format="JPEG")) is None
    assert flaw(saved(Image.new("RGB", (8, 8)), tmp_path / "avatar", format="PNG")) is None
    assert flaw(saved(Image.new("RGB", (8, 8)), tmp_path / "avatar.cache", format="PNG")) is None


def test_formats_that_start_other_programs_are_not_read(tmp_path: Path) -> None:
    assert flaw(saved(Image.new("RGB", (8, 8)), tmp_path / "a.eps")) is Flaw.CORRUPT


def test_exif_orientation_is_applied(tmp_path: Path) -> None:
    picture = Image.new("RGB", (4, 2), WHITE)
    picture.putpixel((0, 0), BLACK)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned a quarter to the right
    turned = picture_in(saved(picture, tmp_path / "a.png", exif=exif))
    assert turned.size == (2, 4)
    assert turned.getpixel((1, 0)) == BLACK


def test_transparency_lies_on_white(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    assert picture_in(saved(clear, tmp_path / "clear.png")).getpixel((1, 1)) == WHITE
    palette = Image.new("P", (4, 4), 0)
    palette.putpalette([255, 0, 0, 0, 0, 0])
    path = saved(palette, tmp_path / "palette.png", transparency=0)
    assert picture_in(path).getpixel((1, 1)) == WHITE
    assert picture_in(saved(palette, tmp_path / "opaque.png")).getpixel((1, 1)) == RED


def test_deep_grey_levels_keep_their_share_of_white(tmp_path: Path) -> None:
    levels = np.array([[0, 32_768], [65_535, 16_384]], np.uint16)
    picture = picture_in(saved(Image.fromarray(levels), tmp_path / "deep.png"))
    assert [picture.getpixel((x, y)) for y in (0, 1) for x in (0, 1)] == [(0,) * 3, (127,) * 3, (255,) * 3, (63,) * 3]


def test_float_levels_are_stretched(tmp_path: Path) -> None:
    levels = np.array([[-1.0, 0.0], [1.0, np.nan]], np.float32)
    picture = picture_in(saved(Image.fromarray(levels), tmp_path / "float.tiff"))
    assert [picture.getpixel((x, y)) for y in (0, 1) for x in (0, 1)] == [(0,) * 3, (127,) * 3, (255,) * 3, (127,) * 3]


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "CMYK", "YCbCr"])
def test_every_mode_becomes_rgb(tmp_path: Path, mode: str) -> None:
    suffix = "jpg" if mode in ("CMYK", "YCbCr") else "png"
    assert picture_in(saved(Image.new(mode, (9, 9)), tmp_path / f"a.{suffix}")).size == (9, 9)


def test_large_jpegs_are_decoded_small(tmp_path: Path) -> None:
    path = saved(Image.new("RGB", (96, 64)), tmp_path / "a.jpg")
    small = decode(path, 10_000, 16)
    assert isinstance(small, Image.Image)
    assert small.size == (24, 16)


def brightness(picture: Image.Image) -> Floats:
    return np.array([np.asarray(picture).mean()], np.float32)


def test_one_warning_counts_every_reason(tmp_path: Path) -> None:
    good = saved(Image.new("RGB", (8, 8), WHITE), tmp_path / "good.png")
    (tmp_path / "empty.png").touch()
    paths = ["nowhere.png", good, str(tmp_path / "empty.png"), "nowhere.jpg"]
    with pytest.warns(SkippedPictureWarning) as caught:
        vectors = describe_all(paths, "by brightness", brightness, 1, 64, Decoding(threads=2))
    assert vectors.ravel().tolist() == [0.0, 255.0, 0.0, 0.0]
    assert [str(warning.message) for warning in caught] == [
        "3 of 4 pictures were skipped and give no evidence: 2 not a readable file, 1 empty"
    ]


def test_good_pictures_warn_of_nothing(tmp_path: Path) -> None:
    good = saved(Image.new("RGB", (8, 8), WHITE), tmp_path / "good.png")
    with warnings.catch_warnings(record=True) as caught:
        describe_all([good] * 3, "by brightness", brightness, 1, 64, Decoding())
    assert not caught


@pytest.mark.parametrize("settings", [(0, 1), (1, 0)])
def test_limits_below_one_are_refused(settings: tuple[int, int]) -> None:
    with pytest.raises(SettingError, match="must be 1 or more"):
        Decoding(*settings)
