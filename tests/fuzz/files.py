"""Targets: every file that a network, its pairs or its judges come in, damaged.

What is read has to be in the file, and what is written of it has to be read as the same.
"""

import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from factlink.data.additions import read_addition
from factlink.data.files import write_network
from factlink.data.frames import network_from_frames
from factlink.data.pairs import Truth, read_known, read_truth, write_truth
from factlink.data.sizes import measure_size
from factlink.data.sources.networks import read_network
from factlink.evaluation.annotation import KEY, SHEET, tally
from factlink.types import Kind, Network, Pairs

from .harness import Target

PLACE = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
FORMATS = ("parquet", "csv", "jsonl")

USERS: dict[str, list[Any]] = {
    "id": ["007", "9007199254740993", "a b ", "@amy", "é"],
    "name": ["Ann Lee", 'say "hi", he', None, "=1+1", "two\nlines"],
    "tags": [["a", "b"], [], None, ["x, y"], ["[", "\u2028"]],
    "avatar": ["a.jpg", None, "x/../b.jpg", "http://x/y.png", "/c.png"],
}
LINKS = {
    "source": ["007", "@amy", "é", "007"],
    "target": ["@amy", "a b ", "007", "a b "],
    "predicate": ["follows", "likes", None, "follows"],
    "weight": [1.0, 2.5, 0.1, 1e-7],
}
PAIRS = {"left": ["007", "@amy", "é"], "right": ["a b ", "007", None]}
NETWORK = network_from_frames("net", pl.DataFrame(USERS), pl.DataFrame(LINKS))
ODD_COLUMNS = pl.DataFrame(
    [
        pl.Series("id", [1, 2**62, 3], dtype=pl.UInt64),
        pl.Series("decimal", [Decimal("1.50"), None, Decimal("-2")], dtype=pl.Decimal(20, 2)),
        pl.Series("date", [date(1, 1, 1), date(9999, 12, 31), None]),
        pl.Series(
            "at", [datetime(1980, 1, 2, 3, 4, 5, 678), None, datetime(2020, 1, 1)], dtype=pl.Datetime("us", "UTC")
        ),
        pl.Series("time", [time(1, 2, 3), None, time(0)]),
        pl.Series("long", [timedelta(days=1, microseconds=3), None, timedelta(0)]),
        pl.Series("category", ["a", "b", None], dtype=pl.Categorical),
        pl.Series("enum", ["a", "b", None], dtype=pl.Enum(["a", "b"])),
        pl.Series("nothing", [None, None, None], dtype=pl.Null),
        pl.Series("small", [0.1, float("nan"), float("inf")], dtype=pl.Float32),
        pl.Series("truth", [True, False, None]),
        pl.Series("array", [["a", "b"], ["c", "d"], None], dtype=pl.Array(pl.String, 2)),
        pl.Series("numbers", [[1, 2], [2**53 + 1], None]),
    ]
)


def file_targets() -> list[Target]:
    """One for each file and format."""
    tables = [
        *(Target(f"users.{suffix}", _user_seeds(suffix), _reads_users(suffix)) for suffix in FORMATS),
        *(Target(f"links.{suffix}", [_saved(pl.DataFrame(LINKS), suffix)], _reads_links(suffix)) for suffix in FORMATS),
        *(Target(f"pairs.{suffix}", [_saved(pl.DataFrame(PAIRS), suffix)], _reads_pairs(suffix)) for suffix in FORMATS),
        *(Target(f"size of users.{suffix}", _user_seeds(suffix), _measures(suffix)) for suffix in FORMATS),
        *(Target(f"new users.{suffix}", _new_seeds(suffix), _adds(suffix)) for suffix in FORMATS),
    ]
    texts = [
        Target("pairs.txt", [b"007 @amy\n@amy\t007\n", "é\t007\r\n007 @amy 1\n".encode()], _reads_pairs("txt")),
        Target("kinds.json", [b'{"name": "text", "tags": "category"}', b'{"gone": "name"}\n'], _reads_kinds),
        *(Target(f"fb{ending}", seeds, _reads_authors(ending)) for ending, seeds in AUTHORS.items()),
        Target("annotation-sheet.csv", [b'pair,left id,verdict\n1,"a, b",match\n2,c,\n'], _tallies),
    ]
    return tables + texts


