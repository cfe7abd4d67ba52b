"""What it costs to encode objects, and to keep and read their vectors instead.

    python benchmarks/kept_vectors.py

Writes `results/kept_vectors.json` and the table of docs/scale.md: processor seconds to encode, wall seconds to
write and to read, and bytes on disk, for 1,000 objects each. Compilation is done before the clock starts.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
from encode_names import made_up_names
from machine import MAKING_UP, Row, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table

from factlink.encoders.cache import STRINGS, EncoderCache, caching, make_once
from factlink.encoders.jaro_winkler import JaroWinklerEncoder
from factlink.encoders.names import NameEncoder
from factlink.encoders.ngrams.rows import NAME_GRAMS
from factlink.encoders.ngrams.spaces import learn_rows
from factlink.encoders.pictures.images import ImageEncoder
from factlink.encoders.texts import TextEncoder
from factlink.synthetic.dials import Dials, PictureDials, Population
from factlink.synthetic.worlds import twins

MODULES = ("cache", "jaro_winkler", "names", "ngrams.spaces", "pictures.images", "texts")
ENTRIES = (*(f"factlink.encoders.{module}" for module in MODULES), MAKING_UP)
Encode = Callable[[pl.Series], object]


def name_rows(names: pl.Series) -> object:
    """The sparse rows of the default linker, as if they were kept."""

    def make() -> dict[str, object]:
        _, rows = learn_rows(names, NAME_GRAMS)
        return {"ends": rows.indptr, "columns": rows.indices, "values": rows.data}

    return make_once(STRINGS, "rows", names, make)


def measure(what: str, objects: pl.Series, encode: Encode) -> Row:
    """Encoding alone, encoding with keeping, and reading."""
    encode(objects[:50])
    per_thousand = len(objects) / 1000
    with tempfile.TemporaryDirectory() as folder:
        plain, _ = timed(lambda: encode(objects))
        encoder_cache = EncoderCache(Path(folder))
        with caching(encoder_cache):
            encode(objects)
        files = list(Path(folder).iterdir())
        made = {file.name: dict(encoder_cache.find(file.name) or {}) for file in files}
        _, writing = timed(
            lambda: [EncoderCache(Path(folder) / "again").keep(name, arrays) for name, arrays in made.items()]
        )
        with caching(EncoderCache(None, [Path(folder)])):
            _, reading = timed(lambda: encode(objects))
        size = sum(file.stat().st_size for file in files)
    figures = {"encode": plain, "write": writing, "read": reading}
    row = {"what": what, "objects": len(objects)}
    row |= {f"{step}_ms": round(1000 * seconds / per_thousand, 2) for step, seconds in figures.items()}
    made = made_by(ENTRIES, made_up(f"{len(objects)} objects of {what}, seed 1"))
    return row | {"kilobytes": round(size / 1000 / per_thousand), "made": made}


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Processor and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


def blocks() -> list[Block]:
    """What each step costs for each sort of object."""
    result = read_result("kept_vectors")
    lines = []
    for row in result.rows:
        steps = [(f"{row[f'{step}_ms']} ms", row) for step in ("encode", "write", "read")]
        lines.append(result.line(row["what"], [*steps, (f"{row['kilobytes']} kB", row)]))
    text = table(["1,000 of", "encode", "write", "read", "on disk"], lines, result.note())
    return [Block("docs/scale.md", "kept vectors: benchmarks/kept_vectors.py", text)]


def main() -> None:
    """All sorts of objects."""
    names = made_up_names(20_000)
    with tempfile.TemporaryDirectory() as folder:
        population = twins(
            Dials(Population(people=100), pictures=PictureDials(missing=0.0), seed=1), Path(folder)
        ).networks
        pictures = pl.concat([network.attributes["picture"].objects for network in population]).unique()
        texts = twins(Dials(Population(people=5_000), seed=1)).networks[0].attributes["bio"].objects
        rows = [
            measure("pictures, `ImageEncoder`", pictures, lambda files: ImageEncoder().encode(files.to_list())),
            measure("names, `JaroWinklerEncoder`", names[:2000], JaroWinklerEncoder().encode),
            measure("texts, `TextEncoder(dim=256)`", texts, TextEncoder(dim=256).encode),
            measure("names, `NameEncoder(dim=512)`", names, NameEncoder(dim=512).encode),
            measure("names, rows of n-grams (not kept)", names, name_rows),
        ]
    write_result("kept_vectors", rows, ["factlink", "numpy", "numba"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
