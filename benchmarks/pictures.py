"""How often a copy of a portrait finds its original, per encoder and kind of copy; writes the table of the docs.

    python benchmarks/pictures.py [n_portraits]

Every copy ranks all originals by cosine: HR@1. Default avatars: a third of the portraits is replaced by re-encoded
copies of three drawn avatars; counted are holders of an avatar and portraits whose weight as evidence is right.
"""

import io
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from machine import DATA, Row, files, made_by, write_result
from pages import Block, fill_pages, read_result, table
from PIL import Image, ImageDraw

from factlink.encoders.pictures.duplicates import picture_groups, picture_weights
from factlink.encoders.pictures.images import EfficientNetEncoder, ImageEncoder
from factlink.encoders.pictures.pixels import Decoding
from factlink.protocols import Encoder
from factlink.types import Floats

Copy = Callable[[Image.Image], Image.Image]
TWO_THREADS = Decoding(threads=2)


def poor(picture: Image.Image, quality: int) -> Image.Image:
    """The picture after a JPEG of that quality."""
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=quality)
    return Image.open(buffer).convert("RGB")


def small(picture: Image.Image) -> Image.Image:
    """The picture with 96 pixels on its longer side."""
    copy = picture.copy()
    copy.thumbnail((96, 96))
    return copy


def cropped(picture: Image.Image, left: float, top: float, right: float, bottom: float) -> Image.Image:
    """The picture less these shares of its sides."""
    width, height = picture.size
    return picture.crop(
        (round(width * left), round(height * top), round(width * (1 - right)), round(height * (1 - bottom)))
    )


def square(picture: Image.Image) -> Image.Image:
    """The top square of a portrait."""
    side = min(picture.size)
    return picture.crop((0, 0, side, side))


COPIES: dict[str, Copy] = {
    "unmodified": lambda picture: picture,
    "JPEG 40": lambda picture: poor(picture, 40),
    "96 px": small,
    "96 × 96 px, shape lost": lambda picture: picture.resize((96, 96)),
    "cropped, 5 % off each side": lambda picture: cropped(picture, 0.05, 0.05, 0.05, 0.05),
    "cropped, 10 % off each side": lambda picture: cropped(picture, 0.1, 0.1, 0.1, 0.1),
    "cropped, 10 % off left and top": lambda picture: cropped(picture, 0.1, 0.1, 0, 0),
    "cropped to a square": square,
    "5 % off each side, 96 px, JPEG 40": lambda picture: poor(small(cropped(picture, 0.05, 0.05, 0.05, 0.05)), 40),
    "10 % off each side, 96 px, JPEG 40": lambda picture: poor(small(cropped(picture, 0.1, 0.1, 0.1, 0.1)), 40),
}


def main() -> None:
    """Measures both encoders, writes the result and prints the table."""
    data = DATA / "congress"
    photos = pl.read_parquet(data / "photos.parquet")["file"].sort().to_list()
    originals = [str(data / file) for file in photos[: int(sys.argv[1]) if len(sys.argv) > 1 else None]]
    with tempfile.TemporaryDirectory() as folder:
        copies = [
            saved(COPIES[kind], path, Path(folder) / f"{kind} {Path(path).stem}.png")
            for kind in COPIES
            for path in originals
        ]
        avatars = saved_avatars(Path(folder), len(originals) // 3)
        encoders: dict[str, Encoder] = {
            "ImageEncoder": ImageEncoder(decoding=TWO_THREADS),
            "EfficientNetEncoder": EfficientNetEncoder(decoding=TWO_THREADS),
        }
        rows = [
            row for name, encoder in encoders.items() for row in measured(name, encoder, originals, copies, avatars)
        ]
    made = made_by(
        ["factlink.encoders.pictures.images", "factlink.encoders.pictures.duplicates"], files("congress/photos.parquet")
    )
    write_result("pictures", [{**row, "made": made} for row in rows], ["numpy", "pillow", "onnxruntime"])
    fill_pages(blocks())


def measured(name: str, encoder: Encoder, originals: list[str], copies: list[str], avatars: list[str]) -> list[Row]:
    """HR@1 per kind of copy, the weights with default avatars, and the speed."""
    n = len(originals)
    vectors = encoder.encode([*originals, *copies]).reshape(1 + len(COPIES), n, -1)
    values = {kind: round(hits(vectors[i], vectors[0]), 4) for i, kind in enumerate(COPIES, 1)}
    started = time.process_time()
    mixed = encoder.encode([*avatars, *originals[len(avatars) :]])
    speed = n / (time.process_time() - started)
    weights = picture_weights(picture_groups(mixed), np.ones(n, np.int64))
    values["default avatars that weigh < .05"] = round(float((weights[: len(avatars)] < 0.05).mean()), 4)
    values["portraits that weigh 1"] = round(float((weights[len(avatars) :] == 1).mean()), 4)
    values["pictures per second of one core"] = int(speed)
    return [{"encoder": name, "copy": kind, "n": n, "value": value} for kind, value in values.items()]


def saved(copy: Copy, path: str, place: Path) -> str:
    """Where the copy of the picture at `path` was put."""
    with Image.open(path) as picture:
        copy(picture.convert("RGB")).save(place, compress_level=1)
    return str(place)


def hits(copies: Floats, originals: Floats) -> float:
    """HR@1: the share of copies whose own original has the highest cosine; a tie is no hit."""
    scores = copies @ originals.T
    own = np.diag(scores).copy()
    np.fill_diagonal(scores, -np.inf)
    return float((own > scores.max(axis=1)).mean())


def saved_avatars(folder: Path, n: int) -> list[str]:
    """`n` files of three default avatars, in sizes and qualities drawn at random."""
    rng = np.random.default_rng(0)
    paths = [str(folder / f"avatar{i}.jpg") for i in range(n)]
    for i, path in enumerate(paths):
        side = int(rng.integers(90, 400))
        avatar(i % 3).resize((side, side)).save(path, quality=int(rng.integers(40, 96)))
    return paths


def avatar(number: int) -> Image.Image:
    """A drawn head and shoulders, a drawn egg, or a letter's strokes."""
    picture = Image.new("RGB", (400, 400), [(204, 214, 221), (120, 170, 90), (70, 90, 160)][number])
    draw = ImageDraw.Draw(picture)
    if number == 0:
        draw.ellipse((130, 70, 270, 210), fill="white")
        draw.ellipse((60, 240, 340, 520), fill="white")
    elif number == 1:
        draw.ellipse((100, 50, 300, 350), fill="white")
    else:
        draw.line((120, 320, 200, 80, 280, 320), fill="white", width=40)
        draw.line((150, 240, 250, 240), fill="white", width=40)
    return picture


def blocks() -> list[Block]:
    """A row per kind of copy, a column per encoder."""
    result = read_result("pictures")
    rows = {(row["encoder"], row["copy"]): row for row in result.rows}
    encoders = list(dict.fromkeys(row["encoder"] for row in result.rows))
    lines = []
    for kind in dict.fromkeys(row["copy"] for row in result.rows):
        found = [rows[encoder, kind] for encoder in encoders]
        lines.append(result.line(kind, [(shown(row["value"]), row) for row in found]))
    text = table(["copy", *(f"`{encoder}`" for encoder in encoders)], lines, result.note())
    return [Block("docs/pictures.md", "pictures: benchmarks/pictures.py", text)]


def shown(value: object) -> str:
    """A share with three decimals, a count with none."""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    main()
