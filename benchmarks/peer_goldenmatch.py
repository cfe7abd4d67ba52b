"""Links two folders of names by GoldenMatch; run by `peers.py` in an environment of its own.

    python peer_goldenmatch.py LEFT RIGHT OUT [configured]

Left alone it configures itself, as its makers recommend; `configured` gives it the fuzzy comparison of its guide at
its usual threshold of .85, with several blocking passes over the beginnings and the words of the names.
"""

import sys

import goldenmatch
import pyarrow as pa
import pyarrow.parquet as pq
from goldenmatch.config.schemas import (
    BlockingConfig,
    BlockingKeyConfig,
    GoldenMatchConfig,
    MatchkeyConfig,
    MatchkeyField,
)

THRESHOLD = 0.85
WAYS = (["strip_all", "substring:0:5"], ["first_token"], ["last_token"], ["token_sort"], ["soundex"])


def configuration(columns: list[str]) -> GoldenMatchConfig:
    """Jaro-Winkler of every column, in blocks of several kinds."""
    fields = [
        MatchkeyField(field=c, scorer="jaro_winkler", weight=1.0, transforms=["lowercase", "strip"]) for c in columns
    ]
    passes = [BlockingKeyConfig(fields=[c], transforms=["lowercase", *way]) for c in columns for way in WAYS]
    return GoldenMatchConfig(
        matchkeys=[MatchkeyConfig(name="names", type="weighted", threshold=THRESHOLD, fields=fields)],
        blocking=BlockingConfig(strategy="multi_pass", keys=passes[:1], passes=passes, skip_oversized=True),
    )


def link(left: str, right: str, out: str, way: str = "") -> None:
    """Writes left, right, score and linked of all pairs that it matched."""
    tables = [pq.read_table(f"{folder}/users.parquet") for folder in (left, right)]
    columns = [c for c in tables[0].column_names if c != "id"]
    config = configuration(columns) if way == "configured" else None
    matched = goldenmatch.match_df(*tables, config=config, exclude_columns=["id"]).matched
    if matched is None or not matched.num_rows:
        matched = pa.table({c: pa.array([], pa.string()) for c in ("target_id", "ref_id", "__match_score__")})
    pairs = matched.select(["target_id", "ref_id", "__match_score__"]).rename_columns(["left", "right", "score"])
    score = pairs.column("score").cast(pa.float64())
    pairs = pairs.set_column(2, "score", score).append_column("linked", pa.array([True] * pairs.num_rows, pa.bool_()))
    pq.write_table(pairs, out)


if __name__ == "__main__":
    link(*sys.argv[1:])
