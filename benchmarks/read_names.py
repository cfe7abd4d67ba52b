"""What it costs the default linker to read and encode names, some in other scripts, as their number grows.

    python benchmarks/read_names.py 20000 100000

Processor seconds of one core for users of both networks together; compilation is done before the clock starts.
"""

import sys
import time

import numpy as np
import polars as pl
from encode_names import made_up_names
from machine import linking, made_by, made_up, write_result
from pages import Block, fill_pages, read_result, table

from factlink.linkers.factoid.written.names import read_names
from factlink.types import Attribute, Kind, Network

LETTERS = {
    "Chinese characters": "王李张刘陈杨黄赵吴周徐孙马朱胡林郭何高罗伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平",
    "Hangul": "김이박최정강조윤장임영수민호진아미태성현지우서준하은혜경",
    "Hebrew": "אבגדהוזחטיכלמנסעפצקרשת",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "Cyrillic": "абвгдежзиклмнопрстуфхцчшщыэюя",
}
SHARE = 0.04  # of the names in each script
DIM, SEED = 256, 0


def mixed_names(n: int) -> pl.Series:
    """Made-up names, a fifth of them in other scripts."""
    rng = np.random.default_rng(1)
    names = made_up_names(n).to_list()
    places = rng.permutation(n)
    size = int(SHARE * n)
    for at, (script, letters) in enumerate(LETTERS.items()):
        length = 3 if script in ("Chinese characters", "Hangul") else 6
        for row in places[at * size : (at + 1) * size]:
            words = ["".join(rng.choice(list(letters), length)) for _ in range(1 if length == 3 else 2)]
            names[row] = " ".join(words)
    return pl.Series("name", names)


def networks(n: int) -> tuple[Network, Network]:
    """Two networks of half of the names each."""
    names = mixed_names(n)
    sides = names.head(n // 2), names.tail(n - n // 2)
    left, right = (
        Network(side, pl.Series([f"{side}{row}" for row in range(len(some))]), {"name": _named(some)}, {})
        for side, some in zip(("left", "right"), sides, strict=True)
    )
    return left, right


def _named(names: pl.Series) -> Attribute:
    return Attribute(Kind.NAME, np.arange(len(names)), names)


def measure(n: int) -> dict[str, object]:
    """Reading, n-grams, versions and vectors of so many names."""
    left, right = networks(n)
    start = time.process_time()
    names = read_names(left, right, DIM, SEED, readings=True)
    assert names is not None
    weights = np.ones(len(names.predicates), np.float32)
    names.channel(weights)
    names.vectors(weights)
    row = {"names": n, "processor_seconds": round(time.process_time() - start, 1)}
    print(row, flush=True)
    return {**row, "made": made_by(linking("factoid"), made_up(f"{n} names, seed 1"))}


def blocks() -> list[Block]:
    """The table, and what a million would take."""
    result = read_result("read_names")
    lines = [result.line(f"{row['names']:,}", [(f"{row['processor_seconds']:.0f}", row)]) for row in result.rows]
    most = max(result.rows, key=lambda row: row["names"])
    million = 1e6 / most["names"] * most["processor_seconds"]
    text = table(["names", "processor seconds"], lines, result.note())
    text += (
        f"\n\nAt the same rate, a million names take {million:,.0f} s of one core, {million / 120:.1f} minutes on two."
    )
    return [Block("docs/names.md", "reading: benchmarks/read_names.py", text)]


def main() -> None:
    """Measures so many names each."""
    measure(200)
    write_result("read_names", [measure(int(n)) for n in sys.argv[1:]], ["numpy", "numba", "polars", "cutlet"])
    fill_pages(blocks())


if __name__ == "__main__":
    main()
