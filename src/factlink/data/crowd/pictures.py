"""Profile pictures, drawn: each person's own colours, shapes and grain, and the networks' default avatars."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from PIL import Image, ImageDraw, ImageEnhance

from factlink.data.crowd.dials import PictureDials
from factlink.data.crowd.stock import Rng
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


def draw_picture(seed: list[int], size: int) -> Image.Image:
    """A square picture, the same for the same seed: a gradient with waves, and shapes on it."""
    rng = np.random.default_rng(seed)
    picture = Image.fromarray(_backdrop(size, rng))
    pen = ImageDraw.Draw(picture)
    for _ in range(rng.integers(2, 6)):
        left, top = rng.uniform(-0.1, 0.7, 2)
        wide, high = rng.uniform(0.15, 0.6, 2)
        shape = (pen.ellipse, pen.rectangle, pen.pieslice)[rng.integers(0, 3)]
        box, colour = _box(size, left, top, left + wide, top + high), _colour(rng)
        if shape == pen.pieslice:
            pen.pieslice(box, int(rng.integers(0, 180)), int(rng.integers(200, 360)), fill=colour)
        else:
            shape(box, fill=colour)
    return picture


def edit(picture: Image.Image, rng: Rng) -> Image.Image:
    """The picture cropped by up to a sixth of each side, resized and made a little brighter or darker."""
    size = picture.width
    left, top, right, bottom = rng.uniform(0, 1 / 6, 4) * size
    cropped = picture.crop((round(left), round(top), size - round(right), size - round(bottom)))
    side = round(size * rng.uniform(0.6, 1.5))
    resized = cropped.resize((side, side), Image.Resampling.BILINEAR)
    return ImageEnhance.Brightness(resized).enhance(float(rng.uniform(0.85, 1.15)))


def _backdrop(size: int, rng: Rng) -> "np.typing.NDArray[np.uint8]":
    start, end = rng.uniform(0, 255, (2, 3))
    angle, phase, pitch = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi), rng.uniform(2, 14)
    across, down = np.meshgrid(np.linspace(-0.5, 0.5, size), np.linspace(-0.5, 0.5, size))
    along = across * np.cos(angle) + down * np.sin(angle) + 0.5  # (size, size)
    waves = rng.uniform(5, 45) * np.sin(2 * np.pi * pitch * along + phase)
    colours = start + along[..., None] * (end - start) + waves[..., None]
    return np.clip(colours, 0, 255).astype(np.uint8)


def _colour(rng: Rng) -> tuple[int, int, int]:
    red, green, blue = rng.integers(0, 256, 3)
    return int(red), int(green), int(blue)


def _box(size: int, left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    return left * size, top * size, right * size, bottom * size
