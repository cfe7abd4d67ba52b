"""Links outside the labelled pairs, for people to judge without knowing which method gave them.

`annotation-sheet.csv` lists pairs in random order with what both users show and an empty column `verdict`: match,
unknown or non-match; columns whose cells could start a formula are guarded (see `data.formats.formulas`).
`annotation-key.csv` says which methods gave each pair. An existing sheet is never overwritten.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from factlink.data.frames import users_column
from factlink.data.tables import read_table, require_columns, understood, write_table
from factlink.errors import InputError
from factlink.storage.durable import PRIVATE_FOLDER
from factlink.types import Ints, Network, Pairs, Verdict

SHEET, KEY = "annotation-sheet.csv", "annotation-key.csv"
VERDICTS = tuple(verdict.value for verdict in Verdict)


def draw_lefts(left: Network, truth: Pairs, n: int, seed: int = 0) -> Ints:
    """Rows of left users that the truth does not name, at random."""
    others = np.setdiff1d(np.arange(len(left)), truth.lefts)
    return np.sort(np.random.default_rng(seed).permutation(others)[:n])


def write_sheet(folder: Path, left: Network, right: Network, given: Mapping[str, Pairs], seed: int = 0) -> None:
    """Writes sheet and key; a pair that several methods gave is judged once."""
    proposed = pl.concat(
        [pl.DataFrame({"left": p.lefts, "right": p.rights, "method": method}) for method, p in given.items()]
    )
    pairs = proposed.select("left", "right").unique().sort("left", "right").sample(fraction=1, shuffle=True, seed=seed)
    pairs = pairs.with_row_index("pair", offset=1)
    key = pairs.join(proposed, on=["left", "right"], maintain_order="left_right").select("pair", "method")
    shown = [_shown(network, pairs[side], side) for side, network in (("left", left), ("right", right))]
    sheet = pl.concat([pairs.select("pair"), *shown], how="horizontal").with_columns(verdict=pl.lit(""))
    folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
    write_table(key, folder / KEY)
    write_table(sheet, folder / SHEET)


def tally(folder: Path) -> pl.DataFrame:
    """How often each verdict was given to the links of each method: method, verdict, links."""
    sheet, key = _read(folder / SHEET, "verdict"), _read(folder / KEY, "method")
    judged = key.join(sheet, on="pair", maintain_order="left").with_columns(
        pl.col("verdict").fill_null("").str.strip_chars()
    )
    for verdict in judged["verdict"].unique().to_list():
        if verdict not in ("", *VERDICTS):
            raise InputError(f"{folder / SHEET}: no verdict is called '{verdict}'; there are: {', '.join(VERDICTS)}")
    return count_verdicts(judged.filter(pl.col("verdict") != ""))


def tally_by_truth(given: Mapping[str, Pairs], whole_truth: Pairs) -> pl.DataFrame:
    """The same, judged by somebody who knows everybody."""
    true = set(zip(whole_truth.lefts.tolist(), whole_truth.rights.tolist(), strict=True))
    rows = [
        (method, (Verdict.MATCH if pair in true else Verdict.NON_MATCH).value)
        for method, pairs in given.items()
        for pair in zip(pairs.lefts.tolist(), pairs.rights.tolist(), strict=True)
    ]
    return count_verdicts(pl.DataFrame(rows, schema=["method", "verdict"], orient="row"))


def count_verdicts(judged: pl.DataFrame) -> pl.DataFrame:
    """method, verdict, links: every method with every verdict, none as 0."""
    counts = {(method, verdict): n for method, verdict, n in judged.group_by("method", "verdict").len().rows()}
    methods = sorted(judged["method"].unique().to_list())
    rows = [(method, verdict, int(counts.get((method, verdict), 0))) for method in methods for verdict in VERDICTS]
    return pl.DataFrame(rows, schema=["method", "verdict", "links"], orient="row")


def _read(path: Path, column: str) -> pl.DataFrame:
    table = read_table(path, str(path))
    require_columns(table, {"pair": "the numbers of the pairs", column: f"the {column}s"}, str(path))
    with understood(str(path)):
        return table.select(pl.col("pair").cast(pl.UInt32), column)


def _shown(network: Network, rows: pl.Series, side: str) -> pl.DataFrame:
    """What the users show, one cell for each predicate."""
    columns = {f"{side} id": network.users.gather(rows)}
    for predicate in network.attributes:
        cells = users_column(network, predicate).gather(rows)
        text = cells.list.join("; ") if cells.dtype == pl.List(pl.String) else cells
        columns[f"{side} {predicate}"] = text.alias("")
    return pl.DataFrame(columns)
