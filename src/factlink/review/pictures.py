"""Profile pictures as small JPEGs: only files that the run names, inside the network's own folders, of sane size."""

import io
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TypeVar

from PIL import Image, ImageOps

from factlink.encoders.pictures.pixels import DEFAULT_DECODING, readable_formats
from factlink.runs.folder.manifest import MANIFEST
from factlink.runs.folder.store import load_manifest

MOST_BYTES = 30_000_000
SIDE = 320

_ONE_AT_A_TIME = Lock()
T = TypeVar("T")


def picture_roots(folder: Path, origin: str) -> list[Path]:
    """The folders that may hold a network's pictures: its copy in the run, and the place it was read from.

    A relative place is looked for from here and from every folder above the run. A network read from another run
    lets in what that run lets in.
    """
    given = Path(origin)
    places = [given, *(above / given for above in folder.resolve().parents if not given.is_absolute())]
    roots = [folder.resolve()]
    for place in places:
        here = place if place.is_dir() else place.parent
        if (place.is_dir() and any(place.glob("users.*"))) or any(here.glob(f"{place.name}_*.txt")):
            roots.append(here.resolve())
            break
    return [*roots, *_roots_of_origin(roots[-1])] if len(roots) > 1 else roots


def _roots_of_origin(network: Path) -> list[Path]:
    """The roots of a network that is itself a copy inside a run."""
    if network.name not in ("left", "right") or not (network.parent / MANIFEST).exists():
        return []
    manifest = load_manifest(network.parent)
    return picture_roots(network, (manifest.left if network.name == "left" else manifest.right).path)


def find_picture(listed: str, folder: Path, roots: list[Path]) -> Path | None:
    """The file of a listed path, symbolic links resolved, if it is inside one of the roots."""
    if "://" in listed or "\0" in listed:
        return None
    try:
        place = (folder / listed).resolve(strict=True)
        inside = any(place.is_relative_to(root) for root in roots)
        return place if inside and place.is_file() and place.stat().st_size <= MOST_BYTES else None
    except (OSError, RuntimeError):
        return None


def is_sound(path: Path) -> bool:
    """Whether the header declares a picture of acceptable size."""
    return _opened(path, lambda picture: True) is not None


def thumbnail(path: Path) -> bytes | None:
    """A JPEG of at most SIDE pixels each way, re-encoded; None if it is not a valid picture of acceptable size."""
    return _opened(path, _shrunk)


def _opened(path: Path, use: Callable[[Image.Image], T]) -> T | None:
    """What comes of a picture, one at a time so that hostile ones cannot add up; None if it is unfit."""
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with Image.open(path, formats=readable_formats()) as picture:
                return use(picture) if picture.width * picture.height <= DEFAULT_DECODING.max_pixels else None
        except Exception:  # Pillow's readers raise almost anything on hostile bytes
            return None


def _shrunk(picture: Image.Image) -> bytes:
    picture.draft("RGB", (SIDE, SIDE))
    upright = ImageOps.exif_transpose(picture).convert("RGBA")
    upright.thumbnail((SIDE, SIDE))
    white = Image.new("RGBA", upright.size, "white")
    stream = io.BytesIO()
    Image.alpha_composite(white, upright).convert("RGB").save(stream, "JPEG", quality=85)
    return stream.getvalue()
