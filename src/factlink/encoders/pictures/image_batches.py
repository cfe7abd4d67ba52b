"""Picture files → rows, each picture described once; what cannot be used is skipped and listed in one warning."""

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from threadpoolctl import threadpool_limits

from factlink.encoders.cache import PICTURES, is_cached, make_once
from factlink.encoders.fingerprints import file_fingerprint
from factlink.encoders.pictures.pixels import Decoding, Flaw, decode, flaw_of_file
from factlink.progress import counted
from factlink.storage.arrays import Arrays
from factlink.types import Floats

_FLAWS = tuple(Flaw)


class SkippedPictureWarning(UserWarning):
    """Some picture files gave no vector."""


def describe_all(
    paths: Sequence[str],
    description: str,
    describe: Callable[[Image.Image], Floats],
    dim: int,
    side: int,
    decoding: Decoding,
) -> Floats:
    """`describe(picture)` of every file as a row of (n, dim); a zero row where the file could not be used.

    `describe` gets an upright RGB picture, for large JPEGs a smaller one of at least `side` pixels; `description`
    says in words how it describes, so that pictures that were described so before are not described again.
    """

    def make(files: Sequence[str]) -> Arrays:
        return _describe(files, describe, dim, side, decoding)

    if is_cached(PICTURES):
        prints = [_print(path, decoding.max_pixels) for path in counted(paths, len(paths), "reading pictures")]
        distinct, firsts, places = np.unique(np.array(prints, np.str_), return_index=True, return_inverse=True)
        how = f"{description}, {dim}, {side}, {decoding.max_pixels}"
        made = make_once(PICTURES, how, distinct.tolist(), lambda: make([paths[place] for place in firsts]))
        vectors, flaws = made["vectors"][places], made["flaws"][places]
    else:
        vectors, flaws = make(paths).values()
    _warn_of(flaws)
    return vectors


def _print(path: str, max_pixels: int) -> str:
    """What a picture depends on: the bytes of the file and the ending of its name, or why it is never opened."""
    flaw = flaw_of_file(path, max_pixels)
    return f"{Path(path).suffix.lower()} {file_fingerprint(path) if flaw is None else flaw.name}"


def _describe(
    paths: Sequence[str], describe: Callable[[Image.Image], Floats], dim: int, side: int, decoding: Decoding
) -> Arrays:
    """`vectors` (n, dim) and `flaws` (n,): 0, or which flaw from 1 on."""
    vectors = np.zeros((len(paths), dim), np.float32)

    def fill(row: int) -> int:
        picture = decode(paths[row], decoding.max_pixels, side)
        if isinstance(picture, Flaw):
            return 1 + _FLAWS.index(picture)
        vectors[row] = describe(picture)
        return 0

    # One BLAS thread: products of patches are too small to share, and each sum keeps its order.
    with threadpool_limits(1), warnings.catch_warnings(), ThreadPoolExecutor(decoding.threads) as pool:
        warnings.filterwarnings("ignore", module=r"PIL\.")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        filled = counted(pool.map(fill, range(len(paths))), len(paths), "describing pictures")
        flaws = np.fromiter(filled, np.uint8, len(paths))
    return {"vectors": vectors, "flaws": flaws}


def _warn_of(flaws: npt.NDArray[np.uint8]) -> None:
    counts = np.bincount(flaws, minlength=1 + len(_FLAWS))[1:]
    if counts.any():
        reasons = ", ".join(f"{count} {flaw}" for flaw, count in zip(_FLAWS, counts, strict=True) if count)
        message = f"{counts.sum()} of {len(flaws)} pictures were skipped and give no evidence: {reasons}"
        warnings.warn(message, SkippedPictureWarning, stacklevel=4)
