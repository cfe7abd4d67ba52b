"""Profile pictures, drawn: each person's own colours, shapes and grain, and the networks' default avatars."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from PIL import Image, ImageDraw, ImageEnhance

from factlink.synthetic.dials import PictureDials
from factlink.synthetic.stock import Rng
from factlink.types import Ints

_AVATARS = 4  # default avatars of a network
_USUAL, _OTHER, _DEFAULT, _NONE = range(4)


@dataclass(frozen=True, slots=True)
class Studio:
    """Draws the pictures of one network into its folder."""

    folder: Path
    dials: PictureDials
    seed: int
    number: int  # of the network, so that two networks draw different other pictures

    def draw_pictures(self, users: pl.Series, persons: Ints, rng: Rng) -> pl.Series:
        """The picture file of each user, null where there is none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        avatars = [self._draw_avatar(k) for k in range(_AVATARS)]
        sorts = self._choose_sorts(len(users), rng)
        shown = rng.integers(0, _AVATARS, len(users))
        files: list[str | None] = []
        for user, person, sort, avatar in zip(users, persons, sorts, shown, strict=True):
            if sort == _NONE:
                files.append(None)
            else:
                files.append(avatars[avatar] if sort == _DEFAULT else self._draw_own(user, int(person), int(sort)))
        return pl.Series("picture", files, pl.String)

    def _choose_sorts(self, n: int, rng: Rng) -> Ints:
        chance = rng.random((3, n))
        own = np.where(chance[0] < self.dials.same, _USUAL, _OTHER)
        shown = np.where(chance[1] < self.dials.default, _DEFAULT, own)
        return np.where(chance[2] < self.dials.missing, _NONE, shown)

    def _draw_own(self, user: str, person: int, sort: int) -> str:
        picture = draw_picture([self.seed, person, self.number + 1 if sort == _OTHER else 0], self.dials.size)
        rng = np.random.default_rng([self.seed, person, self.number, 1])
        if rng.random() < self.dials.edited:
            picture = edit(picture, rng)
        file = self.folder / f"{user}.jpg"
        picture.save(file, quality=int(rng.integers(45, 92)))
        return str(file)

    def _draw_avatar(self, k: int) -> str:
        """A head and shoulders in one of the network's colours."""
        size = self.dials.size
        back = [(60, 120, 190), (200, 110, 60), (110, 160, 80), (140, 90, 160)][(k + self.number) % 4]
        picture = Image.new("RGB", (size, size), back)
        pen = ImageDraw.Draw(picture)
        pen.ellipse(_box(size, 0.3, 0.15, 0.7, 0.58 + 0.02 * self.number), fill="white")
        pen.ellipse(_box(size, 0.12, 0.65, 0.88, 1.4), fill="white")
        file = self.folder / f"default-{k}.png"
        picture.save(file)
        return str(file)


def copy_picture(file: Path, to: Path) -> str:
    """The same picture re-encoded, as after a download and an upload."""
    Image.open(file).convert("RGB").save(to, quality=80)
    return str(to)


def draw_picture(seed: list[int], size: int) -> Image.Image:
    """A square picture, the same for the same seed: a gradient with waves, and shapes on it."""
    rng = np.random.default_rng(seed)
    picture = Image.fromarray(_backdrop(size, rng))
    pen = ImageDraw.Draw(picture)
    for across, down, wide, high, *colour in rng.random((rng.integers(2, 6), 7)).tolist():
        left, top = 0.8 * across - 0.1, 0.8 * down - 0.1
        box = _box(size, left, top, left + 0.15 + 0.45 * wide, top + 0.15 + 0.45 * high)
        draw_shape = pen.ellipse if wide < high else pen.rectangle
        draw_shape(box, fill=(int(256 * colour[0]), int(256 * colour[1]), int(256 * colour[2])))
    return picture


def edit(picture: Image.Image, rng: Rng) -> Image.Image:
    """The picture cropped by up to a sixth of each side, resized and made a little brighter or darker."""
    size = picture.width
    left, top, right, bottom = rng.uniform(0, 1 / 6, 4) * size
    cropped = picture.crop((round(left), round(top), size - round(right), size - round(bottom)))
    side = round(size * rng.uniform(0.6, 1.5))
    resized = cropped.resize((side, side), Image.Resampling.BILINEAR)
    return ImageEnhance.Brightness(resized).enhance(float(rng.uniform(0.85, 1.15)))


def _backdrop(size: int, rng: Rng) -> npt.NDArray[np.uint8]:
    start, end = rng.uniform(0, 255, (2, 3)).astype(np.float32)
    angle, phase, pitch = rng.uniform((0, 0, 12), (2 * np.pi, 2 * np.pi, 88))
    steps = np.arange(size, dtype=np.float32) / size - 0.5
    along = np.float32(np.cos(angle)) * steps + np.float32(np.sin(angle)) * steps[:, None]  # (size, size)
    waves = np.float32(rng.uniform(5, 45)) * np.sin(np.float32(pitch) * along + np.float32(phase))
    colours = (along[..., None] + np.float32(0.5)) * (end - start) + start + waves[..., None]
    pixels: npt.NDArray[np.uint8] = np.clip(colours, 0, 255).astype(np.uint8)
    return pixels


def _box(size: int, left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    return left * size, top * size, right * size, bottom * size
