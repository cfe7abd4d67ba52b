"""Picture files → pixels, safely; files that cannot be used are counted by reason."""

import os
import stat
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from factlink.errors import SettingError

_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "AVIF")


class Flaw(StrEnum):
    """Why a picture file gives no vector."""

    ABSENT = "not a readable file"
    EMPTY = "empty"
    CORRUPT = "corrupt or of no known format"
    MISLABELLED = "of another format than its name says"
    ANIMATED = "animated or of several pages"
    HUGE = "too large (max_pixels)"


@dataclass(frozen=True)
class Decoding:
    """How picture files are read: nothing above `max_pixels` is decoded, `threads` files at a time."""

    max_pixels: int = 25_000_000
    threads: int = 1

    def __post_init__(self) -> None:
        if self.max_pixels < 1 or self.threads < 1:
            raise SettingError(f"max_pixels {self.max_pixels} and threads {self.threads} must be 1 or more")


DEFAULT_DECODING = Decoding()


def decode(path: str, max_pixels: int, side: int) -> Image.Image | Flaw:
    """The picture in a file, upright and RGB, or why it cannot be used; size is judged before pixels are read."""
    try:
        flaw = flaw_of_file(path, max_pixels)
        if flaw is not None:
            return flaw
        with Image.open(path, formats=readable_formats()) as picture:
            return _flaw_of_header(picture, path, max_pixels) or upright_rgb(picture, side)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return Flaw.HUGE
    except Exception:  # Pillow's readers raise almost anything on hostile bytes
        return Flaw.CORRUPT


@cache
def readable_formats() -> tuple[str, ...]:
    """The formats that are read, as far as this Pillow was built with them; none that starts other programs."""
    Image.init()
    return tuple(name for name in _FORMATS if name in Image.OPEN)


def flaw_of_file(path: str, max_pixels: int) -> Flaw | None:
    """The reason to skip a file by its metadata; pipes and devices are never opened."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return Flaw.ABSENT
    if not stat.S_ISREG(status.st_mode) or not os.access(path, os.R_OK):
        return Flaw.ABSENT
    if status.st_size == 0:
        return Flaw.EMPTY
    # No sound picture outgrows its own pixels; this bounds what is read, not only what is decoded.
    return Flaw.HUGE if status.st_size > 8 * max_pixels + 65_536 else None


def _flaw_of_header(picture: Image.Image, path: str, max_pixels: int) -> Flaw | None:
    """The reason to skip a picture by its header."""
    if picture.width * picture.height > max_pixels:
        return Flaw.HUGE
    found = "JPEG" if picture.format == "MPO" else picture.format
    named = Image.registered_extensions().get(Path(path).suffix.lower(), found)
    if ("JPEG" if named == "MPO" else named) != found:
        return Flaw.MISLABELLED
    if picture.format != "MPO" and getattr(picture, "is_animated", False):
        return Flaw.ANIMATED
    return None


def upright_rgb(picture: Image.Image, side: int) -> Image.Image:
    """The picture turned as its EXIF says, on white where it is transparent, in eight-bit RGB."""
    picture.draft(None, (side, side))
    picture.load()
    return _in_rgb(_turned(picture))


def _turned(picture: Image.Image) -> Image.Image:
    try:
        return ImageOps.exif_transpose(picture)
    except Exception:  # broken EXIF is ignored; the pixels are readable
        return picture


def _in_rgb(picture: Image.Image) -> Image.Image:
    if picture.mode.startswith(("I", "F")):
        return Image.fromarray(_eight_bits(np.asarray(picture))).convert("RGB")
    if "transparency" in picture.info or picture.mode in ("RGBA", "LA", "PA", "RGBa", "La"):
        layer = picture.convert("RGBA")
        white = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(white, layer).convert("RGB")
    return picture.convert("RGB")


def _eight_bits(levels: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Grey levels of 16 or 32 bits, or floats, stretched to 0 … 255."""
    finite = np.nan_to_num(levels.astype(np.float64), posinf=0.0, neginf=0.0)
    low, high = (0.0, 65_535.0) if finite.min() >= 0 and 255 < finite.max() <= 65_535 else (finite.min(), finite.max())
    stretched: npt.NDArray[np.uint8] = ((finite - low) * (255.0 / max(high - low, 1e-12))).astype(np.uint8)
    return stretched