AUTHORS = {
    "_user_names.txt": ["100\tAnn Lee\n007\tNone\n8\tRené\n".encode(), b"1\ta\tb\r\n 2 \t\n"],
    "_screen_names.txt": [b"100\tann\n555\tghost\n100\tannie\n", b"007\t \n"],
    "_sub_network.txt": [b"100\t007\n007 8\n", b"8 100 \r\n\r\n 7 8"],
}


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder in memory, if there is such a thing."""
    place = Path(tempfile.mkdtemp(dir=PLACE))
    try:
        yield place
    finally:
        shutil.rmtree(place)


def plain(network: Network) -> object:
    """Everything in a network, in plain types; pictures by where they are."""
    return (
        network.users.to_list(),
        [(p, a.kind, a.rows.tolist(), _plain_objects(a.kind, a.objects)) for p, a in network.attributes.items()],
        [(p, f.followers.tolist(), f.followees.tolist(), f.weights.tolist()) for p, f in network.links.items()],
    )


def check_written(network: Network, place: Path, number: int) -> None:
    """Written and read again it is the same network, in whichever format."""
    again = place / "again"
    write_network(network, again, FORMATS[number % 3])
    assert plain(read_network(again)) == plain(network)


def check_is_there(values: Sequence[str], data: bytes) -> None:
    """Every value is in the file, as it stands or as JSON or CSV would write it."""
    text = _decoded(data)
    single = text.replace('""', '"')
    there = (text, single, _unescaped(text), _unescaped(single))
    for value in values:
        assert any(value in form for form in there), f"{value!r} is not in the file"


def _decoded(data: bytes) -> str:
    """The text by its byte order mark, as UTF-8, or else as Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252")


def _plain_objects(kind: Kind, objects: pl.Series) -> list[str]:
    values = objects.to_list()
    if kind is not Kind.IMAGE:
        return values
    return [value if re.match(r"[\w+.-]+://", value) else os.path.abspath(value) for value in values]


def _unescaped(text: str) -> str:
    """JSON's escapes taken out, wherever they stand."""
    return re.sub(r'(?:\\u[0-9a-fA-F]{4})+|\\["\\/bfnrt]', lambda found: _letter(found[0]), text)


def _letter(escape: str) -> str:
    return str(json.loads(f'"{escape}"'))


def _texts_in(network: Network) -> list[str]:
    attributes = [a.objects.to_list() for a in network.attributes.values() if a.kind is not Kind.IMAGE]
    keys = [key for name in network.attributes for key in name.split(".")]  # 'a.b' may be a key of an object in 'a'
    return [*network.users.to_list(), *keys, *(value for values in attributes for value in values)]


def _saved(table: pl.DataFrame, suffix: str) -> bytes:
    buffer = io.BytesIO()
    if suffix == "csv":
        lists = [name for name, dtype in table.schema.items() if isinstance(dtype, pl.List)]
        cells = [table[name].map_elements(lambda items: json.dumps(items.to_list()), pl.String) for name in lists]
        table.with_columns(cells).write_csv(buffer)
    elif suffix == "jsonl":
        table.write_ndjson(buffer)
    else:
        table.write_parquet(buffer)
    return buffer.getvalue()


def _uncompressed(table: pl.DataFrame) -> bytes:
    """Parquet in which a changed byte is a changed value rather than a broken page."""
    buffer = io.BytesIO()
    table.write_parquet(buffer, compression="uncompressed")
    return buffer.getvalue()


def _user_seeds(suffix: str) -> list[bytes]:
    seeds = [_saved(pl.DataFrame(USERS), suffix)]
    extra = {
        "csv": [b"id,name\r\n1,Ann\r\n2,\r\n", b"\xef\xbb\xbfid\n1\n2", b"'id (after '),x\n'@a,1\n'-b,2\n"],
        "jsonl": [
            b'{"id": 9007199254740993, "n": 0.5}\n{"id": 0.5, "n": 1e400, "b": true}\n{"id": "\\ud83d\\ude00"}',
            b'\xef\xbb\xbf{"id": 1, "tags": ["a", 2.0, null]}\r\n\r\n{"id": 2, "tags": "x"}\r\n',
        ],
        "parquet": [_saved(ODD_COLUMNS, "parquet"), _uncompressed(pl.DataFrame(USERS)), _uncompressed(ODD_COLUMNS)],
    }
    return seeds + extra[suffix]


