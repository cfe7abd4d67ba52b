"""Edge lists: two words on each line and perhaps a weight, whatever white space is between; '#' and '%' are comments.

What networkx writes behind the words, like {'weight': 2.0}, is understood; other data in it is not kept.
"""

from pathlib import Path

import polars as pl

from factlink.data.formats.delimited import Dialect
from factlink.data.formats.text import read_text
from factlink.errors import InputError

_DATA = r"\s*\{.*\}\s*$"
_WEIGHT = r"'weight':\s*([-+0-9.eE]+)"


def read_words(path: Path, origin: str, *, has_header: bool) -> pl.DataFrame:
    """The table of words; of three columns where any line has a weight."""
    lines = pl.Series("line", read_text(path, origin).split("\n"), dtype=pl.String).str.strip_chars()
    lines = lines.filter((lines != "") & ~lines.str.contains(r"^[#%]"))
    weights = lines.str.extract(r"(\{.*\})$").str.extract(_WEIGHT)
    table = lines.str.replace(_DATA, "").str.replace_all(r"\s+", " ").str.split(" ").alias("words").to_frame()
    width = max(table["words"].list.len().mode().to_list(), default=2)
    wrong = (table["words"].list.len() != width).arg_true()
    if len(wrong):
        found = lines[wrong[0]][:60]
        raise InputError(
            f"{origin} line {wrong[0] + 1} (comments not counted): '{found}' is not {width} words as the other lines "
            "are; write two ids on each line, or separate the columns with commas"
        )
    first = table["words"][0].to_list() if table.height else []
    names = Dialect(" ", has_header).columns([str(word) for word in first])
    table = table.with_columns(pl.col("words").list.get(place).alias(name) for place, name in enumerate(names))
    if weights.null_count() < len(weights):
        table = table.with_columns(weights.alias("weight"))
    return table.drop("words").slice(int(has_header))
