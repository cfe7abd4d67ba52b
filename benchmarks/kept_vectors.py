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
from machine import write_result
from quality import ROOT, put_table

from factlink.data.crowd.dials import Crowd, Dials, PictureDials
from factlink.data.synthetic import twins
from factlink.objects.gram_spaces import learn_rows
from factlink.objects.images import ImageEncoder
from factlink.objects.names import NameEncoder
from factlink.objects.ngrams import NAME_GRAMS
from factlink.objects.remembered import STRINGS, Shelf, make_once, remembered
from factlink.objects.spellings import JaroWinklerEncoder
from factlink.objects.texts import TextEncoder

PLACE = "<!-- kept vectors: benchmarks/kept_vectors.py -->"
Encode = Callable[[pl.Series], object]


def name_rows(names: pl.Series) -> object:
    """The sparse rows of the default linker, as if they were kept."""

    def make() -> dict[str, object]:
        _, rows = learn_rows(names, NAME_GRAMS)
        return {"ends": rows.indptr, "columns": rows.indices, "values": rows.data}

    return make_once(STRINGS, "rows", names, make)


def measure(what: str, objects: pl.Series, encode: Encode) -> dict[str, object]:
    """Encoding alone, encoding with keeping, and reading."""
    encode(objects[:50])
    per_thousand = len(objects) / 1000
    with tempfile.TemporaryDirectory() as folder:
        plain, _ = timed(lambda: encode(objects))
        shelf = Shelf(Path(folder))
        with remembered(shelf):
            encode(objects)
        files = list(Path(folder).iterdir())
        made = {file.name: dict(shelf.find(file.name) or {}) for file in files}
        _, writing = timed(lambda: [Shelf(Path(folder) / "again").keep(name, arrays) for name, arrays in made.items()])
        with remembered(Shelf(None, [Path(folder)])):
            _, reading = timed(lambda: encode(objects))
        size = sum(file.stat().st_size for file in files)
    figures = {"encode": plain, "write": writing, "read": reading}
    row = {"what": what, "objects": len(objects)}
    row |= {f"{step}_ms": round(1000 * seconds / per_thousand, 2) for step, seconds in figures.items()}
    return row | {"kilobytes": round(size / 1000 / per_thousand)}


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Processor and wall seconds."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


def table(rows: list[dict[str, object]]) -> str:
    """As Markdown."""
    lines = ["| 1,000 of | encode | write | read | on disk |", "|---|---|---|---|---|"]
    for row in rows:
        steps = " | ".join(f"{row[f'{step}_ms']} ms" for step in ("encode", "write", "read"))
        lines.append(f"| {row['what']} | {steps} | {row['kilobytes']} kB |")
    return "\n".join(lines)


def main() -> None:
    """All sorts of objects."""
    names = made_up_names(20_000)
    with tempfile.TemporaryDirectory() as folder:
        crowd = twins(Dials(Crowd(people=100), pictures=PictureDials(missing=0.0), seed=1), Path(folder)).networks
        pictures = pl.concat([network.attributes["picture"].objects for network in crowd]).unique()
        texts = twins(Dials(Crowd(people=5_000), seed=1)).networks[0].attributes["bio"].objects
        rows = [
            measure("pictures, `ImageEncoder`", pictures, lambda files: ImageEncoder().encode(files.to_list())),
            measure("names, `JaroWinklerEncoder`", names[:2000], JaroWinklerEncoder().encode),
            measure("texts, `TextEncoder(dim=256)`", texts, TextEncoder(dim=256).encode),
            measure("names, `NameEncoder(dim=512)`", names, NameEncoder(dim=512).encode),
            measure("names, rows of n-grams (not kept)", names, name_rows),
        ]
    write_result("kept_vectors", rows, ["factlink", "numpy", "numba"])
    put_table(ROOT / "docs" / "scale.md", PLACE, table(rows))
    print(table(rows))


if __name__ == "__main__":
    main()
