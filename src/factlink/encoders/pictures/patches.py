"""A picture → descriptions of its overlapping patches, in shape and colour, at several sizes."""

from functools import cache

import numpy as np
from PIL import Image

from factlink.encoders.pictures.codes import LENGTH, codebook
from factlink.types import Floats

SIDE = 64  # every picture is brought to this size, whatever its shape
_PATCH_SIZES = (20.0, 22.4, 25.0, 28.0, 31.4)  # pixels; a crop by a tenth on each side enlarges by 1.25
_STEP = 4
_WAVES, _COLOUR_WAVES = 5, 2  # cosines each way, for lightness and for the two colour channels
_COLOUR_SHARE = 0.5
_FAINT, _PALE = 20.0, 40.0  # contrasts below these count little
_THRESHOLD = 2.5


def patch_answers(picture: Image.Image) -> Floats:
    """The pooled answers of all patches of all sizes, (codes.LENGTH,)."""
    pixels = np.asarray(picture.convert("YCbCr").resize((SIDE, SIDE), Image.Resampling.BOX), np.float32) - 128
    channels = np.ascontiguousarray(pixels.transpose(2, 0, 1))
    answers = np.zeros(LENGTH, np.float32)
    for size in _PATCH_SIZES:
        descriptions = _descriptions(channels, size)
        answers += codebook(descriptions.shape[-1], _THRESHOLD).answers(descriptions, _centres(size))
    return answers


def _descriptions(channels: Floats, size: float) -> Floats:
    """(n, n, numbers): lightness waves without their mean, and colour waves with it, both evened in contrast."""
    light = _waves(channels[0], size, _WAVES) * np.hypot(*np.mgrid[:_WAVES, :_WAVES]).astype(np.float32).ravel()
    colours = [_waves(channel, size, _COLOUR_WAVES) for channel in channels[1:]]
    shape = _evened(light[..., 1:], _FAINT)
    return np.concatenate([shape, _COLOUR_SHARE * _evened(np.concatenate(colours, axis=-1), _PALE)], axis=-1)


def _evened(waves: Floats, faint: float) -> Floats:
    """Waves scaled to a length near one, far less where they are faint."""
    evened: Floats = waves / np.sqrt(np.square(waves).sum(axis=-1, keepdims=True) + np.float32(faint**2))
    return evened


def _waves(channel: Floats, size: float, waves: int) -> Floats:
    """Cosine waves of each patch: (n, n, waves²), by two products with the windowed cosines of all places."""
    basis = _basis(size, waves)
    n = len(basis) // waves
    crossed = np.asarray(basis @ channel @ basis.T, np.float32)  # (n · waves, n · waves)
    return crossed.reshape(n, waves, n, waves).transpose(0, 2, 1, 3).reshape(n, n, waves * waves)


@cache
def _basis(size: float, waves: int) -> Floats:
    """Unit rows (n · waves, SIDE): for each place a patch can stand, cosines under a sine window."""
    places = ((np.arange(SIDE) + 0.5) - (_centres(size)[:, None] * SIDE - size / 2)) / size  # (n, SIDE)
    window = np.where((places > 0) & (places < 1), np.sin(np.pi * np.clip(places, 0, 1)), 0.0)
    window /= window.sum(axis=1, keepdims=True)
    rows = window[:, None] * np.cos(np.pi * np.arange(waves)[:, None] * places[:, None])  # (n, waves, SIDE)
    rows[:, 1:] -= window[:, None] * rows[:, 1:].sum(axis=2, keepdims=True)
    rows /= np.linalg.norm(rows, axis=2, keepdims=True)
    basis: Floats = rows.reshape(-1, SIDE).astype(np.float32)
    return basis


@cache
def _centres(size: float) -> Floats:
    """Positions of patches along one side, as shares of it."""
    starts = np.arange(0, SIDE - size + 1e-6, _STEP)
    centres: Floats = ((starts + (SIDE - size - starts[-1]) / 2 + size / 2) / SIDE).astype(np.float32)
    return centres
