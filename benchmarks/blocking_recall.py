"""Which share of true pairs blocking keeps, per pair of name columns, on the shared sets.

    python benchmarks/blocking_recall.py

A true pair is kept when its two objects are equal, or share a 3-gram under the cap (`trigram`), or one is among the
nearest of the other by n-gram cosine (`nearest`). `share_a_trigram` is what no cap at all would keep: the most that
blocking by 3-grams can reach, for "mikepence" and "vp45" have none in common.
"""

import numpy as np
import polars as pl
from machine import DATA, Row, files, made_by, write_result
from pages import Block, fill_pages, read_result, table

from factlink.encoders.blocking import BlockedPairs, nearest_pairs, pairs_sharing_trigrams
from factlink.encoders.jaro_winkler import spelling
from factlink.encoders.ngrams.rows import ngram_matrix

CAP, NEAREST = 500, 50
ENTRIES = ("factlink.encoders.blocking", "factlink.encoders.ngrams.rows", "factlink.encoders.jaro_winkler")
COLUMNS = {
    "equal": "equal",
    "share_a_trigram": "share a 3-gram",
    "trigram_recall": "kept by 3-grams, capped",
    "nearest_recall": "kept by the 50 nearest",
}
SETS = [
    ("dbp15k_fr_en", "dbpedia_fr", "dbpedia_en", "truth", "name", "name"),
    ("dbp_fb", "dbpedia", "freebase", "truth", "name", "name"),
    ("congress", "official", "twitter", "truth", "name", "name"),
    ("congress", "official", "twitter", "truth", "name", "display_name"),
    ("us_politicians", "wikidata", "twitter", "truth", "name", "name"),
    ("us_politicians", "twitter", "instagram", "truth_twitter_instagram", "name", "name"),
    ("us_politicians", "twitter", "facebook", "truth_twitter_facebook", "name", "name"),
]


def main() -> None:
    """Measures every set and writes the table."""
    rows = [recall(*case) for case in SETS]
    write_result("blocking_recall", rows, ["numba", "numpy", "polars", "sparse-dot-topn"])
    fill_pages(blocks())


def blocks() -> list[Block]:
    """Shares of true pairs kept, and what no 3-gram can find."""
    result = read_result("blocking_recall")
    lines = [result.line(row["set"], [(f"{row[key]:.3f}", row) for key in COLUMNS]) for row in result.rows]
    text = table(["columns", *COLUMNS.values()], lines, result.note())
    row = next(row for row in result.rows if "instagram" in row["set"])
    apart = round((1 - max(row["share_a_trigram"], row["trigram_recall"])) * row["true_pairs"])
    note = (
        f"From twitter to instagram {row['equal']:.0%} of the pairs have equal names. {apart} of the "
        f"{row['true_pairs']} pairs,\n"
        "such as `mikepence` and `vp45`, have no 3-gram in common, so no cap could keep them."
    )
    return [Block("docs/names.md", "blocking: benchmarks/blocking_recall.py", f"{text}\n\n{note}")]


def recall(folder: str, left: str, right: str, truth: str, *columns: str) -> Row:
    """The share of true pairs kept by each way of blocking."""
    places = f"{folder}/{left}/users.parquet", f"{folder}/{right}/users.parquet", f"{folder}/{truth}.parquet"
    lefts = pl.read_parquet(DATA / places[0]).select(left="id", left_name=columns[0])
    rights = pl.read_parquet(DATA / places[1]).select(right="id", right_name=columns[1])
    pairs = pl.read_parquet(DATA / places[2]).join(lefts, on="left").join(rights, on="right").drop_nulls()
    names = pl.concat([spelling(lefts["left_name"].drop_nulls()), spelling(rights["right_name"].drop_nulls())])
    objects = names.unique().sort()
    first = objects.search_sorted(spelling(pairs["left_name"])).to_numpy()
    second = objects.search_sorted(spelling(pairs["right_name"])).to_numpy()
    blocked = pairs_sharing_trigrams(objects, CAP)
    nearest = nearest_pairs(ngram_matrix(objects), NEAREST)
    row = {
        "set": f"{folder}: {left} {columns[0]} → {right} {columns[1]}",
        "true_pairs": len(pairs),
        "equal": round(float((first == second).mean()), 4),
        "objects": len(objects),
        "share_a_trigram": round(kept(uncapped_among(objects, first, second), len(objects), first, second), 4),
        "trigram_pairs": len(blocked),
        "trigram_meetings_lost_to_cap": round(blocked.lost, 4),
        "trigram_recall": round(kept(blocked, len(objects), first, second), 4),
        "nearest_pairs": len(nearest),
        "nearest_recall": round(kept(nearest, len(objects), first, second), 4),
        "made": made_by(ENTRIES, files(*places)),
    }
    print(row, flush=True)
    return row


def uncapped_among(objects: pl.Series, first: np.ndarray, second: np.ndarray) -> BlockedPairs:
    """Those of the asked pairs that share any 3-gram, however common."""
    grams = [{word[i : i + 3] for i in range(len(word) - 2)} for word in objects]
    lower, upper = np.minimum(first, second), np.maximum(first, second)
    share = np.array([bool(grams[i] & grams[j]) for i, j in zip(lower, upper, strict=True)])
    return BlockedPairs(lower[share].astype(np.int32), upper[share].astype(np.int32))


def kept(blocked: BlockedPairs, n: int, first: np.ndarray, second: np.ndarray) -> float:
    """The share of pairs that are equal or blocked."""
    keys = blocked.lefts.astype(np.int64) * n + blocked.rights
    asked = np.minimum(first, second) * n + np.maximum(first, second)
    return float(((first == second) | np.isin(asked, keys)).mean())


if __name__ == "__main__":
    main()