def _new_seeds(suffix: str) -> list[bytes]:
    return [_saved(pl.DataFrame({"id": ["n1", "n2"], "name": ["Bo", "Cy"], "tags": [["a"], None]}), suffix)]


def _reads_users(suffix: str) -> Any:
    def run(data: bytes) -> None:
        with scratch() as place:
            (place / f"users.{suffix}").write_bytes(data)
            network = read_network(place)
            if suffix != "parquet":
                check_is_there(_texts_in(network), data)
            check_written(network, place, len(data))

    return run


def _reads_links(suffix: str) -> Any:
    def run(data: bytes) -> None:
        with scratch() as place:
            (place / "users.csv").write_text('id\n007\n"@amy"\né\n"a b "\n')
            (place / f"links.{suffix}").write_bytes(data)
            network = read_network(place)
            if suffix != "parquet":
                check_is_there([name for name in network.links if name != "follows"], data)
            check_written(network, place, len(data))
            assert len(read_network(place, drop_dangling=True)) == 4

    return run


def _reads_pairs(suffix: str) -> Any:
    def run(data: bytes) -> None:
        with scratch() as place:
            path = place / f"pairs.{suffix}"
            path.write_bytes(data)
            truth = read_truth(path, NETWORK, NETWORK)
            write_truth(truth, place / "again.csv", NETWORK, NETWORK)
            assert _plain_truth(read_truth(place / "again.csv", NETWORK, NETWORK)) == _plain_truth(truth)
            if not len(truth.absent):
                assert _plain_pairs(read_known(path, NETWORK, NETWORK)) == _plain_pairs(truth.pairs)

    return run


def _plain_truth(truth: Truth) -> object:
    return _plain_pairs(truth.pairs), truth.absent.tolist()


def _plain_pairs(pairs: Pairs) -> object:
    return pairs.lefts.tolist(), pairs.rights.tolist()


def _measures(suffix: str) -> Any:
    def run(data: bytes) -> None:
        with scratch() as place:
            (place / f"users.{suffix}").write_bytes(data)
            (place / f"links.{suffix}").write_bytes(data)
            size = measure_size(place)
            assert size.users >= 0
            assert size.file_bytes == 2 * len(data)

    return run


def _adds(suffix: str) -> Any:
    def run(data: bytes) -> None:
        with scratch() as place:
            write_network(NETWORK, place / "home")
            (place / "new").mkdir()
            (place / "new" / f"users.{suffix}").write_bytes(data)
            added = read_addition(place / "new", place / "home", ["follows"], False)
            assert added.users.is_unique().all()
            if suffix != "parquet":
                check_is_there(_texts_in(added.network), data)

    return run


def _reads_kinds(data: bytes) -> None:
    with scratch() as place:
        (place / "users.csv").write_text("id,name,tags\n1,Ann,x\n2,Bob,y\n")
        (place / "kinds.json").write_bytes(data)
        check_written(read_network(place), place, len(data))


def _reads_authors(ending: str) -> Any:
    def run(data: bytes) -> None:
        with scratch() as place:
            for other, seeds in AUTHORS.items():
                (place / f"fb{other}").write_bytes(data if other == ending else seeds[0])
            network = read_network(place / "fb", drop_dangling=True)
            if ending == "_user_names.txt":
                check_is_there([value for value in _texts_in(network) if value not in SCREEN_NAMES], data)
            check_written(network, place, len(data))

    return run


SCREEN_NAMES = {"username", "screen_name", "ann", "ghost", "annie"}


def _tallies(data: bytes) -> None:
    with scratch() as place:
        (place / SHEET).write_bytes(data)
        (place / KEY).write_text("pair,method\n1,FE\n2,FE\n2,CNL\n")
        counted = tally(place)
        assert counted.columns == ["method", "verdict", "links"]
