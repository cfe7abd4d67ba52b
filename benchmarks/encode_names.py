"""How the cost of name vectors and of Jaro-Winkler similarities grows with the number of made-up names.

    python benchmarks/encode_names.py 10000 40000 100000 1000000

Wall and processor seconds; compilation is done before the clock starts. Jaro-Winkler runs up to 40,000 names.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import polars as pl
from machine import Row, made_by, made_up, peak_memory_gb, write_result
from pages import Block, fill_pages, read_result

from factlink.encoders.jaro_winkler import JaroWinklerEncoder, spelling
from factlink.encoders.names import NameEncoder

SYLLABLES = [
    "an",
    "bel",
    "cor",
    "da",
    "el",
    "fin",
    "gar",
    "hu",
    "is",
    "jo",
    "ka",
    "lin",
    "mar",
    "nor",
    "ol",
    "pe",
    "qui",
    "ros",
    "sa",
    "tor",
    "ul",
    "ver",
    "wen",
    "xi",
    "ya",
    "zo",
    "ber",
    "ton",
    "ley",
]


def made_up_names(n: int) -> pl.Series:
    """n names or handles of four to seven syllables, nearly all distinct."""
    rng = np.random.default_rng(0)
    parts = np.array(SYLLABLES)[rng.integers(0, len(SYLLABLES), (n, 5))]
    first = np.char.capitalize(np.char.add(parts[:, 0], parts[:, 1]))
    last = np.char.capitalize(np.char.add(np.char.add(parts[:, 2], parts[:, 3]), parts[:, 4]))
    gaps = np.array([" ", "", "_", "."])[rng.integers(0, 4, n)]
    tails = np.where(rng.random(n) < 0.3, rng.integers(0, 100, n).astype(str), "")
    return pl.Series("name", np.char.add(np.char.add(np.char.add(first, gaps), last), tails))


def timed_row(what: str, n: int, work: Callable[[], object]) -> Row:
    """Runs the work once and says what it cost."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    row = {
        "what": what,
        "names": n,
        "wall_seconds": round(time.perf_counter() - wall, 1),
        "processor_seconds": round(time.process_time() - processor, 1),
        "peak_memory_gb": round(peak_memory_gb(), 2),
        "made": made_by(["factlink.encoders.names", "factlink.encoders.jaro_winkler"], made_up(f"{n} names, seed 0")),
    }
    print(row, flush=True)
    return row


def main() -> None:
    """Encodes growing sets of names and writes what it cost."""
    NameEncoder().encode(made_up_names(100))
    JaroWinklerEncoder().similarities(spelling(made_up_names(100)).unique().sort())
    rows = []
    for n in map(int, sys.argv[1:]):
        names = made_up_names(n)
        rows.append(timed_row("name vectors, 1,024 dimensions", n, lambda names=names: NameEncoder().encode(names)))
        if n <= 40_000:
            spelled = spelling(names).unique().sort()
            work = lambda spelled=spelled: JaroWinklerEncoder().similarities(spelled)  # noqa: E731
            rows.append(timed_row("Jaro-Winkler similarities", len(spelled), work))
    write_result("encode_names", rows, ["numba", "numpy", "polars", "rapidfuzz"])
    fill_pages(blocks())


def blocks() -> list[Block]:
    """What projecting the most names took, as a sentence."""
    result = read_result("encode_names")
    row = max((row for row in result.rows if row["what"].startswith("name vectors")), key=lambda row: row["names"])
    text = (
        f"`python benchmarks/encode_names.py` projects {row['names']:,} names in {row['wall_seconds']:.0f} s.\n"
        f"{result.note([row])}"
    )
    return [Block("docs/scale.md", "projecting: benchmarks/encode_names.py", text)]


if __name__ == "__main__":
    main()
